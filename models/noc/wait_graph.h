#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/torus/route.h"

namespace tvp::noc {

/// A packet that cannot leave a router, and a packet that holds what it needs.
struct Wait {
  std::uint32_t waiter = 0;  ///< slot of the ledger
  std::uint32_t blocker = 0;
  std::uint16_t node = 0;  ///< the router
  Port port = Port::kX;    ///< the link that the waiter needs
  std::uint8_t vc = 0;
  bool for_buffer = false;  ///< it has the channel, but the buffer behind the link has no free slot
};

/// The wait-for graph of a network. A cycle is a deadlock.
class WaitGraph {
 public:
  void add(const Wait& wait) {
    if (wait.waiter != wait.blocker) waits_.push_back(wait);
  }
  /// The waits of one cycle, in order; empty if there is none.
  std::vector<Wait> cycle() const;

 private:
  std::vector<Wait> waits_;
};

}  // namespace tvp::noc
