#pragma once

#include <string>

#include "foundation/chip/chip_spec.h"

namespace tvp::foundation {

/// Text of chip_numbers.h: constants of namespace tvp::chip that describe the chip to firmware and
/// kernels.
std::string chip_header(const ChipSpec& spec);

}  // namespace tvp::foundation
