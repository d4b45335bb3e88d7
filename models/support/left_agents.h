#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/support/watch.h"

namespace tvp::support {

/// The agents of a tile that are left to themselves (TileScheduler::leave_to_itself), and the L1
/// that they use meanwhile.
class LeftAgents {
 public:
  struct Use {
    std::vector<WatchHub::L1Range> stored;  ///< what is there comes late: nobody else may look
    std::vector<WatchHub::L1Range> loaded;  ///< nobody else may store there
  };

  bool any() const { return mask_ != 0; }
  bool has(unsigned order) const { return (mask_ >> order & 1U) != 0; }
  /// `use` lives until the agent is removed.
  void add(unsigned order, const Use& use);
  void remove(unsigned order);
  /// True if an access of another agent concerns the agent.
  bool touches(unsigned order, std::uint32_t address, std::uint32_t bytes, bool write) const;
  /// No aligned access below concerns any of them.
  std::uint32_t untouched_below() const { return lowest_; }

 private:
  std::uint32_t mask_ = 0;  ///< bit i: the agent with order i is left to itself
  std::uint32_t lowest_ = ~0U;
  std::array<const Use*, 16> uses_{};
};

}  // namespace tvp::support
