#pragma once
// Zones of a kernel on the time line (kernel_api 7.3): DeviceZoneScopedN("name") marks entry and
// exit of a scope with the wall clock. With PROFILE_KERNEL only; a marker costs two register reads
// and two stores to L1.

#include <stdint.h>

#include "debug/waypoint.h"
#include "foundation/contract/mailboxes.h"
#include "foundation/contract/profiler.h"
#include "risc_common.h"

namespace kernel_profiler {

#if defined(PROFILE_KERNEL)

// Markers written since the launch. In local memory, because a counter in L1 would cost each zone a
// load and a store.
inline uint32_t next_marker = 0;

FORCE_INLINE void put_words(uint32_t word0, uint32_t word1) {
  volatile tvp::contract::ProfilerBuffer& buffer = mailboxes()->profiler[tvp::debug::kSlot];
  const uint32_t index = next_marker;
  if (index >= tvp::contract::kProfilerMarkers) return;
  buffer.markers[index][0] = word0;
  buffer.markers[index][1] = word1;
  next_marker = index + 1;
}
// The clock's high word is read and stored before its low one, as in tt-metal's markers. A zone
// begins when its first word is in L1. Its end waits for the first word of the end marker.
template <uint32_t kTimerId>
FORCE_INLINE void mark() {
  volatile tvp::contract::ProfilerBuffer& buffer = mailboxes()->profiler[tvp::debug::kSlot];
  const uint32_t index = next_marker;
  if (index >= tvp::contract::kProfilerMarkers) return;
  buffer.markers[index][0] = tvp::contract::kProfilerMarkerValid | (kTimerId & 0x7FFFF) << 12 |
                             (reg32(RISCV_DEBUG_REG_WALL_CLOCK_H_NOW) & 0xFFF);
  buffer.markers[index][1] = reg32(RISCV_DEBUG_REG_WALL_CLOCK_L);
  next_marker = index + 1;
}

template <uint32_t kHash>
struct Zone {
  FORCE_INLINE Zone() { mark<kHash | tvp::contract::kProfilerZoneStart << 16>(); }
  FORCE_INLINE ~Zone() { mark<kHash | tvp::contract::kProfilerZoneEnd << 16>(); }
};

template <uint32_t kHash>
FORCE_INLINE void timestamped_data(uint64_t data) {
  mark<kHash | tvp::contract::kProfilerTsData << 16>();
  put_words(static_cast<uint32_t>(data >> 32), static_cast<uint32_t>(data));
}

#endif

}  // namespace kernel_profiler

#if defined(PROFILE_KERNEL)
#define TVP_STRING_(x) #x
#define TVP_STRING(x) TVP_STRING_(x)
#define TVP_JOIN_(a, b) a##b
#define TVP_JOIN(a, b) TVP_JOIN_(a, b)
#define TVP_ZONE_TEXT(name) name "," __FILE__ "," TVP_STRING(__LINE__)
// The name goes to a section that is not loaded.
#define TVP_ZONE_NAME(name) \
  asm volatile(             \
      ".pushsection .tvp_zones,\"\",@progbits\n.asciz \"" TVP_ZONE_TEXT(name) "\"\n.popsection")
#define DeviceZoneScopedN(name)                                                                \
  TVP_ZONE_NAME(name);                                                                         \
  ::kernel_profiler::Zone<::tvp::contract::zone_hash(TVP_ZONE_TEXT(name))> TVP_JOIN(tvp_zone_, \
                                                                                    __LINE__)
#define DeviceTimestampedData(name, data)                                                       \
  do {                                                                                          \
    TVP_ZONE_NAME(name);                                                                        \
    ::kernel_profiler::timestamped_data<::tvp::contract::zone_hash(TVP_ZONE_TEXT(name))>(data); \
  } while (false)
#define DeviceRecordEvent(id) DeviceTimestampedData("EVENT", id)
#else
// Expands to nothing, because kernels omit the semicolon.
#define DeviceRecordEvent(id)
#define DeviceZoneScopedN(name)
#define DeviceTimestampedData(name, data)
#endif
#define DeviceZoneScopedMainN(name) DeviceZoneScopedN(name)
#define DeviceZoneScopedMainChildN(name) DeviceZoneScopedN(name)
