#pragma once

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// A packer forms an L1 address from 17 bits in units of 16 bytes (ISA Packers/
/// OutputAddressGenerator.md). Higher addresses would wrap around.
inline constexpr std::uint32_t kMostTensixL1Bytes = (1U << 17) * 16;

/// Throws Fault(kDescription), with the place of the key, for an impossible chip.
void check_chip(const ChipSpec& spec);

/// "[3, 4]".
std::string text_of(ChipNode node);

}  // namespace tvp::foundation
