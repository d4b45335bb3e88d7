#pragma once

#include "sw/runtime/devices/chip_layout.h"

namespace tvp::runtime {

/// Throws Fault(kDescription), with the place in the chip's description, if the firmware and its
/// tables do not fit into the memories of such a chip.
void check_firmware_fits(const ChipLayout& layout);

}  // namespace tvp::runtime
