#pragma once
// Sockets: a sender core writes pages into a FIFO in the L1 of one or several receiver cores, on
// this chip or another. What each side keeps in its L1 from program to program; the host fills it
// in. In the global namespace, where kernels know these names (tt-metal hostdev/socket.h).

#include <stdint.h>

/// A receiver of a sender: its chip, which is hops away on lines, and core. Kernels of 2025 name
/// the words, those of 2026 say that the receiver is a device.
struct d2d_sender_socket_md {
  uint32_t downstream_mesh_id;
  uint32_t downstream_chip_id;
  uint32_t downstream_noc_y;
  uint32_t downstream_noc_x;
};
union sender_downstream_encoding {
  d2d_sender_socket_md d2d = {};
  struct {
    uint32_t downstream_mesh_id;
    uint32_t downstream_chip_id;
    uint32_t downstream_noc_y;
    uint32_t downstream_noc_x;
  };
};

/// Behind it lie, 16 bytes each, the bytes that each receiver has acknowledged, then a
/// sender_downstream_encoding for each receiver. Counts of bytes run on modulo 2^32; bytes left out
/// at the end of a FIFO count.
struct sender_socket_md {
  uint32_t num_downstreams = 0;
  uint32_t write_ptr = 0;  ///< in the receivers' L1: all FIFOs have one address
  uint32_t bytes_sent = 0;
  uint32_t downstream_bytes_sent_addr = 0;
  uint32_t downstream_fifo_addr = 0;
  uint32_t downstream_fifo_total_size = 0;
  uint32_t is_sender = 0;
};

struct receiver_socket_md {
  uint32_t bytes_sent = 0;  ///< the sender writes it
  uint32_t bytes_acked = 0;
  uint32_t read_ptr = 0;
  uint32_t fifo_addr = 0;
  uint32_t fifo_total_size = 0;
  uint32_t upstream_mesh_id = 0;
  uint32_t upstream_chip_id = 0;
  uint32_t upstream_noc_y = 0;
  uint32_t upstream_noc_x = 0;
  uint32_t upstream_bytes_acked_addr = 0;
  uint32_t is_sender = 0;
};
