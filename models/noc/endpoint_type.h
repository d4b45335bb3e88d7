#pragma once

#include <cstdint>
#include <string>

#include "foundation/chip/chip_spec.h"
#include "foundation/regs/noc.h"

namespace tvp::noc {

inline constexpr unsigned kMostColumns = foundation::ChipSpec::kMostColumns;
inline constexpr unsigned kNodes = kMostColumns * foundation::ChipSpec::kMostRows;

/// The block behind a NIU. The values are those of NOC_ENDPOINT_ID (ISA NoC/MemoryMap.md).
enum class EndpointType : std::uint8_t {
  kTensix = 0,
  kEthernet = 2,
  kPcieOrEmpty = 3,
  kArc = 5,
  kDram = 8,
};

/// Tensix and ethernet tiles have L1 below 0xFF00_0000 and MMIO above. Other tiles have neither.
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
  /// Index of tables with kNodes entries; it is the same in grids of all sizes.
  unsigned index() const { return y * kMostColumns + x; }
  static Node of_index(unsigned index) {
    return {static_cast<std::uint8_t>(index % kMostColumns),
            static_cast<std::uint8_t>(index / kMostColumns)};
  }
};

/// A node outside of every grid.
inline constexpr Node kNowhere{0xFF, 0xFF};

}  // namespace tvp::noc
