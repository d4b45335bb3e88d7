#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// The packets inside an external router, as its neighbors see them: what has entered, what has
/// left, and through which ports.
class PassingFlits {
 public:
  struct Packet {
    Flit head;
    Port in = Port::kLocal;
    Port out = Port::kLocal;  ///< output of the flits that have left
    std::uint8_t out_vc = 0;
    std::uint16_t entered = 0;  ///< flits
    std::uint16_t left = 0;     ///< flits
    bool is_complete = false;   ///< the tail has entered

    bool is_inside() const { return entered > left; }
    /// An output belongs to the packet from its head to its tail.
    bool owns_output() const { return left > 0; }
  };

  void clear();
  /// The number of the flit in its packet.
  unsigned enter(Port in, const Flit& flit);
  /// The error of a flit at an output; empty if the flit entered the router and may leave there.
  /// `table` holds the routes of this router, `node`.
  std::string why_wrong(Port out, const Flit& flit, const RoutingTable& table, unsigned node) const;
  /// Sets the arrival time of a head. Returns the number of the flit in its packet.
  unsigned leave(Port out, Flit& flit);

  /// The packets whose tail has not left, in the order of arrival.
  const std::vector<Packet>& packets() const { return packets_; }
  /// True if flits that came through this input are inside. With virtual channels, `vc` selects one
  /// of them.
  bool holds(Port in, std::optional<unsigned> vc = {}) const;
  unsigned flits() const { return flits_; }

 private:
  const Packet* find(std::uint32_t number) const;
  Packet& get(std::uint32_t number) { return const_cast<Packet&>(*find(number)); }

  std::vector<Packet> packets_;
  unsigned flits_ = 0;
};

}  // namespace tvp::mesh
