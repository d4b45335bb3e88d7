#pragma once
// The words that a core writes for the watcher: waypoints, a failed assertion and a ring buffer
// (kernel_api 7.2).

#include <stdint.h>

#include "foundation/contract/memory_map.h"

namespace tvp::contract {

struct Waypoint {
  char text[4];
};

constexpr uint8_t kAssertOk = 2;
constexpr uint8_t kAssertTripped = 3;
/// Argument index beyond those that the host has set; `line` is the index.
constexpr uint8_t kAssertArgumentBeyond = 8;
constexpr uint8_t kAssertCommonArgumentBeyond = 9;
/// More pages popped than the buffer holds; `line` is the index of the circular buffer.
constexpr uint8_t kAssertPoppedBeyond = 32;
/// Tile beyond the end of a circular buffer; `line` is the index of the buffer.
constexpr uint8_t kAssertTileBeyond = 33;
/// Semaphore number that no core has; `line` is the number.
constexpr uint8_t kAssertSemaphoreBeyond = 34;
struct AssertStatus {
  uint16_t line;
  uint8_t tripped;
  uint8_t which;
};

constexpr uint32_t kRingBufferElements = 32;
struct RingBuffer {
  int16_t current_ptr;
  uint16_t wrapped;
  uint32_t data[kRingBufferElements];
};

struct Watcher {
  uint32_t enable;
  Waypoint waypoint[kTensixProcessors];
  AssertStatus assert_status;
  RingBuffer ring_buffer;
};

}  // namespace tvp::contract
