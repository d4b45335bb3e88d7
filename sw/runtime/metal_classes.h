#pragma once
// Classes of the host API that are defined in tt-metal's namespaces, so that programs written for
// tt-metal may declare them before they include them. The runtime uses them by the same names.

namespace tt::tt_metal {
class Buffer;
class CommandQueue;
class IDevice;
class Program;
namespace distributed {
class MeshBuffer;
class MeshCommandQueue;
class MeshDevice;
class MeshWorkload;
}  // namespace distributed
}  // namespace tt::tt_metal

namespace tvp::runtime {
using tt::tt_metal::Buffer;
using tt::tt_metal::CommandQueue;
using tt::tt_metal::IDevice;
using tt::tt_metal::Program;
using tt::tt_metal::distributed::MeshBuffer;
using tt::tt_metal::distributed::MeshCommandQueue;
using tt::tt_metal::distributed::MeshDevice;
using tt::tt_metal::distributed::MeshWorkload;
}  // namespace tvp::runtime
