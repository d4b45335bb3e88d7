#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// Images of a program's kernels, linked for their places in the L1 of each core (kernel_places.h).
/// Cores with the same kernels share images, and so do programs whose kernels are all at their
/// usual places.
class ProgramImages {
 public:
  /// Images of a kernel by processor, in the order of processors_of().
  using OfKernel = std::vector<std::pair<std::uint32_t, std::shared_ptr<const ElfImage>>>;

  /// `cores` are all cores of the program, with the bytes of their configuration. Throws
  /// CompileError, or Fault if a core has two kernels for a processor or too large ones.
  ProgramImages(const Program& program, const std::map<CoreId, std::uint32_t>& cores,
                KernelCompiler& compiler, const CompileOptions& options);

  /// Image of a kernel that runs on the core, by its number in the program.
  OfKernel of(const CoreId& core, std::size_t kernel) const;

 private:
  using Images = std::vector<std::shared_ptr<const ElfImage>>;

  void add_requests(const Program& program);
  void place(const Program& program, const CoreId& core, std::uint32_t configuration_bytes,
             const Images& usual, std::string_view advice);
  /// Links images for places other than the usual ones.
  void link(KernelCompiler& compiler, const CompileOptions& options, const Images& usual);

  std::vector<KernelRequest> requests_;  ///< requests of all kernels, for their usual places
  std::vector<std::size_t> first_;       ///< first request of each kernel, and the end
  std::map<CoreId, std::map<std::size_t, std::uint32_t>>
      places_;  ///< places by number of the request
  /// Linked images by number of the request and place.
  std::map<std::pair<std::size_t, std::uint32_t>, std::shared_ptr<const ElfImage>> linked_;
};

/// Processors of a kernel, in the order of their images.
std::vector<std::uint32_t> processors_of(const Kernel& kernel);

}  // namespace tvp::runtime
