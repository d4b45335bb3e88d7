#include "sw/runtime/program.h"

#include "firmware/contract/memory_map.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

KernelHandle Program::add_kernel(
    std::string source, CoreRangeSet cores,
    std::variant<DataMovementConfig, ComputeConfig, EthernetConfig> config) {
  if (cores.cores().empty()) bad_use(source, "is to run on no core");
  kernels_.push_back({std::move(source), std::move(cores), std::move(config), {}, {}});
  return static_cast<KernelHandle>(kernels_.size() - 1);
}

CBHandle Program::add_circular_buffer(CoreRangeSet cores, CircularBufferConfig config) {
  const auto check_new = [&](std::uint8_t index) {
    for (const CircularBuffer& other : cbs_)
      if (other.config.has(index) && other.cores.intersects(cores))
        bad_use("circular buffer " + std::to_string(index),
                "is there already on some of its cores");
  };
  for (const auto& [index, unused] : config.indices()) {
    check_new(index);
    if (config.remote_indices().count(index) != 0)
      bad_use("circular buffer " + std::to_string(index), "is both a local and a remote one");
  }
  for (const auto& [index, unused] : config.remote_indices()) check_new(index);
  for (const auto& [index, unused] : config.indices())
    CircularBufferConfig::check_pages(index, config.page_bytes(index), config.total_bytes());
  cbs_.push_back({std::move(cores), std::move(config)});
  return static_cast<CBHandle>(cbs_.size() - 1);
}

std::uint32_t Program::add_semaphore(CoreRangeSet cores, std::uint32_t initial, bool on_ethernet) {
  for (std::uint32_t number = 0; number < contract::kSemaphores; ++number) {
    bool free = true;
    for (const auto& [taken, semaphore] : semaphores_)
      if (taken == number && semaphore.on_ethernet == on_ethernet &&
          semaphore.cores.intersects(cores))
        free = false;
    if (!free) continue;
    semaphores_.push_back({number, {std::move(cores), initial, on_ethernet}});
    return number;
  }
  bad_use("semaphore", "a core has no more than 16");
}

Kernel& Program::kernel(KernelHandle handle) {
  if (handle >= kernels_.size())
    bad_use("kernel " + std::to_string(handle), "is not one of this program");
  return kernels_[handle];
}

void Program::set_runtime_args(KernelHandle handle, const CoreRangeSet& cores,
                               const std::vector<std::uint32_t>& args) {
  Kernel& k = kernel(handle);
  if (args.size() > contract::kMaxRuntimeArgs)
    bad_use(k.source, std::to_string(args.size()) + " runtime arguments; at most 341");
  for (const CoreCoord core : cores.cores()) {
    if (!k.cores.contains(core)) bad_use(k.source, "does not run on core " + core.str());
    k.runtime_args[core] = args;
  }
}

void Program::set_common_runtime_args(KernelHandle handle, std::vector<std::uint32_t> args) {
  Kernel& k = kernel(handle);
  if (args.size() > contract::kMaxRuntimeArgs)
    bad_use(k.source, std::to_string(args.size()) + " common runtime arguments; at most 341");
  k.common_args = std::move(args);
}

std::vector<std::uint32_t>& Program::runtime_args(KernelHandle handle, CoreCoord core) {
  Kernel& k = kernel(handle);
  if (!k.cores.contains(core)) bad_use(k.source, "does not run on core " + core.str());
  return k.runtime_args[core];
}

std::vector<std::uint32_t>& Program::common_runtime_args(KernelHandle handle) {
  return kernel(handle).common_args;
}

CircularBufferConfig& Program::circular_buffer_config(CBHandle cb) {
  if (cb >= cbs_.size())
    bad_use("circular buffer with handle " + std::to_string(cb), "is not one of this program");
  return cbs_[cb].config;
}

}  // namespace tvp::runtime
