#pragma once
// Prints pages of data in L1, rows of tiles one per line, and the state of a circular buffer.

#include <stdint.h>

#include "debug/dprint_stream.h"
#include "debug/dprint_tile.h"

namespace tvp::debug {
template <typename T, typename Shown>
inline void print_pages(uint32_t l1_addr, uint32_t per_page, uint32_t pages, uint32_t first,
                        Shown shown) {
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
inline void print_u16_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages,
                            uint32_t start = 0) {
  tvp::debug::print_pages<uint16_t>(l1_addr, elts_per_page, npages, start,
                                    [](uint16_t v) { return v; });
}
namespace tt::data_movement::common {
using ::print_bf16_pages;
using ::print_f32_pages;
using ::print_u16_pages;
using ::print_u32_pages;
using ::print_u8_pages;
}  // namespace tt::data_movement::common

#if !defined(COMPILE_FOR_TRISC) || COMPILE_FOR_TRISC != 1
/// Prints in the units of the printing core.
inline void print_cb_details(uint32_t cb_id) {
#if defined(DEBUG_PRINT_ENABLED)
  const LocalCBInterface& cb = get_local_cb_interface(cb_id);
  DPRINT << "cb_id " << cb_id << ": { size: " << cb.fifo_size << ", limit: " << cb.fifo_limit
         << ", page_size: " << cb.fifo_page_size << ", num_pages: " << cb.fifo_num_pages
         << ", rd_ptr: " << cb.fifo_rd_ptr << ", wr_ptr: " << cb.fifo_wr_ptr
         << ", wr_tile_ptr: " << cb.fifo_wr_tile_ptr << " }" << ENDL();
#endif
}
#endif

#if defined(COMPILE_FOR_TRISC)
namespace tvp::debug {
inline void print_rows(uint32_t cb, uint32_t tile, bool untilize, SliceRange range) {
#if defined(DEBUG_PRINT_ENABLED)
  DPRINT << "======" << ENDL();
  for (uint32_t row = range.h0; row < range.h1; ++row) {
    SliceRange one = range;
    one.h0 = static_cast<uint8_t>(row);
    one.h1 = static_cast<uint8_t>(row + 1);
    DPRINT << row << ": " << TileSlice(cb, tile, one, true, untilize);
  }
  DPRINT << "++++++" << ENDL();
#endif
}
}  // namespace tvp::debug

namespace tt::compute::common {
inline void print_tile_rows(uint32_t cb_idx, uint32_t tile_idx, bool untilize = false,
                            uint16_t start_row = 0, uint16_t end_row = 32, uint8_t start_col = 0,
                            uint8_t end_col = 32) {
#if defined(DEBUG_PRINT_ENABLED)
  DPRINT << "cb_idx: " << cb_idx << " tile_idx: " << tile_idx << ENDL();
#endif
  tvp::debug::print_rows(
      cb_idx, tile_idx, untilize,
      {static_cast<uint8_t>(start_row), static_cast<uint8_t>(end_row), 1, start_col, end_col, 1});
}
inline void print_full_tile(uint32_t cb_id, uint32_t tile_id = 0, bool untilize = false) {
  tvp::debug::print_rows(cb_id, tile_id, untilize, {0, 32, 1, 0, 32, 1});
}
}  // namespace tt::compute::common
#endif
