#pragma once

#include <cstdint>

namespace tvp::tensix {

/// All units with a path to L1, with the port that each uses (ISA TensixTile/L1.md and
/// Diagrams/Src/L1.lua).
enum class L1Client : std::uint8_t {
  kUnpacker0,  ///< port 0; extra lanes 9, 10, 11
  kUnpacker1,  ///< port 1; extra lanes 9, 10, 11
  kPacker0,    ///< port 8
  kPacker1,    ///< port 1
  kPacker2,    ///< port 2
  kPacker3,    ///< port 3
  kRiscB,
  kRiscNc,
  kRiscT0,  ///< port 2
  kRiscT1,
  kRiscT2,      ///< port 3
  kThcon,       ///< port 2
  kMoverRead,   ///< port 2
  kMoverWrite,  ///< port 3
  kExponents,   ///< port 2: exponent sections of block formats
  kNoc0Write,   ///< ports 4, 5
  kNoc0Read,    ///< ports 6, 7
  kNoc1Write,   ///< ports 12, 13
  kNoc1Read,    ///< ports 14, 15
  kCount,
};

}  // namespace tvp::tensix
