#pragma once
// One core reads a tile and multicasts it to its row or column. A handshake precedes each tile: the
// receivers signal that they have room, then the sender writes tile and flag to all of them.

#include "api/dataflow/dataflow_api.h"

/// Runtime arguments 0 to 10 of both operands' kernels.
struct Sharing {
  uint32_t is_sender = get_arg_val<uint32_t>(0);
  uint32_t sender_x = get_arg_val<uint32_t>(1);
  uint32_t sender_y = get_arg_val<uint32_t>(2);
  uint32_t first_x = get_arg_val<uint32_t>(3);  // the receivers, in the order of the NoC
  uint32_t first_y = get_arg_val<uint32_t>(4);
  uint32_t last_x = get_arg_val<uint32_t>(5);
  uint32_t last_y = get_arg_val<uint32_t>(6);
  uint32_t receivers = get_arg_val<uint32_t>(7);
  uint32_t ready = get_semaphore(get_arg_val<uint32_t>(8));
  uint32_t valid = get_semaphore(get_arg_val<uint32_t>(9));
  uint32_t address = get_arg_val<uint32_t>(10);  // address of the operand in DRAM
};

/// Brings the next tile into circular buffer `cb` of all who share it. Its place is the same on all
/// of them, because they all have had as many tiles.
template <typename Accessor>
void get_tile(const Sharing& sharing, const Accessor& operand, uint32_t tile, uint32_t cb) {
  auto* ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sharing.ready);
  auto* valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sharing.valid);
  cb_reserve_back(cb, 1);
  const uint32_t to = get_write_ptr(cb);
  if (sharing.is_sender != 0) {
    noc_async_read_page(tile, operand, to);
    noc_async_read_barrier();
    noc_semaphore_wait(ready, sharing.receivers);
    noc_semaphore_set(ready, 0);
    noc_async_write_multicast(to,
                              get_noc_multicast_addr(sharing.first_x, sharing.first_y,
                                                     sharing.last_x, sharing.last_y, to),
                              get_tile_size(cb), sharing.receivers);
    // On the same way as the tile, so behind it.
    noc_semaphore_set(valid, 1);
    noc_semaphore_set_multicast(
        sharing.valid,
        get_noc_multicast_addr(sharing.first_x, sharing.first_y, sharing.last_x, sharing.last_y,
                               sharing.valid),
        sharing.receivers);
    noc_async_write_barrier();
  } else {
    noc_semaphore_set(valid, 0);
    noc_semaphore_inc(get_noc_addr(sharing.sender_x, sharing.sender_y, sharing.ready), 1);
    noc_semaphore_wait(valid, 1);
  }
  cb_push_back(cb, 1);
}
