#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/noc_protocol.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"

namespace tvp::noc {

/// Something that a NIU does at a cycle.
struct NiuStep {
  enum class Kind : std::uint8_t {
    kAssign,      ///< the command at the front of the queue asks for a virtual channel
    kLeave,       ///< a request's header leaves
    kSourceRead,  ///< the bytes of a write have all been read
    kHead,        ///< a header arrives
    kTail,        ///< a last flit arrives
    kServe,       ///< a request reaches the tile's memory
    kServed,      ///< the memory has done it
    kWritten,     ///< the memory has done it unless it is held up again
    kRespond,     ///< an answer asks for a virtual channel
    kReceive,     ///< a response reaches the tile's memory
    kReceived,    ///< the memory has taken it
    kVcFree,      ///< END_REQ of a packet of ours
  };
  support::Cycle when;
  std::uint64_t order;  ///< arrivals first, then own steps, each in their order of creation
  Packet* packet;
  Kind kind;
  std::uint8_t argument;
};

/// The pending work of a NIU in order.
class NiuSteps {
 public:
  NiuSteps(support::Agent& niu, support::Calendar& calendar, unsigned tile)
      : niu_(niu), calendar_(calendar), tile_(tile) {}

  /// A step of the NIU's own.
  void at(support::Cycle when, NiuStep::Kind kind, Packet* packet, unsigned argument = 0);
  /// A step that the network brings.
  void at_arrival(support::Cycle when, NiuStep::Kind kind, Packet* packet);

  bool empty() const { return steps_.empty(); }
  /// kNever when there is none.
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
