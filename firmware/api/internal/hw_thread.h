#pragma once

#include <stdint.h>

namespace internal_ {
/// The core's number in its tile: BRISC, NCRISC, then the three T cores.
inline uint32_t get_hw_thread_idx() { return PROCESSOR_INDEX; }
}  // namespace internal_
