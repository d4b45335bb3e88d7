#pragma once

#include <cstdint>

#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// Harvested rows of a chip whose library does not report them. They are the description's if the
/// chip translates rows in that order (ISA NoC/Coordinates.md), or none. Throws Fault(kDescription)
/// for another translation.
std::uint32_t harvest_of(DeviceLibrary& library, unsigned pci_device, const ChipLayout::Spec& kind,
                         std::uint32_t described);

}  // namespace tvp::runtime
