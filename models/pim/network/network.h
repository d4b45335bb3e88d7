#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/support/time.h"

namespace tvp::pim {

/// The network that carries the packets of the stops: a mesh inside a rank, a switch between chips,
/// a bus between ranks, or all of them in sequence.
/// An order to the switch between the chips of a rank, beside forwarding the packet.
struct SwitchOrder {
  enum class Kind : std::uint8_t { kPass, kMulticast, kReduce };
  Kind kind = Kind::kPass;
  std::uint8_t op = 0;  ///< as in foundation/regs/pim.h
  std::uint8_t type = 0;
  std::uint32_t from_chips = 0;  ///< of the rank, a bit each; of a reduction
  std::uint32_t to_chips = 0;
  std::uint32_t number = 0;  ///< of a reduction, among those of its sender
  std::uint32_t part = 0;    ///< packet of it
  /// The same reduction, by orders of different chips.
  bool agrees(const SwitchOrder& other) const {
    return op == other.op && type == other.type && from_chips == other.from_chips &&
           to_chips == other.to_chips;
  }
};

struct Packet {
  std::uint32_t source = 0;       ///< unit
  std::uint32_t destination = 0;  ///< unit, not the source
  /// The bytes stay where the source has them, unchanged until the packet is delivered.
  std::span<const std::uint8_t> payload;
  std::uint64_t tag = 0;  ///< the stops' own; carried along
  SwitchOrder order{};
};

class NetworkEndpoint {
 public:
  virtual ~NetworkEndpoint() = default;
  /// The last of the packet is at the stop at cycle `when`, after the calendar's cycle.
  virtual void deliver(const Packet& packet, support::Cycle when) = 0;
  /// From cycle `when` on, after the calendar's, there may be one more credit.
  virtual void injection_credit(support::Cycle when) = 0;
  /// The network gives up a packet of this unit; `why` names what is broken.
  virtual void lost(const Packet& packet, const std::string& why) = 0;

  // For orders to the switch:
  /// The tag of a multicast packet's copy for one destination.
  virtual std::uint64_t tag_of_copy(const Packet& packet, unsigned destination) {
    static_cast<void>(destination);
    return packet.tag;
  }
  /// The combined result of this unit's packet and those of others; it is delivered later.
  virtual void combined(const Packet& packet, std::span<const std::uint8_t> result) {
    static_cast<void>(packet);
    static_cast<void>(result);
  }
  /// A packet of this unit went into a combination that only others get.
  virtual void absorbed(const Packet& packet) { static_cast<void>(packet); }
};

/// Works in the order of the calendar: it is called from events only, never by a unit that may be
/// ahead of them. Nothing is delivered in the cycle of its injection. Packets may overtake each
/// other.
class Network {
 public:
  virtual ~Network() = default;
  virtual void connect(unsigned unit, NetworkEndpoint& endpoint) = 0;
  /// The unit of a packet may inject it now. When not, NetworkEndpoint::injection_credit() tells
  /// when to ask again.
  virtual bool may_inject(const Packet& packet) = 0;
  /// `when` is not before the calendar's cycle.
  virtual void inject(const Packet& packet, support::Cycle when) = 0;
  /// Why an order of this unit to the switch cannot be; "" when it can. Always the same answer.
  virtual std::string refusal(unsigned unit, const SwitchOrder& order) const {
    static_cast<void>(unit);
    static_cast<void>(order);
    return "no switch joins the chips: expected pim.network=tiers";
  }
  /// The unit of the same number in a chip of the same rank.
  virtual unsigned peer(unsigned unit, unsigned chip) const {
    static_cast<void>(chip);
    return unit;
  }
  /// Under a static schedule: numbers of the links that a message takes, each its own; no two
  /// messages may be on one of them at a time. None when the network routes them itself.
  virtual void scheduled_route(unsigned source, unsigned destination,
                               std::vector<std::uint32_t>& links) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    links.clear();
  }
  /// Throws Fault(kInternal) when a packet is neither delivered nor lost nor under way.
  virtual void check_conservation() const = 0;
  /// Throws Fault(kInternal) when a packet has vanished or is still under way.
  virtual void check_at_end() const = 0;
};

}  // namespace tvp::pim
