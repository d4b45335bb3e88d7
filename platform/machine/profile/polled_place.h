#pragma once

#include <cstdint>

#include "platform/machine/profile/spent.h"

namespace tvp::platform {

/// Returns what a core waits for that polls this address, or is blocked in an access of it.
Spent spent_at(std::uint32_t address, bool is_pim);

}  // namespace tvp::platform
