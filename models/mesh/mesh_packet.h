#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/support/time.h"

namespace tvp::mesh {

/// A packet from one endpoint to another. The bytes stay in the sender's memory, unchanged until
/// the packet is delivered or reported lost.
struct MeshPacket {
  std::uint16_t source = 0;       ///< endpoint number, see MeshTopology
  std::uint16_t destination = 0;  ///< endpoint
  std::uint16_t flits = 1;
  std::uint8_t traffic_class = 0;  ///< larger is more urgent if priorities are enabled
  bool is_altered = false;         ///< at delivery: `payload` is not what was sent
  std::uint16_t flit_bytes = 0;    ///< payload of a flit behind the header; 0: no bytes on the pins
  std::uint64_t tag = 0;           ///< for the sender's own use
  std::span<const std::uint8_t> payload;

  // The network fills in the following members.
  support::Cycle created = 0;  ///< cycle of its injection request
  support::Cycle entered = 0;  ///< its first flit left the injection queue
  std::uint16_t routers = 0;   ///< number of routers that the head has passed
  std::uint16_t retries = 0;   ///< number of times that the source had to send it again
};

/// The part of a packet that moves in one cycle. The wires of a router carry `destination`, `vc`,
/// `head`, `tail`, `traffic_class` and `age`. They also carry `part`, `via` and `length` if a
/// routing needs them. `packet` stands for the bytes, which only external routers see.
struct Flit {
  std::uint32_t packet = 0;  ///< slot in the network's pool
  std::uint16_t destination = 0;
  std::uint8_t vc : 3 = 0;
  std::uint8_t traffic_class : 2 = 0;
  bool head : 1 = false;
  bool tail : 1 = false;
  std::uint8_t part : 1 = 0;   ///< part of the virtual channels, see RoutingFunction::parts()
  std::uint8_t length = 1;     ///< flits of the packet; 255 means 255 or more
  std::uint32_t age = 0;       ///< low bits of the cycle at which the packet was created
  std::uint16_t via = kNoVia;  ///< router that the packet must visit first; heads only
  /// Low bits of the cycle of arrival at this router, for statistics.
  std::uint16_t arrived = 0;

  static constexpr std::uint16_t kNoVia = 0xFFFF;
  bool came_at(support::Cycle cycle) const { return arrived == static_cast<std::uint16_t>(cycle); }
  void set_arrived(support::Cycle cycle) { arrived = static_cast<std::uint16_t>(cycle); }
  unsigned waited_until(support::Cycle cycle) const {
    return static_cast<std::uint16_t>(static_cast<std::uint16_t>(cycle) - arrived);
  }
};
static_assert(sizeof(Flit) == 16);

/// The client at an endpoint of the network.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// The last flit of a packet arrives at cycle `when`, which is after the calendar's cycle.
  virtual void deliver(const MeshPacket& packet, support::Cycle when) = 0;
  /// From cycle `when` on the injection queue has one more free slot.
  virtual void injection_credit(support::Cycle when) { static_cast<void>(when); }
  /// The network gives the packet up; `why` names the broken part.
  virtual void lost(const MeshPacket& packet, const std::string& why, support::Cycle when) {
    static_cast<void>(packet);
    static_cast<void>(why);
    static_cast<void>(when);
  }
};

}  // namespace tvp::mesh
