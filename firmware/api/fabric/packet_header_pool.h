#pragma once
// Space in L1 for the headers that a data-movement kernel sends: half of a fixed region for each of
// the two cores.

#include <stdint.h>

#include <utility>

#include "fabric/fabric_edm_packet_header.hpp"
#include "foundation/contract/memory_map.h"
#include "internal/risc_attribs.h"

class PacketHeaderPool {
 public:
  using Header = volatile PACKET_HEADER_TYPE;

  /// Frees all headers.
  FORCE_INLINE static void reset() {
    used_ = 0;
    routes_ = 0;
  }
  /// Allocates `num_headers` consecutive headers. If there are too few, the core stops.
  FORCE_INLINE static Header* allocate_header(uint8_t num_headers = 1) {
    if (used_ + num_headers > kHeaders) exhausted();
    const uint32_t address = kBase + used_ * kStride;
    used_ += num_headers;
    header_table[routes_++] = {reinterpret_cast<Header*>(address), num_headers};
    return reinterpret_cast<Header*>(address);
  }
  /// Allocates headers and returns their number.
  FORCE_INLINE static uint8_t allocate_header_n(uint8_t num_headers) {
    allocate_header(num_headers);
    return static_cast<uint8_t>(routes_ - 1);
  }
  template <typename Func>
  FORCE_INLINE static void for_each_header(uint8_t route_id, Func&& func) {
    if (route_id >= routes_) exhausted();
    const auto [first, headers] = header_table[route_id];
    for (uint8_t i = 0; i < headers; ++i) func(first + i, i);
  }
  FORCE_INLINE static uint8_t get_num_headers(uint8_t route_id) {
    return route_id < routes_ ? header_table[route_id].second : 0;
  }

 private:
#if defined(COMPILE_FOR_NCRISC)
  static constexpr uint32_t kCore = 1;
#else
  static constexpr uint32_t kCore = 0;
#endif
  static constexpr uint32_t kStride = sizeof(PACKET_HEADER_TYPE);
  static constexpr uint32_t kBytes = tvp::contract::kPacketHeaderPoolSize / 2;
  static constexpr uint32_t kBase = tvp::contract::kPacketHeaderPoolBase + kCore * kBytes;
  static constexpr uint32_t kHeaders = kBytes / kStride;

  // The break is a fault that names the core and the line.
  [[noreturn]] static void exhausted() {
    for (;;) asm volatile("ebreak");
  }

  static inline uint32_t used_ = 0;
  static inline uint32_t routes_ = 0;

 public:
  /// First header and number of headers of each route.
  static inline std::pair<Header*, uint8_t> header_table[kHeaders] = {};
};
