#pragma once

#include <string>
#include <vector>

#include "models/noc/torus/fast_torus.h"

namespace tvp::noc {

/// The NoC of a tile that is alone: all other nodes are one NIU, the gateway, next to its router.
/// The headers keep the coordinates that software wrote.
///
/// Requests that leave the tile become reads and writes of the base protocol. Broadcasts, atomics
/// and responses to third nodes are refused. An inline write leaves as a write of its bytes.
class GatewayTorus : public FastTorus {
 public:
  /// `tile` and `gateway` are NoC 0 coordinates.
  GatewayTorus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
               unsigned noc, support::Calendar& calendar, Node tile, Node gateway);

  /// For the calendar of the tile and its gateway.
  static support::Calendar::Lookahead lookahead(const NocConfig& config);

 private:
  void inject(unsigned node, Packet& packet, support::Cycle when) override;
  void find_legs(const NocExtension& header, std::vector<RouteLeg>& legs) const override;
  unsigned end_of(const NocExtension& header) const override;
  void make_plain(Packet& packet) const;
  [[noreturn]] void refuse(const NocExtension& header, const std::string& what) const;

  const unsigned tile_;
  const unsigned gateway_;
};

}  // namespace tvp::noc
