#include "models/noc/torus/gateway_torus.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "foundation/fault.h"

namespace tvp::noc {

using support::Cycle;

GatewayTorus::GatewayTorus(const sc_core::sc_module_name& name, const NocConfig& config,
                           const Grid& grid, unsigned noc, support::Calendar& calendar, Node tile,
                           Node gateway)
    : FastTorus(name, config, grid, noc, calendar),
      tile_(grid.to_noc(noc, tile).index()),
      gateway_(grid.to_noc(noc, gateway).index()) {}

support::Calendar::Lookahead GatewayTorus::lookahead(const NocConfig& config) {
  const Cycle path = config.niu_to_router_cycles + config.router_to_niu_cycles;
  return {.tile_to_tile = 1 + path,
          .event_to_tile =
              std::min(config.router_to_niu_cycles.value(), config.niu_to_router_cycles.value()),
          .portless_more = config.assign_cycles + config.request_cycles - 1};
}

void GatewayTorus::inject(unsigned node, Packet& packet, Cycle when) {
  if (node == tile_) make_plain(packet);
  FastTorus::inject(node, packet, when);
}

void GatewayTorus::find_legs(const NocExtension& header, std::vector<RouteLeg>& legs) const {
  const auto leg = [](unsigned node, Port port) {
    return RouteLeg{.link = static_cast<std::uint16_t>(link_index(node, port))};
  };
  legs = {leg(header.source.index(), Port::kInjection), leg(end_of(header), Port::kNiu)};
}

unsigned GatewayTorus::end_of(const NocExtension& header) const {
  return header.target.index() == tile_ ? tile_ : gateway_;
}

void GatewayTorus::refuse(const NocExtension& header, const std::string& what) const {
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, name(),
                          what + " cannot leave a tile that is alone: " + describe(header));
}

void GatewayTorus::make_plain(Packet& packet) const {
  NocExtension& header = packet.header();
  if (header.broadcast) refuse(header, "a multicast");
  if (end_of(header) == tile_) return;
  if (is_response(header.kind)) {
    if (header.target.index() != gateway_) refuse(header, "a response to a third node");
    return;
  }
  if (header.kind == PacketKind::kAtomic) refuse(header, "an atomic");
  const bool answered = header.kind == PacketKind::kReadRequest || !header.posted;
  if (answered && !(header.reply == header.source)) {
    refuse(header, "a request whose response goes to a third node");
  }
  if (header.kind != PacketKind::kInlineWrite) return;
  // The word repeats in a line of 16 bytes; bits 15:0 enable bytes, and bits 31:16 once more.
  const bool is_register = is_mmio(grid_.type(grid_.to_noc(noc_, header.target)), header.address);
  const std::uint32_t enables = is_register ? 0xFU << (header.address & 12) : header.at_len_be;
  const auto first = static_cast<unsigned>(std::countr_zero(enables));
  const auto bytes = static_cast<unsigned>(std::popcount(enables));
  if (first + bytes > 16 || enables >> first != (1U << bytes) - 1)
    refuse(header, "an inline write of several ranges");
  for (unsigned i = 0; i < bytes; ++i)
    packet.data()[i] = static_cast<std::uint8_t>(header.at_data >> 8 * ((first + i) % 4));
  header.kind = PacketKind::kWrite;
  header.byte_enabled = false;
  header.address = (header.address & ~std::uint64_t{15}) + first;
  header.bytes = bytes;
}

}  // namespace tvp::noc
