#pragma once
// ASSERT: with WATCHER_ENABLED a false condition leaves its line in the mailbox and stops the core
// (kernel_api 7.2); the host reports it. TVP_CHECK is the same and always there.

#include <stdint.h>

#include "debug/waypoint.h"

namespace tvp::debug {

inline void trip_assert(uint32_t line) {
  volatile contract::AssertStatus& status = mailboxes()->watcher.assert_status;
  if (status.tripped != contract::kAssertTripped) {
    status.line = static_cast<uint16_t>(line);
    status.which = static_cast<uint8_t>(kSlot);
    status.tripped = contract::kAssertTripped;
  }
  // A poll, so that the core sleeps while the host finds out. It goes on if the host takes it back.
  while (status.tripped == contract::kAssertTripped) {
  }
}

}  // namespace tvp::debug

#define TVP_CHECK(condition)                               \
  do {                                                     \
    if (!(condition)) ::tvp::debug::trip_assert(__LINE__); \
  } while (false)

#if defined(WATCHER_ENABLED)
#define ASSERT(condition, ...) TVP_CHECK(condition)
#else
#define ASSERT(condition, ...) ((void)0)
#endif
