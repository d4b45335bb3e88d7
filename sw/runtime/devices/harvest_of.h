#pragma once

#include <cstdint>

#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// Harvested rows of a chip of a library that does not tell: the description's, if the chip
/// translates rows in that order (ISA NoC/Coordinates.md), or none. Throws Fault(kDescription) when
/// it translates them otherwise.
std::uint32_t harvest_of(DeviceLibrary& library, unsigned pci_device, const ChipLayout::Spec& kind,
                         std::uint32_t described);

}  // namespace tvp::runtime
