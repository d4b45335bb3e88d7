#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/support/time.h"

namespace tvp::mesh {

/// A packet from one endpoint to another. The bytes stay in the sender's memory, unchanged until
/// the packet is delivered or reported lost.
struct MeshPacket {
  std::uint16_t source = 0;       ///< endpoint, see MeshTopology
  std::uint16_t destination = 0;  ///< endpoint
  std::uint16_t flits = 1;
  std::uint8_t traffic_class = 0;  ///< larger is more urgent where priorities count
  std::uint64_t tag = 0;           ///< the sender's own
  std::span<const std::uint8_t> payload;

  // Filled in by the network.
  support::Cycle created = 0;  ///< cycle of its injection request
  support::Cycle entered = 0;  ///< its first flit left the injection queue
  std::uint16_t routers = 0;   ///< that its head has been through
  std::uint16_t retries = 0;   ///< times that its source had to send it again
};

/// Part of a packet that moves in one cycle. On the wires of a router are `destination`, `vc`,
/// `head`, `tail`, `traffic_class` and `age`, and `part`, `via` and `length` where a routing needs
/// them; `packet` stands for the bytes.
struct Flit {
  std::uint32_t packet = 0;  ///< slot of the network
  std::uint16_t destination = 0;
  std::uint8_t vc : 3 = 0;
  std::uint8_t traffic_class : 2 = 0;
  bool head : 1 = false;
  bool tail : 1 = false;
  std::uint8_t part : 1 = 0;   ///< of the virtual channels, see RoutingFunction::parts()
  std::uint8_t length = 1;     ///< flits of the packet, 255 for more
  std::uint32_t age = 0;       ///< low bits of the cycle at which the packet was created
  std::uint16_t via = kNoVia;  ///< router that it has to go by first; of heads
  /// Low bits of the cycle at which it came to this router, for statistics.
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
  /// The last flit of a packet is there at cycle `when`, which lies after the calendar's cycle.
  virtual void deliver(const MeshPacket& packet, support::Cycle when) = 0;
  /// From cycle `when` on there is one more credit for the injection queue.
  virtual void injection_credit(support::Cycle when) { static_cast<void>(when); }
  /// The network gives the packet up; `why` names what is broken.
  virtual void lost(const MeshPacket& packet, const std::string& why, support::Cycle when) {
    static_cast<void>(packet);
    static_cast<void>(why);
    static_cast<void>(when);
  }
};

}  // namespace tvp::mesh
