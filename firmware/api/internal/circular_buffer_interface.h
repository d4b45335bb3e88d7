#pragma once
// A core's view of the circular buffers of its tile, in its local memory (kernel_api 1.2). Units
// are bytes on BRISC, NCRISC and ERISC, and 16 bytes on TRISCs.

#include <stdint.h>

#include "foundation/contract/memory_map.h"
#include "internal/risc_attribs.h"

constexpr uint32_t NUM_CIRCULAR_BUFFERS = tvp::contract::kCircularBuffers;
#if defined(COMPILE_FOR_TRISC)
constexpr uint32_t CIRCULAR_BUFFER_COMPUTE_ADDR_SHIFT = 4;
constexpr uint32_t cb_addr_shift = CIRCULAR_BUFFER_COMPUTE_ADDR_SHIFT;
#else
constexpr uint32_t CIRCULAR_BUFFER_COMPUTE_ADDR_SHIFT = 4;
constexpr uint32_t cb_addr_shift = 0;
#endif

// Used as a type, and unnamed in CBInterface.
#define TVP_LOCAL_CB_INTERFACE                                             \
  uint32_t fifo_size;                                                      \
  uint32_t fifo_limit; /* one past the end */                              \
  uint32_t fifo_page_size;                                                 \
  uint32_t fifo_num_pages;                                                 \
  uint32_t fifo_rd_ptr;                                                    \
  uint32_t fifo_wr_ptr;                                                    \
  /* Copies that the compute cores keep of their side of the occupancy. */ \
  union {                                                                  \
    uint32_t tiles_acked_received_init;                                    \
    struct {                                                               \
      uint16_t tiles_acked;                                                \
      uint16_t tiles_received;                                             \
    };                                                                     \
  };                                                                       \
  uint32_t fifo_wr_tile_ptr; /* packer: offset of the next tile of an unfinished push */

struct LocalCBInterface {
  TVP_LOCAL_CB_INTERFACE
};
static_assert(sizeof(LocalCBInterface) == 32);

// Ends of a global circular buffer (kernel_api 1.6): bytes on all cores. Their first five words
// have the same meaning.
struct RemoteSenderCBInterface {
  uint32_t config_ptr;  // its configuration in L1 (foundation/contract/global_circular_buffer.h)
  uint32_t fifo_start_addr;
  uint32_t fifo_limit_page_aligned;  // behind the last whole page
  uint32_t fifo_page_size;
  uint32_t fifo_wr_ptr;
  uint32_t receiver_noc_xy_ptr;
  uint32_t aligned_pages_sent_ptr;
  uint32_t num_receivers;
};
struct RemoteReceiverCBInterface {
  uint32_t config_ptr;
  uint32_t fifo_start_addr;
  uint32_t fifo_limit_page_aligned;
  uint32_t fifo_page_size;
  uint32_t fifo_rd_ptr;
  uint32_t sender_noc_x;
  uint32_t sender_noc_y;
  uint32_t aligned_pages_acked_ptr;
};

struct CBInterface {
  union {
    LocalCBInterface local_cb_interface;
    // Kernels of 2024 have `cb_interface[cb].fifo_rd_ptr`.
    struct {
      TVP_LOCAL_CB_INTERFACE
    };
    RemoteSenderCBInterface remote_sender_cb_interface;
    RemoteReceiverCBInterface remote_receiver_cb_interface;
  };
};
static_assert(sizeof(CBInterface) == 32);
#undef TVP_LOCAL_CB_INTERFACE
extern CBInterface cb_interface[NUM_CIRCULAR_BUFFERS];

FORCE_INLINE LocalCBInterface& get_local_cb_interface(uint32_t cb_id) {
  return cb_interface[cb_id].local_cb_interface;
}
FORCE_INLINE RemoteSenderCBInterface& get_remote_sender_cb_interface(uint32_t cb_id) {
  return cb_interface[cb_id].remote_sender_cb_interface;
}
FORCE_INLINE RemoteReceiverCBInterface& get_remote_receiver_cb_interface(uint32_t cb_id) {
  return cb_interface[cb_id].remote_receiver_cb_interface;
}
