#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/support/time.h"

namespace tvp::pim {

/// An order to the switch between the chips of a rank that is more than forwarding the packet.
struct SwitchOrder {
  enum class Kind : std::uint8_t { kPass, kMulticast, kReduce };
  Kind kind = Kind::kPass;
  std::uint8_t op = 0;  ///< as in foundation/regs/pim.h
  std::uint8_t type = 0;
  bool ranges = false;           ///< the next two are ranges (kOrderRanges in regs/pim.h)
  std::uint32_t from_chips = 0;  ///< reduction: source chips of the rank, one bit each
  std::uint32_t to_chips = 0;
  std::uint32_t number = 0;  ///< reduction: its number at the sender
  std::uint32_t part = 0;    ///< number of the packet in it

  /// True for orders of different chips to the same reduction.
  bool agrees(const SwitchOrder& other) const {
    return op == other.op && type == other.type && ranges == other.ranges &&
           from_chips == other.from_chips && to_chips == other.to_chips;
  }
};

struct Packet {
  std::uint32_t source = 0;       ///< unit number
  std::uint32_t destination = 0;  ///< unit number, not the source
  /// The bytes stay in the source's memory, unchanged until the packet is delivered.
  std::span<const std::uint8_t> payload;
  std::uint64_t tag = 0;  ///< for use by the stops
  SwitchOrder order{};
};

class NetworkEndpoint {
 public:
  virtual ~NetworkEndpoint() = default;
  /// The end of the packet reaches the stop at cycle `when`, which is after the calendar's cycle.
  virtual void deliver(const Packet& packet, support::Cycle when) = 0;
  /// From cycle `when` on (after the calendar's cycle) there may be another credit.
  virtual void injection_credit(support::Cycle when) = 0;
  /// A router has altered the bytes of a packet of this unit, which arrive as `bytes`. A multicast
  /// alters all copies. The call comes before the packet is delivered or leaves its chip.
  virtual void altered(const Packet& packet, std::span<const std::uint8_t> bytes) {
    static_cast<void>(packet);
    static_cast<void>(bytes);
  }
  /// The network gives up a packet of this unit; `why` names the broken part.
  virtual void lost(const Packet& packet, const std::string& why) = 0;

  // For orders to the switch:
  /// The tag of the copy of a multicast packet for one destination.
  virtual std::uint64_t tag_of_copy(const Packet& packet, unsigned destination) {
    static_cast<void>(destination);
    return packet.tag;
  }
  /// The bytes of that copy, which has its tag.
  virtual std::span<const std::uint8_t> payload_of_copy(const Packet& copy) { return copy.payload; }
  /// The combined result of this unit's packet and those of others. It is delivered later.
  virtual void combined(const Packet& packet, std::span<const std::uint8_t> result) {
    static_cast<void>(packet);
    static_cast<void>(result);
  }
  /// A packet of this unit went into a combination that only other units receive.
  virtual void absorbed(const Packet& packet) { static_cast<void>(packet); }
};

/// Carries the packets of the stops: a mesh inside a rank, a switch between chips, a bus between
/// ranks, or all of them in sequence.
///
/// Only events call the network, so it runs in the order of the calendar, never in that of a unit
/// that may be ahead. No packet is delivered in the cycle of its injection. Packets may overtake
/// each other.
class Network {
 public:
  virtual ~Network() = default;
  virtual void connect(unsigned unit, NetworkEndpoint& endpoint) = 0;
  /// True if the unit may inject the packet now. If not, NetworkEndpoint::injection_credit()
  /// announces when to try again.
  virtual bool may_inject(const Packet& packet) = 0;
  /// `when` must not be before the calendar's cycle.
  virtual void inject(const Packet& packet, support::Cycle when) = 0;
  /// The reason why an order of this unit to the switch is impossible; "" if it is possible. The
  /// answer never changes.
  virtual std::string refusal(unsigned unit, const SwitchOrder& order) const {
    static_cast<void>(unit);
    static_cast<void>(order);
    return "no switch joins the chips: expected pim.network=tiers";
  }
  /// The unit with the same number in another chip of the rank.
  virtual unsigned peer(unsigned unit, unsigned chip) const {
    static_cast<void>(chip);
    return unit;
  }
  /// The units that get the copies of a multicast or the result of a reduction, ascending.
  virtual std::vector<unsigned> receivers(unsigned unit, const SwitchOrder& order) const {
    std::vector<unsigned> units;
    for (std::uint32_t left = order.to_chips; left != 0; left &= left - 1)
      units.push_back(peer(unit, static_cast<unsigned>(std::countr_zero(left))));
    return units;
  }
  /// For a static schedule: numbers of the links that a message takes. No two messages may use a
  /// link at the same time. Empty if the network chooses the route.
  virtual void scheduled_route(unsigned source, unsigned destination,
                               std::vector<std::uint32_t>& links) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    links.clear();
  }
  /// The router at which packets are stuck, as MeshNetwork::why_stuck() describes it; "" if there
  /// is none.
  virtual std::string why_stuck() const { return ""; }
  /// Throws Fault(kInternal) if a packet is neither delivered, lost nor in flight.
  virtual void check_conservation() const = 0;
  /// Throws Fault(kInternal) if a packet has vanished or is still in flight.
  virtual void check_at_end() const = 0;
};

}  // namespace tvp::pim
