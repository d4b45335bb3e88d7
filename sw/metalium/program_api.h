#pragma once
// Programs and their parts under tt-metal's names (tt-metalium/host_api.hpp, program.hpp,
// kernel_types.hpp, circular_buffer_config.hpp, work_split.hpp): those of sw/runtime.

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sw/metalium/buffer_api.h"
#include "sw/metalium/device_api.h"
#include "sw/runtime/host_api.h"

namespace tt::tt_metal {

using tvp::runtime::CBHandle;
using tvp::runtime::CircularBufferConfig;
using tvp::runtime::ComputeConfig;
using tvp::runtime::DataMovementConfig;
using tvp::runtime::DataMovementProcessor;
using tvp::runtime::EthernetConfig;
using tvp::runtime::FaceGeometry;
using tvp::runtime::GlobalSemaphore;
using tvp::runtime::KernelBuildOptLevel;
using tvp::runtime::KernelHandle;
using tvp::runtime::NOC;
using tvp::runtime::NOC_MODE;
using tvp::runtime::ReaderDataMovementConfig;
using tvp::runtime::Tile;
using tvp::runtime::UnpackToDestMode;
using tvp::runtime::WriterDataMovementConfig;

using tvp::runtime::corerange_to_cores;
using tvp::runtime::CreateCircularBuffer;
using tvp::runtime::CreateKernel;
using tvp::runtime::CreateProgram;
using tvp::runtime::CreateSemaphore;
using tvp::runtime::GetCircularBufferConfig;
using tvp::runtime::GetCommonRuntimeArgs;
using tvp::runtime::GetRuntimeArgs;
using tvp::runtime::grid_to_cores;
using tvp::runtime::num_cores_to_corerangeset;
using tvp::runtime::select_from_corerangeset;
using tvp::runtime::SetCommonRuntimeArgs;
using tvp::runtime::SetRuntimeArgs;
using tvp::runtime::split_work_to_cores;
using tvp::runtime::UpdateCircularBufferPageSize;
using tvp::runtime::UpdateCircularBufferTotalSize;
using tvp::runtime::UpdateDynamicCircularBufferAddress;
using tvp::runtime::UpdateDynamicCircularBufferAddressAndTotalSize;

/// Arguments in other containers than vectors: an array, a span. Templates, so that braced lists
/// select the functions above.
template <typename Words>
concept WordsButVector = std::convertible_to<const Words&, std::span<const std::uint32_t>> &&
    !std::convertible_to<const Words&, const std::vector<std::uint32_t>&>;
template <WordsButVector Words>
void SetRuntimeArgs(Program& program, KernelHandle kernel, const CoreRangeSet& cores,
                    const Words& args) {
  const std::span<const std::uint32_t> words = args;
  program.set_runtime_args(kernel, cores, {words.begin(), words.end()});
}
template <WordsButVector Words>
void SetCommonRuntimeArgs(Program& program, KernelHandle kernel, const Words& args) {
  const std::span<const std::uint32_t> words = args;
  program.set_common_runtime_args(kernel, {words.begin(), words.end()});
}

inline std::uint32_t CreateSemaphore(Program& program, const CoreRangeSet& cores,
                                     std::uint32_t initial, CoreType type) {
  return program.add_semaphore(cores, initial, type == CoreType::ETH);
}

/// Stores the text of a kernel in the kernel cache under the hash of its content, and returns the
/// path of that file. Equal texts share a file, which is compiled once.
std::string kernel_file(const std::string& text);
template <typename Config>
KernelHandle CreateKernelFromString(Program& program, const std::string& text,
                                    const CoreRangeSet& cores, const Config& config) {
  return CreateKernel(program, kernel_file(text), cores, config);
}

inline GlobalSemaphore CreateGlobalSemaphore(IDevice* device, const CoreRangeSet& cores,
                                             std::uint32_t initial, BufferType = BufferType::L1) {
  return tvp::runtime::CreateGlobalSemaphore(
      named(device, "CreateGlobalSemaphore", "a device").mesh(), cores, initial);
}

/// A template, so that it is no candidate for arguments that convert to a set of ranges.
template <std::same_as<std::variant<CoreCoord, CoreRange, CoreRangeSet>> Cores>
CBHandle CreateCircularBuffer(Program& program, const Cores& cores,
                              const CircularBufferConfig& config) {
  return std::visit(
      [&](const auto& of) { return CreateCircularBuffer(program, CoreRangeSet(of), config); },
      cores);
}
namespace detail {
using tvp::runtime::detail::preferred_noc_for_dram_read;
using tvp::runtime::detail::preferred_noc_for_dram_write;
inline std::uint32_t TileSize(DataFormat format) { return tile_size(format); }
}  // namespace detail

}  // namespace tt::tt_metal

namespace tt {
using tt_metal::split_work_to_cores;
}  // namespace tt
