#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "foundation/fault.h"
#include "models/tensix/tile/tensix_tile.h"

namespace tvp::platform {

/// Kernels count the answers that their writes will have, and wait until the NIU has counted as
/// many. A multicast has one from each destination, and how many those are a kernel says itself: it
/// is wrong without anybody's noticing where a barrier looks while the counts happen to be equal,
/// and waits for ever where it does not.
class MiscountedAnswers {
 public:
  static constexpr unsigned kNocs = 2;
  static constexpr unsigned kCores = 2;  ///< that move data
  /// Where firmware has the counts, by NoC, in the local memory of each core; 0: it has none.
  using Places = std::array<std::uint32_t, kCores>;

  explicit MiscountedAnswers(tensix::TensixTile& tile) : tile_(tile) {}
  void begins(const Places& counts);
  /// Faults of the running program, one for each core and NoC. `is_idle`: nothing is under way.
  std::vector<foundation::Fault> faults(bool is_idle) const;

 private:
  using Counts = std::array<std::uint32_t, kNocs>;
  std::optional<Counts> counts_of(unsigned core) const;

  tensix::TensixTile& tile_;
  Places places_{};
  std::array<Counts, kCores> before_{};  ///< of whatever used the NoC last
};

}  // namespace tvp::platform
