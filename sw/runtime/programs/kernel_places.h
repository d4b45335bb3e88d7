#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::runtime {

/// A kernel's image for one processor.
struct KernelSize {
  std::string source;
  std::uint32_t processor = 0;  ///< contract::Processor
  std::uint32_t bytes = 0;
};

/// Where the kernels of one core lie in its L1: each at the usual place of its processor when it
/// can, so that programs share its image; else it gives way to the one before it, and where the
/// area ends, to the one behind it. There is a place for all whenever their sum fits the area.
/// `kernels` are those of `core`, in the order of the processors. Throws Fault(kFirmware), which
/// names the largest and those beside it, when they do not fit.
std::vector<std::uint32_t> kernel_places(const std::string& core,
                                         const std::vector<KernelSize>& kernels);

}  // namespace tvp::runtime
