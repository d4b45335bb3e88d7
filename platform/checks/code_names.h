#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/support/time.h"

namespace tvp::checks {

/// A core of a system; `number` is its tensix_vp_core.
struct CodeOwner {
  unsigned chip = 0, x = 0, y = 0;
  unsigned number = 0;
};

/// Names of the code that cores execute, for the texts of checks.
class CodeNames {
 public:
  virtual ~CodeNames() = default;
  /// "kernel_main (sdpa/reader.cpp:42)" for the code at the address now, or at cycle `at`. "" if
  /// no debug information covers the address.
  virtual std::string describe(const CodeOwner& core, std::uint32_t address,
                               support::Cycle at = support::kNever) const = 0;
  /// As describe(), but only the lines outside of the kernel library.
  virtual std::string own_line(const CodeOwner& core, std::uint32_t address) const {
    return describe(core, address);
  }
  /// True if the instruction there belongs to a function of that name, or to one that is inlined
  /// into it.
  virtual bool is_of(const std::string& function, const CodeOwner& core,
                     std::uint32_t address) const = 0;
  /// True if the address is in the first file that was loaded for the core: the firmware, if there
  /// is any.
  virtual bool is_of_first(const CodeOwner& core, std::uint32_t address) const = 0;
  /// Returns the file name of the kernel that the core has now, when it is called. Empty: unknown.
  virtual std::function<std::string()> kernel(const CodeOwner&) const { return {}; }
};

}  // namespace tvp::checks
