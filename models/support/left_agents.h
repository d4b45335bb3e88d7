#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/support/watch.h"

namespace tvp::support {

/// The sleeping agents of a tile (TileScheduler::leave_to_itself), and the L1 that they use
/// meanwhile.
class LeftAgents {
 public:
  struct Use {
    /// Their content is updated late, so others must not access them.
    std::vector<WatchHub::L1Range> stored;
    std::vector<WatchHub::L1Range> loaded;  ///< others must not store there
  };

  bool any() const { return mask_ != 0; }
  bool has(unsigned order) const { return (mask_ >> order & 1U) != 0; }
  /// `use` must live until the agent is removed.
  void add(unsigned order, const Use& use);
  void remove(unsigned order);
  /// True if an access of another agent concerns this agent.
  bool touches(unsigned order, std::uint32_t address, std::uint32_t bytes, bool write) const;
  /// Aligned accesses below this address concern none of them.
  std::uint32_t untouched_below() const { return lowest_; }

 private:
  std::uint32_t mask_ = 0;  ///< bit i: the agent with order i sleeps
  std::uint32_t lowest_ = ~0U;
  std::array<const Use*, 16> uses_{};
};

}  // namespace tvp::support
