#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "models/noc/foreign_node.h"

namespace tvp::noc {

/// The NIUs behind a GatewayTorus. Requests of the tile leave through `memory` with the address
/// that ForeignNode has for `requests`: node, offset and number of the NoC. Requests of the user
/// enter through `requests`; their node is the tile's own, or none (0).
class GatewayNode : public ForeignNode {
 public:
  /// `tile` and `at` are NoC 0 coordinates.
  GatewayNode(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
              Node tile, Node at, support::CalendarBlock& block, foundation::FaultPolicy& faults,
              const std::string& where, support::ForeignMemory::Timing timing)
      : ForeignNode(name, config, grid, at, block, faults, where, timing),
        grid_(grid),
        tile_(tile) {}

 private:
  static constexpr unsigned kNodeBits = kNocShift - kXShift;

  static std::uint64_t bits_of(Node node) {
    return std::uint64_t{node.x} << kXShift | std::uint64_t{node.y} << kYShift;
  }
  std::uint64_t address_of(const tlm::tlm_generic_payload& payload) const override {
    const auto& packet = static_cast<const Packet&>(payload);
    const NocExtension& header =
        packet.is_read() ? packet.header().answer->header() : packet.header();
    return payload.get_address() | bits_of(header.target) |
           std::uint64_t{packet.header().memory_port} << kNocShift;
  }
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const std::uint64_t address = payload.get_address();
    const std::uint64_t own = bits_of(grid_.to_noc(address >> kNocShift & 1, tile_));
    const std::uint64_t node = address & ((1ULL << kNodeBits) - 1) << kXShift;
    if (node != own && node != 0) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    payload.set_address(address | own);
    ForeignNode::serve(payload, delay);
    payload.set_address(address);
  }

  const Grid& grid_;
  const Node tile_;
};

}  // namespace tvp::noc
