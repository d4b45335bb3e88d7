#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/machine/profile/spent.h"

namespace tvp::platform {

/// The cycles that a core has spent in a source line.
struct ProfileRow {
  unsigned core = 0;     ///< index in Profile::cores
  std::string function;  ///< the kernel's own, if the chain of inlined calls leaves the library
  std::string file;      ///< empty: no source line is known, or the core was in reset
  unsigned line = 0;
  std::string called;  ///< function of the library that the line calls; empty: none
  Cycles cycles;
};

/// Where the cycles of a run went. Rows are sorted by core, file, line, function and call.
struct Profile {
  struct Core {
    std::string name;  ///< for example "D0 (1,1) BRISC"
    std::uint64_t cycles = 0;
  };
  static constexpr int kVersion = 1;
  static constexpr const char* kInReset = "(in reset)";
  static constexpr const char* kNoLine = "(no source line)";

  std::string system;
  std::uint64_t clock_mhz = 0;
  std::vector<Core> cores;  ///< those that have run
  std::vector<ProfileRow> rows;

  Cycles total() const;
  /// Cycles outside of a reset for which no source line is known.
  std::uint64_t without_line() const;
};

}  // namespace tvp::platform
