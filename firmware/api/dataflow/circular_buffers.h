#pragma once
// Circular buffers of the tile from a data-movement core (kernel_api 1.2). All cores share the
// occupancy in two stream registers of 16 effective bits. Each core has its own pointers.

#include <stdint.h>

#include "chlkc_descriptors.h"
#include "debug/assert.h"
#include "debug/waypoint.h"
#include "internal/circular_buffer_interface.h"
#include "internal/stream_registers.h"
#include "risc_common.h"

FORCE_INLINE constexpr uint32_t get_tile_size(const uint32_t operand) {
  return unpack_tile_size[operand];
}
FORCE_INLINE constexpr uint32_t get_tile_hw(const uint32_t operand) {
  return unpack_tile_r_dim[operand] * unpack_tile_c_dim[operand];
}
FORCE_INLINE constexpr uint32_t get_tile_num_faces(const uint32_t operand) {
  return unpack_tile_num_faces[operand];
}
FORCE_INLINE constexpr DataFormat get_dataformat(const uint32_t operand) {
  return static_cast<DataFormat>(unpack_src_format[operand]);
}

FORCE_INLINE uint32_t get_write_ptr(uint32_t operand) {
  return get_local_cb_interface(operand).fifo_wr_ptr << cb_addr_shift;
}
FORCE_INLINE uint32_t get_read_ptr(uint32_t operand) {
  return get_local_cb_interface(operand).fifo_rd_ptr << cb_addr_shift;
}

namespace tvp::cb {
// Pages pushed but not popped.
FORCE_INLINE uint16_t occupied(uint32_t operand) {
  const uint32_t acked = *get_cb_tiles_acked_ptr(operand);
  const uint32_t received = *get_cb_tiles_received_ptr(operand);
  return static_cast<uint16_t>(received - acked);
}
}  // namespace tvp::cb

FORCE_INLINE bool cb_pages_reservable_at_back(int32_t operand, int32_t num_pages) {
  const int32_t free_pages = static_cast<int32_t>(get_local_cb_interface(operand).fifo_num_pages) -
                             tvp::cb::occupied(operand);
  return num_pages <= free_pages;
}
FORCE_INLINE bool cb_pages_available_at_front(int32_t operand, int32_t num_pages) {
  return static_cast<uint16_t>(num_pages) <= tvp::cb::occupied(operand);
}

// Blocks until `num_pages` pages in total are free, not in addition to earlier calls.
FORCE_INLINE void cb_reserve_back(int32_t operand, int32_t num_pages) {
  WAYPOINT("CRBW");
  while (!cb_pages_reservable_at_back(operand, num_pages)) {
  }
  WAYPOINT("CRBD");
}
// Blocks until `num_pages` pages in total have arrived.
FORCE_INLINE void cb_wait_front(int32_t operand, int32_t num_pages) {
  WAYPOINT("CWFW");
  while (!cb_pages_available_at_front(operand, num_pages)) {
  }
  WAYPOINT("CWFD");
}

FORCE_INLINE void cb_push_back(const int32_t operand, const int32_t num_pages) {
  LocalCBInterface& cb = get_local_cb_interface(operand);
  volatile uint32_t* received = get_cb_tiles_received_ptr(operand);
  *received = *received + static_cast<uint32_t>(num_pages);
  cb.fifo_wr_ptr += static_cast<uint32_t>(num_pages) * cb.fifo_page_size;
  // Pushes are contiguous: a push that crosses the end has already written outside the buffer.
  TVP_CHECK(cb.fifo_wr_ptr <= cb.fifo_limit);
  if (cb.fifo_wr_ptr == cb.fifo_limit) cb.fifo_wr_ptr -= cb.fifo_size;
}
// Some kernels pop more pages at their end than they received, which has no effect. Others pop
// pages over a tensor in place that no core pushed.
FORCE_INLINE void cb_pop_front(int32_t operand, int32_t num_pages) {
  TVP_CHECK_OF(
      static_cast<uint32_t>(operand), PoppedBeyond,
      cb_pages_available_at_front(operand, num_pages) || *get_cb_tiles_received_ptr(operand) == 0);
  LocalCBInterface& cb = get_local_cb_interface(operand);
  volatile uint32_t* acked = get_cb_tiles_acked_ptr(operand);
  *acked = *acked + static_cast<uint32_t>(num_pages);
  cb.fifo_rd_ptr += static_cast<uint32_t>(num_pages) * cb.fifo_page_size;
  ASSERT(cb.fifo_rd_ptr <= cb.fifo_limit);
  if (cb.fifo_rd_ptr == cb.fifo_limit) cb.fifo_rd_ptr -= cb.fifo_size;
}
