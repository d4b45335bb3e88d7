#pragma once
// Pages of data in L1, a line each.

#include <stdint.h>

#include "debug/dprint_stream.h"

namespace tvp::debug {
template <typename T, typename Shown>
inline void print_pages([[maybe_unused]] uint32_t l1_addr, [[maybe_unused]] uint32_t per_page,
                        [[maybe_unused]] uint32_t pages, [[maybe_unused]] uint32_t first,
                        [[maybe_unused]] Shown shown) {
#if defined(DEBUG_PRINT_ENABLED)
  const auto* data = reinterpret_cast<volatile T*>(l1_addr) + first * per_page;
  for (uint32_t page = 0; page < pages; ++page) {
    DPRINT << first + page << ": ";
    for (uint32_t i = 0; i < per_page; ++i, ++data) DPRINT << shown(*data) << " ";
    DPRINT << ENDL();
  }
#endif
}
}  // namespace tvp::debug

inline void print_bf16_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages,
                             uint32_t start = 0) {
  tvp::debug::print_pages<uint16_t>(l1_addr, elts_per_page, npages, start,
                                    [](uint16_t v) { return BF16(v); });
}
inline void print_f32_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages,
                            uint32_t start = 0) {
  tvp::debug::print_pages<uint32_t>(l1_addr, elts_per_page, npages, start,
                                    [](uint32_t v) { return F32(__builtin_bit_cast(float, v)); });
}
inline void print_u32_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages,
                            uint32_t start = 0) {
  tvp::debug::print_pages<uint32_t>(l1_addr, elts_per_page, npages, start,
                                    [](uint32_t v) { return v; });
}
inline void print_u8_pages(uint32_t l1_addr, uint32_t bytes_per_page, uint32_t npages,
                           uint32_t start = 0) {
  tvp::debug::print_pages<uint8_t>(l1_addr, bytes_per_page, npages, start,
                                   [](uint8_t v) { return v; });
}
