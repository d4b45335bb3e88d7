#pragma once

// Circular buffers from compute kernels (kernel_api 1.2, 2): consumed on UNPACK, produced on PACK.
// Both read the shared counters. Each count moves after the unit has moved the data.

#include "api/compute/threads/thread_state.h"
#include "debug/waypoint.h"
#include "internal/mailboxes.h"
#include "internal/stream_registers.h"

namespace ckernel {

#if COMPILE_FOR_TRISC != 1
ALWI uint32_t cb_received_register(uint32_t cb) {
  return STREAM_REG_ADDR(cb, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX);
}
ALWI uint32_t cb_acked_register(uint32_t cb) {
  return STREAM_REG_ADDR(cb, STREAM_REMOTE_DEST_BUF_START_REG_INDEX);
}
#endif

/// Blocks until `tiles` tiles are there, in all.
ALWI void cb_wait_front(uint32_t cb, uint32_t tiles) {
#if COMPILE_FOR_TRISC == 0
  const uint16_t acked = get_local_cb_interface(cb).tiles_acked;
  WAYPOINT("CWFW");
  while (static_cast<uint16_t>(llk::load(cb_received_register(cb)) - acked) < tiles) {
  }
  WAYPOINT("CWFD");
#endif
}

ALWI void cb_pop_front(uint32_t cb, uint32_t tiles) {
#if COMPILE_FOR_TRISC == 0
  LocalCBInterface& local = get_local_cb_interface(cb);
  // A kernel may pop pages of a buffer over a tensor in place, which no core pushes.
  TVP_CHECK_OF(
      cb, PoppedBeyond,
      llk::load(cb_received_register(cb)) == 0 ||
          static_cast<uint16_t>(llk::load(cb_received_register(cb)) - local.tiles_acked) >= tiles);
  local.tiles_acked = static_cast<uint16_t>(local.tiles_acked + tiles);
  llk::stall_scalar_until_unpacked();
  llk::store_register(cb_acked_register(cb), local.tiles_acked);
  local.fifo_rd_ptr += tiles * local.fifo_page_size;
  if (local.fifo_rd_ptr >= local.fifo_limit) local.fifo_rd_ptr -= local.fifo_size;
#endif
}

/// Blocks until there is room for `tiles` tiles, in all.
ALWI void cb_reserve_back(uint32_t cb, uint32_t tiles) {
#if COMPILE_FOR_TRISC == 2
  const LocalCBInterface& local = get_local_cb_interface(cb);
  const uint32_t received = local.tiles_received;
  // Negative if the buffer is smaller, which blocks forever.
  const auto capacity = static_cast<int32_t>(local.fifo_num_pages - tiles);
  WAYPOINT("CRBW");
  while (static_cast<int32_t>(static_cast<uint16_t>(received - llk::load(cb_acked_register(cb)))) >
         capacity) {
  }
  WAYPOINT("CRBD");
#endif
}

ALWI void cb_push_back(uint32_t cb, uint32_t tiles) {
#if COMPILE_FOR_TRISC == 2
  LocalCBInterface& local = get_local_cb_interface(cb);
  local.tiles_received = static_cast<uint16_t>(local.tiles_received + tiles);
  llk::stall_scalar_until_packed();
  llk::store_register(cb_received_register(cb), local.tiles_received);
  local.fifo_wr_ptr += tiles * local.fifo_page_size;
  if (local.fifo_wr_ptr >= local.fifo_limit) local.fifo_wr_ptr -= local.fifo_size;
  local.fifo_wr_tile_ptr = 0;
#endif
}

#if COMPILE_FOR_TRISC == 0
/// In units of 16 bytes.
ALWI uint32_t unchecked_tile_address(uint32_t cb, uint32_t tile) {
  const LocalCBInterface& local = get_local_cb_interface(cb);
  return local.fifo_rd_ptr + tile * local.fifo_page_size;
}
/// Address of a tile in the buffer.
ALWI uint32_t tile_address(uint32_t cb, uint32_t tile) {
  [[maybe_unused]] const LocalCBInterface& local = get_local_cb_interface(cb);
  const uint32_t address = unchecked_tile_address(cb, tile);
  // Kernels that set the pointer themselves may read anywhere.
  TVP_CHECK_OF(cb, TileBeyond,
               address < local.fifo_limit || local.fifo_rd_ptr >= local.fifo_limit ||
                   local.fifo_rd_ptr < local.fifo_limit - local.fifo_size);
  return address;
}
#endif

/// Shares a value of UNPACK with all three cores. Each core calls; UNPACK sends to the others.
ALWI uint32_t share_from_unpack(uint32_t value) {
#if COMPILE_FOR_TRISC == 0
  mailbox_write(MathThreadId, value);
  mailbox_write(PackThreadId, value);
  return value;
#else
  return mailbox_read(UnpackThreadId);
#endif
}
/// Address in bytes of a tile that the kernel has waited for.
ALWI uint32_t get_tile_address(uint32_t cb, uint32_t tile) {
#if COMPILE_FOR_TRISC == 0
  return share_from_unpack(tile_address(cb, tile) << cb_addr_shift);
#else
  return share_from_unpack(0);
#endif
}
/// The form of releases of 2025. `*pointer` becomes the address of the 16 bytes before the tile,
/// where earlier releases had a header. UNPACK continues after cb_release_tile when all three cores
/// have called it.
ALWI void cb_get_tile(uint32_t cb, uint32_t tile, volatile void* pointer) {
  *static_cast<volatile uint32_t*>(pointer) = get_tile_address(cb, tile) - 16;
}
ALWI void cb_release_tile(uint32_t) {
#if COMPILE_FOR_TRISC == 0
  mailbox_read(MathThreadId);
  mailbox_read(PackThreadId);
#else
  mailbox_write(UnpackThreadId, 0);
#endif
}
/// A word of a tile that the kernel has waited for.
ALWI uint32_t read_tile_value(uint32_t cb, uint32_t tile, uint32_t word) {
#if COMPILE_FOR_TRISC == 0
  return share_from_unpack(llk::load((tile_address(cb, tile) << cb_addr_shift) + 4 * word));
#else
  return share_from_unpack(0);
#endif
}

}  // namespace ckernel
