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

/// The time of a kernel, or of the firmware around it.
struct ProfileZone {
  unsigned core = 0;  ///< index in Profile::cores
  bool is_kernel = false;
  unsigned run = 0;  ///< number of the kernel on this core
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string file;  ///< the first instruction's; empty: unknown
  unsigned line = 0;
};

/// Where the cycles of a run went. Rows are sorted by core, file, line, function and call.
struct Profile {
  struct Core {
    std::string name;  ///< for example "D0 (1,1) BRISC"
    std::uint64_t cycles = 0;
    unsigned chip = 0, x = 0, y = 0;
    unsigned kind = 0;  ///< tensix_vp_core
  };
  static constexpr int kVersion = 1;
  static constexpr const char* kInReset = "(in reset)";
  static constexpr const char* kNoLine = "(no source line)";

  std::string system;
  std::uint64_t clock_mhz = 0;
  std::string chip_kind;           ///< for example wormhole_b0
  unsigned compute_cores = 0;      ///< Tensix tiles of a chip
  std::vector<Core> cores;         ///< those that have run
  std::vector<ProfileZone> zones;  ///< kernels by core; empty unless the file shows them
  std::vector<ProfileRow> rows;

  Cycles total() const;
  /// Cycles outside of a reset for which no source line is known.
  std::uint64_t without_line() const;
};

}  // namespace tvp::platform
