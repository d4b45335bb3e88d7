#pragma once

#include <string>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// Text of chip_numbers.h: what firmware and kernels are told of the chip that they run on, as
/// constants of namespace tvp::chip.
std::string chip_header(const ChipSpec& spec);

}  // namespace tvp::foundation
