#pragma once
// Buffers under tt-metal's names (tt-metalium/buffer.hpp, mesh_buffer.hpp): of one device, or at
// one address on all devices of a mesh.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/metalium/device_api.h"
#include "sw/runtime/buffers/tensor_accessor_args.h"

namespace tt::tt_metal {

using tvp::runtime::BufferShardingArgs;
using tvp::runtime::BufferType;
using tvp::runtime::Shape2D;
using tvp::runtime::ShardOrientation;
using tvp::runtime::ShardSpec;
using tvp::runtime::ShardSpecBuffer;
using tvp::runtime::TensorAccessorArgs;
using tvp::runtime::TensorMemoryLayout;
using TensorBufferLayout = TensorMemoryLayout;

using tvp::runtime::CreateBuffer;
using tvp::runtime::InterleavedBufferConfig;
using BufferConfig = InterleavedBufferConfig;
using tvp::runtime::DeallocateBuffer;
using tvp::runtime::ShardedBufferConfig;

namespace distributed {
using tvp::runtime::DeviceLocalBufferConfig;
using tvp::runtime::MeshBufferConfig;
using tvp::runtime::MeshBufferLayout;
using tvp::runtime::ReplicatedBufferConfig;
using tvp::runtime::distributed::ShardedBufferConfig;
}  // namespace distributed

namespace detail {

// Takes no simulated time.
inline void WriteToBuffer(Buffer& buffer, std::span<const std::uint8_t> bytes) {
  buffer.cluster();  // throws if it is closed
  buffer.write(buffer.device()->device_index({0, 0}), bytes);
}
inline std::vector<std::uint8_t> ReadFromBuffer(Buffer& buffer) {
  buffer.cluster();  // throws if it is closed
  return buffer.read(buffer.device()->device_index({0, 0}));
}

template <typename Datum>
void WriteToBuffer(Buffer& buffer, const std::vector<Datum>& data) {
  WriteToBuffer(buffer, std::span(reinterpret_cast<const std::uint8_t*>(data.data()),
                                  data.size() * sizeof(Datum)));
}
template <typename Datum>
void WriteToBuffer(const std::shared_ptr<Buffer>& buffer, const std::vector<Datum>& data) {
  WriteToBuffer(named(buffer.get(), "WriteToBuffer", "a buffer"), data);
}
template <typename Datum>
void ReadFromBuffer(Buffer& buffer, std::vector<Datum>& data) {
  const std::vector<std::uint8_t> bytes = ReadFromBuffer(buffer);
  const auto* first = reinterpret_cast<const Datum*>(bytes.data());
  data.assign(first, first + bytes.size() / sizeof(Datum));
}
template <typename Datum>
void ReadFromBuffer(const std::shared_ptr<Buffer>& buffer, std::vector<Datum>& data) {
  ReadFromBuffer(named(buffer.get(), "ReadFromBuffer", "a buffer"), data);
}

}  // namespace detail

}  // namespace tt::tt_metal
