#pragma once
// Sockets: a sender core writes pages into a FIFO in the L1 of receiver cores on this chip or
// another. One side may be the host, whose memory the core reaches through the PCIe tile. The host
// fills in the data that each side keeps in its L1 between programs.
//
// The structures are in the global namespace, in the order that kernels expect (tt-metal
// hostdev/socket.h of 2026). A count has the same offset within 16 bytes as the host's counter, so
// that a NoC write can copy it.

#include <stdint.h>

/// A receiver as its sender sees it: chip, hops to that chip on a line, and core. Kernels of 2025
/// use these names; kernels of 2026 call the receiver a device.
struct d2d_sender_socket_md {
  uint32_t downstream_mesh_id;
  uint32_t downstream_chip_id;
  uint32_t downstream_noc_y;
  uint32_t downstream_noc_x;
};
/// The host as the receiver: upper words of addresses in its memory, and the PCIe tile in the
/// format of a NIU's address registers. The address bits that lead to the host are included.
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

/// The bytes that each receiver has acknowledged follow, 16 bytes each, then a
/// sender_downstream_encoding for each receiver. Byte counts wrap modulo 2^32 and include bytes
/// that are skipped at the end of a FIFO.
struct sender_socket_md {
  uint32_t bytes_sent = 0;
  uint32_t num_downstreams = 0;
  uint32_t write_ptr = 0;  ///< from the beginning of the FIFOs, which all have the same address
  uint32_t downstream_bytes_sent_addr = 0;
  uint32_t downstream_fifo_addr = 0;
  uint32_t downstream_fifo_total_size = 0;
  uint32_t is_d2h = 0;
};

/// The sender as its receiver sees it.
struct d2d_recv_socket_md {
  uint32_t upstream_mesh_id;
  uint32_t upstream_chip_id;
  uint32_t upstream_noc_y;
  uint32_t upstream_noc_x;
  uint32_t upstream_bytes_acked_addr;
};
/// The host as the sender: the address of its acknowledgement counter, and of the pages if the
/// receiver fetches them.
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
