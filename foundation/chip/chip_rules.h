#pragma once

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// Throws Fault(kDescription), with the place of the key, for a chip that cannot be.
void check_chip(const ChipSpec& spec);

/// "[3, 4]".
std::string text_of(ChipNode node);

}  // namespace tvp::foundation
