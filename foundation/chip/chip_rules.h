#pragma once

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// Packers form an address in L1 from 17 bits, in units of 16 bytes (ISA Packers/
/// OutputAddressGenerator.md): what lies above they would write at its lower end.
inline constexpr std::uint32_t kMostTensixL1Bytes = (1U << 17) * 16;

/// Throws Fault(kDescription), with the place of the key, for a chip that cannot be.
void check_chip(const ChipSpec& spec);

/// "[3, 4]".
std::string text_of(ChipNode node);

}  // namespace tvp::foundation
