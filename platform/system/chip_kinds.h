#pragma once

#include "platform/system/system_description.h"

namespace tvp::platform {

/// Reads what each chip of the system is, with the settings that shape it (`chosen` before its own
/// before the system's), and holds harvest masks to it. Throws Fault(kDescription).
void describe_chips(SystemDescription& system, const SettingOverrides& chosen);

}  // namespace tvp::platform
