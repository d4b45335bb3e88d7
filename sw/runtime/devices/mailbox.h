#pragma once

#include <cstddef>
#include <cstdint>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/devices/device.h"

namespace tvp::runtime {

/// Where a core's tile has that part of its mailboxes.
inline std::uint64_t mailbox(const CoreId& core, std::size_t offset) {
  return contract::mailbox_base(core.ethernet) + offset;
}

}  // namespace tvp::runtime
