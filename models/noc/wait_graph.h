#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/torus/route.h"

namespace tvp::noc {

/// A packet that cannot go on at a router, and one that holds what it needs.
struct Wait {
  std::uint32_t waiter = 0;  ///< slots of the ledger
  std::uint32_t blocker = 0;
  std::uint8_t node = 0;  ///< the router
  Port port = Port::kX;   ///< the link that the waiter needs
  std::uint8_t vc = 0;
  bool for_buffer = false;  ///< it has the channel, but its flits have no slot behind the link
};

/// The wait-for graph of a network. A cycle among packets that nothing moves any more is a
/// deadlock.
class WaitGraph {
 public:
  void add(const Wait& wait) {
    if (wait.waiter != wait.blocker) waits_.push_back(wait);
  }
  /// The waits of one cycle, in its order; empty when there is none.
  std::vector<Wait> cycle() const;

 private:
  std::vector<Wait> waits_;
};

}  // namespace tvp::noc
