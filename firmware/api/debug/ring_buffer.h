#pragma once
// WATCHER_RING_BUFFER_PUSH(word) keeps the last 32 words for the host (kernel_api 7.2).

#include "internal/firmware_globals.h"

#if defined(WATCHER_ENABLED)
inline void push_to_ring_buffer(uint32_t value) {
  volatile tvp::contract::RingBuffer& ring = mailboxes()->watcher.ring_buffer;
  uint32_t next = static_cast<uint32_t>(ring.current_ptr + 1);
  if (next >= tvp::contract::kRingBufferElements) {
    ring.wrapped = 1;
    next = 0;
  }
  ring.data[next] = value;
  ring.current_ptr = static_cast<int16_t>(next);
}
#define WATCHER_RING_BUFFER_PUSH(x) push_to_ring_buffer(x)
#else
#define WATCHER_RING_BUFFER_PUSH(x) ((void)0)
#endif
