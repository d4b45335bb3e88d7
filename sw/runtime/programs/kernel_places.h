#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::runtime {

/// A kernel's image for one processor.
struct KernelSize {
  std::string source;
  std::uint32_t processor = 0;  ///< contract::Processor
  std::uint32_t bytes = 0;
};

/// Returns the addresses of the kernels of one core in its L1. Each is at the usual place of its
/// processor if possible, so that programs share its image. Otherwise it moves behind the one
/// before it or, at the end of the area, in front of the next one. All kernels have a place if
/// their sum fits the area, which begins behind `configuration_bytes` of arguments if these are
/// more than usual. `kernels` are those of `core` in the order of the processors. If they do not
/// fit, throws Fault(kFirmware), which names the largest kernel and the others and ends with
/// `advice`.
std::vector<std::uint32_t> kernel_places(const std::string& core,
                                         const std::vector<KernelSize>& kernels,
                                         std::uint32_t configuration_bytes = 0,
                                         std::string_view advice = {});

}  // namespace tvp::runtime
