#pragma once

#include <array>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// Keys of the group `chip` that replace numbers of a chip's description; 0 keeps the number.
inline constexpr std::array<const char*, 5> kShapeKeys = {"columns", "rows", "dram_channels",
                                                          "ethernet_channels", "l1_kib"};

/// Reads what each chip of the system is, with the settings that shape it (`chosen` before its own
/// before the system's), and holds harvest masks to it. Throws Fault(kDescription).
void describe_chips(SystemDescription& system, const SettingOverrides& chosen);

}  // namespace tvp::platform
