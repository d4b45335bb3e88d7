#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/runtime/compiler/kernel_names.h"

namespace tvp::runtime {

/// The entry of a kernel that is a function with parameters, as kernels since summer of 2026 write
/// it (tt-metal experimental/kernel_args.h): `template <uint32_t width> TT_KERNEL void reader(
/// uint32_t count)`. Template parameters are compile-time arguments, function parameters run-time
/// arguments, each by its name (KernelNames). Not a parser of C++: it knows comments, literals,
/// directives and brackets, and takes the last name of a parameter.
struct KernelSignature {
  std::string name;
  std::vector<std::string> template_parameters;
  std::vector<std::string> parameters;

  /// Nothing for a source without TT_KERNEL. Throws Fault(kFirmware), which names `file` and line,
  /// for an entry that is none, has a parameter without a name, or is there twice.
  static std::optional<KernelSignature> find(std::string_view source, const std::string& file);

  /// A kernel_main() that hands over what the host names. Throws Fault(kFirmware) for a parameter
  /// that `names` does not have, or not of its kind.
  std::string kernel_main(const KernelNames& names, const std::string& file) const;
};

}  // namespace tvp::runtime
