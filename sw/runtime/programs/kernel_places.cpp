#include "sw/runtime/programs/kernel_places.h"

#include <algorithm>

#include "foundation/contract/memory_map.h"
#include "foundation/fault.h"

namespace tvp::runtime {
namespace {

constexpr const char* kNames[] = {"BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2", "ERISC"};

struct Area {
  std::uint32_t begin;
  std::uint32_t bytes;
  std::uint32_t unit;

  std::uint32_t room_for(const KernelSize& kernel) const {
    return (kernel.bytes + unit - 1) / unit * unit;
  }
};

Area area_of(std::uint32_t processor, std::uint32_t configuration_bytes) {
  if (processor == contract::kErisc)  // it has at most one kernel
    return {contract::kEthKernelTextBase, contract::kEthKernelTextSize, 16};
  constexpr std::uint32_t kUnit = contract::kKernelPlaceAlignment;
  const std::uint32_t begin =
      contract::kKernelConfigBase +
      std::max(contract::kKernelArgumentsSize, (configuration_bytes + kUnit - 1) / kUnit * kUnit);
  return {begin, contract::kKernelConfigEnd - std::min(begin, contract::kKernelConfigEnd), kUnit};
}

std::string described(const KernelSize& kernel) {
  return std::to_string(kernel.bytes) + " bytes on " + kNames[kernel.processor];
}

[[noreturn]] void refuse(const std::string& core, const std::vector<KernelSize>& kernels,
                         const Area& area, std::string_view advice) {
  const auto largest =
      std::max_element(kernels.begin(), kernels.end(),
                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::string text = "takes " + described(*largest) + "; the kernels of core " + core + " have " +
                     std::to_string(area.bytes) + " bytes in all, in units of " +
                     std::to_string(area.unit);
  const char* before = ", and beside it there are ";
  for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
    if (kernel == largest) continue;
    text += before + kernel->source + " with " + described(*kernel);
    before = ", ";
  }
  throw foundation::Fault(foundation::FaultKind::kFirmware, largest->source, text.append(advice));
}

}  // namespace

std::vector<std::uint32_t> kernel_places(const std::string& core,
                                         const std::vector<KernelSize>& kernels,
                                         std::uint32_t configuration_bytes,
                                         std::string_view advice) {
  if (kernels.empty()) return {};
  const Area area = area_of(kernels.front().processor, configuration_bytes);
  std::uint64_t sum = 0;
  for (const KernelSize& kernel : kernels) sum += area.room_for(kernel);
  if (sum > area.bytes) refuse(core, kernels, area, advice);

  std::vector<std::uint32_t> places;
  std::uint32_t free_from = area.begin;
  for (const KernelSize& kernel : kernels) {
    places.push_back(std::max(free_from, contract::usual_kernel_base(kernel.processor)));
    free_from = places.back() + area.room_for(kernel);
  }
  std::uint32_t free_to = area.begin + area.bytes;
  for (std::size_t i = kernels.size(); i-- > 0;) {
    places[i] = std::min(places[i], free_to - area.room_for(kernels[i]));
    free_to = places[i];
  }
  return places;
}

}  // namespace tvp::runtime
