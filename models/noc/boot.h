#pragma once

#include <cstdint>

#include "models/noc/niu.h"

namespace tvp::noc {

/// Leaves a NIU as the ARC firmware of a board does before customer software runs: only Tensix
/// rows and columns take broadcasts, and coordinates 16..27 are translated (ISA
/// NoC/Coordinates.md). `harvested_rows` has bit y set for each fused-off row, in NoC 0
/// coordinates. Raw coordinates work with and without translation.
void boot_niu(Niu& niu, std::uint32_t harvested_rows, bool translate);

}  // namespace tvp::noc
