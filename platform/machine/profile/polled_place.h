#pragma once

#include <cstdint>

#include "platform/machine/profile/spent.h"

namespace tvp::platform {

/// What a core waits for that polls this address, or that an access of it blocks.
Spent spent_at(std::uint32_t address, bool is_pim);

}  // namespace tvp::platform
