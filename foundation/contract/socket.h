#pragma once
// Sockets: a sender core writes pages into a FIFO in the L1 of one or several receiver cores, on
// this chip or another. One side may be the host, whose memory is reached through the PCIe tile.
// The host fills in the data that each side keeps in its L1 from program to program. The structures
// are in the global namespace and in the order that kernels know (tt-metal hostdev/socket.h of
// 2026): counts lie where a write to the host's counter, which has the same place in 16 bytes, may
// begin.

#include <stdint.h>

/// A receiver of a sender: its chip, which is hops away on lines, and core. Kernels of 2025 name
/// the words, those of 2026 say that the receiver is a device.
struct d2d_sender_socket_md {
  uint32_t downstream_mesh_id;
  uint32_t downstream_chip_id;
  uint32_t downstream_noc_y;
  uint32_t downstream_noc_x;
};
/// The host as the receiver: upper words of addresses in its memory, and the PCIe tile as the
/// registers of a NIU take a node, with the bits of the address that lead to the host.
struct d2h_sender_socket_md {
  uint32_t bytes_sent_addr_hi;
  uint32_t data_addr_hi;
  uint32_t pcie_xy_enc;
};
union sender_downstream_encoding {
  d2d_sender_socket_md d2d = {};
  d2h_sender_socket_md d2h;
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
  uint32_t bytes_sent = 0;
  uint32_t num_downstreams = 0;
  uint32_t write_ptr = 0;  ///< from the beginning of the FIFOs, which all have one address
  uint32_t downstream_bytes_sent_addr = 0;
  uint32_t downstream_fifo_addr = 0;
  uint32_t downstream_fifo_total_size = 0;
  uint32_t is_d2h = 0;
};

/// The sender of a receiver.
struct d2d_recv_socket_md {
  uint32_t upstream_mesh_id;
  uint32_t upstream_chip_id;
  uint32_t upstream_noc_y;
  uint32_t upstream_noc_x;
  uint32_t upstream_bytes_acked_addr;
};
/// The host as the sender: where it finds what is acknowledged, and where pages lie that the
/// receiver takes itself.
struct h2d_socket_md {
  uint32_t bytes_acked_addr_lo;
  uint32_t bytes_acked_addr_hi;
  uint32_t data_addr_lo;
  uint32_t data_addr_hi;
  uint32_t pcie_xy_enc;
};

struct receiver_socket_md {
  uint32_t bytes_sent = 0;  ///< the sender writes it
  uint32_t read_ptr = 0;    ///< an address
  uint32_t fifo_addr = 0;
  uint32_t fifo_total_size = 0;
  uint32_t bytes_acked = 0;
  uint32_t is_h2d = 0;
  union {
    d2d_recv_socket_md d2d = {};
    h2d_socket_md h2d;
    struct {
      uint32_t upstream_mesh_id;
      uint32_t upstream_chip_id;
      uint32_t upstream_noc_y;
      uint32_t upstream_noc_x;
      uint32_t upstream_bytes_acked_addr;
    };
  };
};
