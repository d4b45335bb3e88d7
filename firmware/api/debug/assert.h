#pragma once
// ASSERT: with WATCHER_ENABLED a false condition stores its line in the mailbox and stops the core
// (kernel_api 7.2), and the host reports it. TVP_CHECK is the same without WATCHER_ENABLED.

#include <stdint.h>

#include "debug/waypoint.h"

namespace tvp::debug {

inline void trip_assert(uint32_t line, uint8_t kind = contract::kAssertTripped) {
  volatile contract::AssertStatus& status = mailboxes()->watcher.assert_status;
  if (status.tripped < contract::kAssertTripped) {
    status.line = static_cast<uint16_t>(line);
    status.which = static_cast<uint8_t>(kSlot);
    status.tripped = kind;
  }
  // Polls, so that the simulated core sleeps until the host notices. The core continues if the host
  // resets the status.
  while (status.tripped >= contract::kAssertTripped) {
  }
}

}  // namespace tvp::debug

#define TVP_CHECK(condition)                               \
  do {                                                     \
    if (!(condition)) ::tvp::debug::trip_assert(__LINE__); \
  } while (false)

/// Stores the number of the object, such as a circular buffer, instead of a line.
#if defined(WATCHER_ENABLED)
#define TVP_CHECK_OF(number, kind, condition)                                            \
  do {                                                                                   \
    if (!(condition)) ::tvp::debug::trip_assert(number, ::tvp::contract::kAssert##kind); \
  } while (false)
#else
#define TVP_CHECK_OF(number, kind, condition) ((void)0)
#endif

#if defined(WATCHER_ENABLED)
#define ASSERT(condition, ...) TVP_CHECK(condition)
#else
#define ASSERT(condition, ...) ((void)0)
#endif
