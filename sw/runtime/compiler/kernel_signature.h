#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/runtime/compiler/kernel_names.h"

namespace tvp::runtime {

/// A kernel's entry with parameters, as in kernels since summer 2026 (tt-metal
/// experimental/kernel_args.h): `template <uint32_t width> TT_KERNEL void reader( uint32_t count)`.
/// Template parameters are compile-time arguments, function parameters run-time arguments, each by
/// its name (KernelNames). This is no parser of C++. It knows comments, literals, directives and
/// brackets, and takes the last name of a parameter.
struct KernelSignature {
  std::string name;
  std::vector<std::string> template_parameters;
  std::vector<std::string> parameters;

  /// Returns nothing for a source without TT_KERNEL. Throws Fault(kFirmware), with `file` and line,
  /// for an invalid entry, a parameter without a name, or two entries.
  static std::optional<KernelSignature> find(std::string_view source, const std::string& file);

  /// Returns a kernel_main() that passes the host's arguments. Throws Fault(kFirmware) for a
  /// parameter that `names` does not have or has as another kind.
  std::string kernel_main(const KernelNames& names, const std::string& file) const;
};

}  // namespace tvp::runtime
