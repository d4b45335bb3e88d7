#pragma once

#include <cstdint>
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
  /// "kernel_main (sdpa/reader.cpp:42)", or "" when nothing is known of the address: of the code
  /// that is there now, or was there at cycle `at`.
  virtual std::string describe(const CodeOwner& core, std::uint32_t address,
                               support::Cycle at = support::kNever) const = 0;
  /// The instruction there is of a function of that name, or of one that is inlined into it.
  virtual bool is_of(const std::string& function, const CodeOwner& core,
                     std::uint32_t address) const = 0;
  /// The address is in what the core executed first, before other files came behind it: firmware,
  /// if there is any.
  virtual bool is_of_first(const CodeOwner& core, std::uint32_t address) const = 0;
};

}  // namespace tvp::checks
