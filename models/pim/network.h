#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/support/time.h"

namespace tvp::pim {

/// What carries the packets of the stops: a mesh inside a rank, a switch between chips, a bus
/// between ranks, or all of them one behind the other.
struct Packet {
  std::uint32_t source = 0;       ///< unit
  std::uint32_t destination = 0;  ///< unit, not the source
  /// The bytes stay where the source has them, unchanged until the packet is delivered.
  std::span<const std::uint8_t> payload;
  std::uint64_t tag = 0;  ///< the stops' own; carried along
};

class NetworkEndpoint {
 public:
  virtual ~NetworkEndpoint() = default;
  /// The last of the packet is at the stop at cycle `when`, after the calendar's cycle.
  virtual void deliver(const Packet& packet, support::Cycle when) = 0;
  /// From cycle `when` on, after the calendar's, there may be one more place.
  virtual void injection_place(support::Cycle when) = 0;
  /// The network gives up a packet of this unit; `why` names what is broken.
  virtual void lost(const Packet& packet, const std::string& why) = 0;
};

/// Works in the order of the calendar: it is called from events only, never by a unit that may be
/// ahead of them. Nothing is delivered in the cycle of its injection. Packets may overtake each
/// other.
class Network {
 public:
  virtual ~Network() = default;
  virtual void connect(unsigned unit, NetworkEndpoint& endpoint) = 0;
  /// Packets that the unit may inject now.
  virtual unsigned places(unsigned unit) const = 0;
  /// `when` is not before the calendar's cycle.
  virtual void inject(const Packet& packet, support::Cycle when) = 0;
  /// Under a static schedule: numbers of the links that a message takes, each its own; no two
  /// messages may be on one of them at a time. None when the network finds the ways itself.
  virtual void scheduled_way(unsigned source, unsigned destination,
                             std::vector<std::uint32_t>& links) const {
    static_cast<void>(source);
    static_cast<void>(destination);
    links.clear();
  }
  /// Throws Fault(kInternal) when a packet is neither delivered nor lost nor under way.
  virtual void check_books() const = 0;
  /// Throws Fault(kInternal) when a packet has vanished or is still under way.
  virtual void check_at_end() const = 0;
};

}  // namespace tvp::pim
