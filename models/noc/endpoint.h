#pragma once

#include <cstdint>
#include <string>

#include "models/regs/noc.h"

namespace tvp::noc {

inline constexpr unsigned kColumns = regs::noc::kColumns;
inline constexpr unsigned kRows = regs::noc::kRows;
inline constexpr unsigned kNodes = kColumns * kRows;

/// What is attached to a NIU; the values are those of NOC_ENDPOINT_ID (ISA NoC/MemoryMap.md).
enum class EndpointType : std::uint8_t {
  kTensix = 0,
  kEthernet = 2,
  kPcieOrEmpty = 3,
  kArc = 5,
  kDram = 8,
};

/// Tensix and ethernet tiles have L1 below 0xFF00_0000 and MMIO above; the others neither.
inline bool has_l1(EndpointType type) {
  return type == EndpointType::kTensix || type == EndpointType::kEthernet;
}

inline bool is_mmio(EndpointType type, std::uint64_t address) {
  return has_l1(type) && address >= regs::noc::kFirstMmioAddress;
}

/// A position in the coordinate system of one NoC, in which data always flows towards larger
/// numbers (ISA NoC/Coordinates.md).
struct Node {
  std::uint8_t x = 0;
  std::uint8_t y = 0;
  bool operator==(const Node&) const = default;
  unsigned index() const { return y * kColumns + x; }
};

/// The same tile seen from the other NoC: NoC 1 numbers from the opposite corner. Its own inverse.
inline Node mirrored(Node n) {
  return {static_cast<std::uint8_t>(kColumns - 1 - n.x),
          static_cast<std::uint8_t>(kRows - 1 - n.y)};
}
/// NoC 0 coordinates to those of `noc`, and back.
inline Node to_noc(unsigned noc, Node noc0) { return noc == 0 ? noc0 : mirrored(noc0); }

/// What Wormhole has at a place, in NoC 0 coordinates (ISA WormholeB0/README.md).
EndpointType wormhole_endpoint(Node noc0);
/// True for tiles that have a NIU and nothing behind it.
bool wormhole_router_only(Node noc0);

/// Where a NIU is. `x`, `y` are NoC 0 coordinates on both NoCs.
struct Place {
  unsigned noc = 0;
  unsigned x = 0;
  unsigned y = 0;
  EndpointType type = EndpointType::kTensix;
  unsigned index = 0;  ///< tile index of NOC_ENDPOINT_ID
  unsigned group = 0;  ///< group index of NOC_ENDPOINT_ID (DRAM)
  unsigned tile = 0;   ///< what Calendar::add_tile answered for the tile
  std::string where;   ///< "chip0.tensix(1,2).niu0", for faults and reports
  Node noc0() const { return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)}; }
  /// Own coordinates on the own NoC.
  Node node() const { return to_noc(noc, noc0()); }
};

}  // namespace tvp::noc
