#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/noc_protocol.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"

namespace tvp::noc {

/// An action of a NIU at a cycle.
struct NiuStep {
  enum class Kind : std::uint8_t {
    kAssign,      ///< the first queued command requests a virtual channel
    kLeave,       ///< a request's header leaves
    kSourceRead,  ///< all bytes of a write were read
    kHead,        ///< a header arrives
    kTail,        ///< the last flit arrives
    kServe,       ///< a request reaches the tile's memory
    kServed,      ///< the memory has served it
    kWritten,     ///< the memory has served it unless it is delayed again
    kRespond,     ///< a response requests a virtual channel
    kReceive,     ///< a response reaches the tile's memory
    kReceived,    ///< the memory has stored it
    kVcFree,      ///< END_REQ of a packet of this NIU
  };
  support::Cycle when;
  std::uint64_t order;  ///< arrivals come before own steps, each in order of creation
  Packet* packet;
  Kind kind;
  std::uint8_t argument;
};

/// The pending steps of a NIU in order.
class NiuSteps {
 public:
  NiuSteps(support::Agent& niu, support::Calendar& calendar, unsigned tile)
      : niu_(niu), calendar_(calendar), tile_(tile) {}

  /// Adds a step of the NIU itself.
  void at(support::Cycle when, NiuStep::Kind kind, Packet* packet, unsigned argument = 0);
  /// Adds a step that the network causes.
  void at_arrival(support::Cycle when, NiuStep::Kind kind, Packet* packet);

  bool empty() const { return steps_.empty(); }
  /// kNever if there is none.
  support::Cycle next() const { return empty() ? support::kNever : steps_.front().when; }
  NiuStep pop();

 private:
  void push(const NiuStep& step);

  support::Agent& niu_;
  support::Calendar& calendar_;
  const unsigned tile_;
  std::vector<NiuStep> steps_;
  std::uint32_t arrivals_ = 0;
  std::uint32_t own_steps_ = 0;
};

}  // namespace tvp::noc
