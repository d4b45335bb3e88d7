#pragma once
// Sockets (foundation/contract/socket.h). A kernel creates an interface from the configuration in
// L1, sets the page size, and stores the state with update_socket_config. The sender reserves
// pages, writes them to its write_ptr in every receiver, pushes them and notifies. The receiver
// waits for pages, uses them at its read_ptr, pops them and notifies. The data must leave before
// the notification on the same path, or the sender must wait for its acknowledgement.
//
// On compute cores only the UNPACK thread has the receiver's state.

#include <stdint.h>

#include "debug/waypoint.h"
#include "foundation/contract/socket.h"
#include "internal/circular_buffer_interface.h"
#include "internal/noc_registers.h"
#include "risc_common.h"
#include "socket_fifo.h"

#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/fabric_connection_manager.hpp"
#include "fabric/noc_addr.h"
#include "fabric/tt_fabric_api.h"
#include "internal/noc_states.h"
#endif

// `write_ptr` counts from the beginning of the FIFOs, as in kernels of 2026. Earlier kernels write
// to `write_ptr` itself, so with their tree it is an L1 address of the receivers.
#if defined(TVP_SOCKET_ADDRESSES)
constexpr bool socket_write_ptr_is_address = true;
#else
constexpr bool socket_write_ptr_is_address = false;
#endif

using D2HSocketInterface = d2h_sender_socket_md;
using H2DSocketInterface = h2d_socket_md;
using D2DSocketRecvInterface = d2d_recv_socket_md;
struct D2DSocketSendInterface {
  uint32_t downstream_enc_base_addr;
};
struct SocketSenderInterface {
  uint32_t config_addr;
  uint32_t write_ptr;
  uint32_t bytes_sent;
  uint32_t bytes_acked_base_addr;
  uint32_t page_size;
  uint32_t num_downstreams;
  uint32_t downstream_bytes_sent_addr;
  uint32_t downstream_fifo_addr;
  uint32_t downstream_fifo_total_size;
  uint32_t downstream_fifo_curr_size;
  uint32_t is_d2h;
  // Encodings of the receivers, which kernels of 2026 call devices, or of the host.
  union {
    D2DSocketSendInterface d2d;
    d2h_sender_socket_md d2h;
    uint32_t downstream_enc_base_addr;
  };
  // The first receiver, the only one in kernels of June 2025.
  uint32_t downstream_mesh_id;
  uint32_t downstream_chip_id;
  uint32_t downstream_noc_y;
  uint32_t downstream_noc_x;
};

struct SocketReceiverInterface {
  uint32_t config_addr;
  uint32_t read_ptr;
  uint32_t bytes_acked;
  uint32_t bytes_sent_addr;
  uint32_t page_size;
  uint32_t fifo_addr;
  uint32_t fifo_total_size;
  uint32_t fifo_curr_size;
  uint32_t is_h2d;
  // The sender, which kernels of 2026 call a device, or the host.
  union {
    d2d_recv_socket_md d2d;
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

constexpr uint32_t sender_socket_md_size_bytes = align(sizeof(sender_socket_md), L1_ALIGNMENT);
constexpr uint32_t bytes_acked_size_bytes = align(sizeof(uint32_t), L1_ALIGNMENT);
constexpr uint32_t downstream_encoding_size_bytes =
    align(sizeof(sender_downstream_encoding), L1_ALIGNMENT);

namespace tvp::sockets {

#if defined(TRISC_MATH) || defined(TRISC_PACK)
constexpr bool kReceives = false;
#else
constexpr bool kReceives = true;
#endif

/// Origin of `write_ptr`.
inline uint32_t write_origin(uint32_t fifo_address) {
  return socket_write_ptr_is_address ? fifo_address : 0;
}
inline Fifo fifo_of(const SocketSenderInterface& socket) {
  return {write_origin(socket.downstream_fifo_addr), socket.downstream_fifo_total_size,
          socket.downstream_fifo_curr_size};
}
inline Fifo fifo_of(const SocketReceiverInterface& socket) {
  return {socket.fifo_addr, socket.fifo_total_size, socket.fifo_curr_size};
}
template <typename T>
FORCE_INLINE volatile T* l1(uint32_t address) {
  return reinterpret_cast<volatile T*>(address);
}
/// Bytes that receiver `i` has acknowledged.
FORCE_INLINE volatile uint32_t* acked_by(const SocketSenderInterface& socket, uint32_t i) {
  return l1<uint32_t>(socket.bytes_acked_base_addr + i * bytes_acked_size_bytes);
}
FORCE_INLINE uint32_t unread(const SocketReceiverInterface& socket) {
  return *l1<uint32_t>(socket.bytes_sent_addr) - socket.bytes_acked;
}
inline void wait_for_bytes(const SocketReceiverInterface& socket, uint32_t bytes) {
  WAYPOINT("SKRW");
  while (unread(socket) < bytes) {
  }
  WAYPOINT("SKRD");
}

}  // namespace tvp::sockets

// --- sender

inline SocketSenderInterface create_sender_socket_interface(uint32_t config_addr) {
  const volatile sender_socket_md& config = *tvp::sockets::l1<sender_socket_md>(config_addr);
  const uint32_t acked = config_addr + sender_socket_md_size_bytes;
  const uint32_t receivers = acked + config.num_downstreams * bytes_acked_size_bytes;
  const volatile sender_downstream_encoding& first =
      *tvp::sockets::l1<sender_downstream_encoding>(receivers);
  SocketSenderInterface socket{
      .config_addr = config_addr,
      .write_ptr = tvp::sockets::write_origin(config.downstream_fifo_addr) + config.write_ptr,
      .bytes_sent = config.bytes_sent,
      .bytes_acked_base_addr = acked,
      .page_size = 0,
      .num_downstreams = config.num_downstreams,
      .downstream_bytes_sent_addr = config.downstream_bytes_sent_addr,
      .downstream_fifo_addr = config.downstream_fifo_addr,
      .downstream_fifo_total_size = config.downstream_fifo_total_size,
      .downstream_fifo_curr_size = 0,
      .is_d2h = config.is_d2h,
      .d2d = {receivers},
      .downstream_mesh_id = first.downstream_mesh_id,
      .downstream_chip_id = first.downstream_chip_id,
      .downstream_noc_y = first.downstream_noc_y,
      .downstream_noc_x = first.downstream_noc_x};
  if (socket.is_d2h)
    socket.d2h = {first.d2h.bytes_sent_addr_hi, first.d2h.data_addr_hi, first.d2h.pcie_xy_enc};
  return socket;
}

inline sender_downstream_encoding get_downstream_encoding(const SocketSenderInterface& socket,
                                                          uint32_t downstream_id) {
  if (socket.is_d2h) return {.d2h = socket.d2h};
  const volatile sender_downstream_encoding& at = *tvp::sockets::l1<sender_downstream_encoding>(
      socket.d2d.downstream_enc_base_addr + downstream_id * downstream_encoding_size_bytes);
  return {{at.downstream_mesh_id, at.downstream_chip_id, at.downstream_noc_y, at.downstream_noc_x}};
}

inline void set_sender_socket_page_size(SocketSenderInterface& socket, uint32_t page_size) {
  ASSERT(page_size % L1_ALIGNMENT == 0);
  const uint32_t total = socket.downstream_fifo_total_size;
  socket.bytes_sent +=
      tvp::sockets::set_page(tvp::sockets::fifo_of(socket), page_size, socket.write_ptr);
  socket.page_size = page_size;
  socket.downstream_fifo_curr_size = total - total % page_size;
}

/// Waits until every receiver has room for that many pages.
inline void socket_reserve_pages(const SocketSenderInterface& socket, uint32_t num_pages) {
  const uint32_t bytes = num_pages * socket.page_size;
  WAYPOINT("SKSW");
  for (uint32_t i = 0; i < socket.num_downstreams; ++i) {
    const volatile uint32_t* acked = tvp::sockets::acked_by(socket, i);
    while (socket.downstream_fifo_total_size - (socket.bytes_sent - *acked) < bytes) {
    }
  }
  WAYPOINT("SKSD");
}

inline void socket_push_pages(SocketSenderInterface& socket, uint32_t num_pages) {
  const uint32_t bytes = num_pages * socket.page_size;
  const tvp::sockets::Fifo fifo = tvp::sockets::fifo_of(socket);
  ASSERT(bytes <= fifo.bytes_in_use);
  socket.bytes_sent += tvp::sockets::counted(fifo, socket.write_ptr, bytes);
  socket.write_ptr = tvp::sockets::advanced(fifo, socket.write_ptr, bytes);
}

/// Waits until the receivers have popped all pushed pages.
inline void socket_barrier(const SocketSenderInterface& socket) {
  WAYPOINT("SKBW");
  for (uint32_t i = 0; i < socket.num_downstreams; ++i) {
    const volatile uint32_t* acked = tvp::sockets::acked_by(socket, i);
    while (*acked != socket.bytes_sent) {
    }
  }
  WAYPOINT("SKBD");
}

inline void update_socket_config(const SocketSenderInterface& socket) {
  volatile sender_socket_md& config = *tvp::sockets::l1<sender_socket_md>(socket.config_addr);
  config.bytes_sent = socket.bytes_sent;
  config.write_ptr = socket.write_ptr - tvp::sockets::write_origin(socket.downstream_fifo_addr);
}

// --- receiver

inline SocketReceiverInterface create_receiver_socket_interface(uint32_t config_addr) {
  if constexpr (!tvp::sockets::kReceives) return {};
  const volatile receiver_socket_md& config = *tvp::sockets::l1<receiver_socket_md>(config_addr);
  SocketReceiverInterface socket{
      .config_addr = config_addr,
      .read_ptr = config.read_ptr,
      .bytes_acked = config.bytes_acked,
      .bytes_sent_addr =
          config_addr + static_cast<uint32_t>(offsetof(receiver_socket_md, bytes_sent)),
      .page_size = 0,
      .fifo_addr = config.fifo_addr,
      .fifo_total_size = config.fifo_total_size,
      .fifo_curr_size = 0,
      .is_h2d = config.is_h2d,
      .d2d = {}};
  // Both members of the union have five words.
  for (uint32_t i = 0; i < sizeof socket.d2d / sizeof(uint32_t); ++i)
    reinterpret_cast<uint32_t*>(&socket.d2d)[i] =
        reinterpret_cast<const volatile uint32_t*>(&config.d2d)[i];
  return socket;
}

/// Waits for bytes that the sender skips because of the new size.
inline void set_receiver_socket_page_size(SocketReceiverInterface& socket, uint32_t page_size) {
  if constexpr (!tvp::sockets::kReceives) return;
  const uint32_t skipped =
      tvp::sockets::set_page(tvp::sockets::fifo_of(socket), page_size, socket.read_ptr);
  tvp::sockets::wait_for_bytes(socket, skipped);
  socket.bytes_acked += skipped;
  socket.page_size = page_size;
  socket.fifo_curr_size = socket.fifo_total_size - socket.fifo_total_size % page_size;
}

inline void socket_wait_for_pages(const SocketReceiverInterface& socket, uint32_t num_pages) {
  if constexpr (!tvp::sockets::kReceives) return;
  tvp::sockets::wait_for_bytes(socket,
                               tvp::sockets::counted(tvp::sockets::fifo_of(socket), socket.read_ptr,
                                                     num_pages * socket.page_size));
}

/// Returns true if the pages arrived within this many polls.
inline bool socket_wait_for_pages(const SocketReceiverInterface& socket, uint32_t num_pages,
                                  uint32_t looks) {
  if constexpr (!tvp::sockets::kReceives) return true;
  const uint32_t bytes = tvp::sockets::counted(tvp::sockets::fifo_of(socket), socket.read_ptr,
                                               num_pages * socket.page_size);
  for (uint32_t i = 0; i < looks; ++i) {
    if (tvp::sockets::unread(socket) >= bytes) return true;
  }
  return false;
}

inline void socket_pop_pages(SocketReceiverInterface& socket, uint32_t num_pages) {
  if constexpr (!tvp::sockets::kReceives) return;
  const uint32_t bytes = num_pages * socket.page_size;
  const tvp::sockets::Fifo fifo = tvp::sockets::fifo_of(socket);
  ASSERT(bytes <= fifo.bytes_in_use);
  socket.bytes_acked += tvp::sockets::counted(fifo, socket.read_ptr, bytes);
  socket.read_ptr = tvp::sockets::advanced(fifo, socket.read_ptr, bytes);
}

/// Makes the circular buffer the FIFO, from the next page on.
inline void assign_local_cb_to_socket(const SocketReceiverInterface& socket, uint32_t cb_id) {
  if constexpr (!tvp::sockets::kReceives) return;
  LocalCBInterface& cb = get_local_cb_interface(cb_id);
  cb.fifo_size = socket.fifo_curr_size >> cb_addr_shift;
  cb.fifo_limit = (socket.fifo_addr >> cb_addr_shift) + cb.fifo_size;
  ASSERT(cb.fifo_size % cb.fifo_page_size == 0);
  cb.fifo_num_pages = cb.fifo_size / cb.fifo_page_size;
  cb.fifo_wr_ptr = socket.read_ptr >> cb_addr_shift;
  cb.fifo_rd_ptr = cb.fifo_wr_ptr;
}

inline void update_socket_config(const SocketReceiverInterface& socket) {
  volatile receiver_socket_md& config = *tvp::sockets::l1<receiver_socket_md>(socket.config_addr);
  config.bytes_acked = socket.bytes_acked;
  config.read_ptr = socket.read_ptr;
}

#if !defined(COMPILE_FOR_TRISC)

// --- notifications of the other side, on this chip or by a packet

namespace tvp::sockets {
/// Sends the count at `source` in this core's L1 to the host, after this core's earlier writes on
/// the same initiator.
inline void count_to_host(uint32_t source, uint32_t pcie, uint32_t address_hi, uint32_t address_lo,
                          uint8_t noc) {
  noc_write_init_state<write_cmd_buf>(noc, NOC_UNICAST_WRITE_VC);
  noc_wwrite_with_state<noc_mode, write_cmd_buf, CQ_NOC_SNDL>(
      noc, source, pcie, static_cast<uint64_t>(address_hi) << 32 | address_lo, sizeof(uint32_t));
}
}  // namespace tvp::sockets

inline void socket_notify_receiver(const SocketSenderInterface& socket) {
  if (socket.is_d2h) {
    tvp::sockets::l1<sender_socket_md>(socket.config_addr)->bytes_sent = socket.bytes_sent;
    tvp::sockets::count_to_host(
        socket.config_addr + static_cast<uint32_t>(offsetof(sender_socket_md, bytes_sent)),
        socket.d2h.pcie_xy_enc, socket.d2h.bytes_sent_addr_hi, socket.downstream_bytes_sent_addr,
        noc_index);
    return;
  }
  for (uint32_t i = 0; i < socket.num_downstreams; ++i) {
    const sender_downstream_encoding to = get_downstream_encoding(socket, i);
    noc_inline_dw_write(
        get_noc_addr(to.downstream_noc_x, to.downstream_noc_y, socket.downstream_bytes_sent_addr),
        socket.bytes_sent);
  }
}
inline void socket_notify_sender(const SocketReceiverInterface& socket, uint8_t noc = noc_index) {
  if (socket.is_h2d) {
    tvp::sockets::l1<receiver_socket_md>(socket.config_addr)->bytes_acked = socket.bytes_acked;
    tvp::sockets::count_to_host(
        socket.config_addr + static_cast<uint32_t>(offsetof(receiver_socket_md, bytes_acked)),
        socket.h2d.pcie_xy_enc, socket.h2d.bytes_acked_addr_hi, socket.h2d.bytes_acked_addr_lo,
        noc);
    return;
  }
  noc_inline_dw_write(get_noc_addr(socket.d2d.upstream_noc_x, socket.d2d.upstream_noc_y,
                                   socket.d2d.upstream_bytes_acked_addr, noc),
                      socket.bytes_acked, 0xF, noc);
}

/// Route to the other side of the socket: its chip id is the number of hops.
inline void fabric_set_unicast_route(volatile PACKET_HEADER_TYPE* header,
                                     const sender_downstream_encoding& receiver) {
  header->to_chip_unicast(static_cast<uint8_t>(receiver.downstream_chip_id));
}
inline void fabric_set_unicast_route(volatile PACKET_HEADER_TYPE* header,
                                     const SocketReceiverInterface& socket) {
  header->to_chip_unicast(static_cast<uint8_t>(socket.upstream_chip_id));
}

/// Sets the route to the first receiver.
inline void fabric_set_unicast_route(volatile PACKET_HEADER_TYPE* header,
                                     const SocketSenderInterface& socket) {
  header->to_chip_unicast(static_cast<uint8_t>(socket.downstream_chip_id));
}

namespace tvp::sockets {
inline void send_word(tt::tt_fabric::WorkerToFabricEdmSender& connection,
                      volatile PACKET_HEADER_TYPE* header, uint64_t address, uint32_t value) {
  header->to_noc_unicast_inline_write({address, value});
  connection.wait_for_empty_write_slot();
  connection.send_payload_flush_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                      sizeof(PACKET_HEADER_TYPE));
}
}  // namespace tvp::sockets

inline void fabric_socket_notify_receiver(const SocketSenderInterface& socket,
                                          tt::tt_fabric::WorkerToFabricEdmSender& connection,
                                          volatile PACKET_HEADER_TYPE* header) {
  for (uint32_t i = 0; i < socket.num_downstreams; ++i) {
    const sender_downstream_encoding to = get_downstream_encoding(socket, i);
    fabric_set_unicast_route(header, to);
    tvp::sockets::send_word(
        connection, header,
        safe_get_noc_addr(static_cast<uint8_t>(to.downstream_noc_x),
                          static_cast<uint8_t>(to.downstream_noc_y),
                          socket.downstream_bytes_sent_addr, tt::tt_fabric::edm_to_local_chip_noc),
        socket.bytes_sent);
  }
}
inline void fabric_socket_notify_sender(const SocketReceiverInterface& socket,
                                        tt::tt_fabric::WorkerToFabricEdmSender& connection,
                                        volatile PACKET_HEADER_TYPE* header) {
  ASSERT(socket.is_h2d == 0);
  fabric_set_unicast_route(header, socket);
  tvp::sockets::send_word(
      connection, header,
      safe_get_noc_addr(static_cast<uint8_t>(socket.upstream_noc_x),
                        static_cast<uint8_t>(socket.upstream_noc_y),
                        socket.upstream_bytes_acked_addr, tt::tt_fabric::edm_to_local_chip_noc),
      socket.bytes_acked);
}

/// The variant for a caller that has set the header's route and knows the address of the count.
inline void fabric_socket_notify_sender_stateful(const SocketReceiverInterface& socket,
                                                 tt::tt_fabric::WorkerToFabricEdmSender& connection,
                                                 volatile PACKET_HEADER_TYPE* header,
                                                 uint64_t upstream_bytes_acked_noc_addr) {
  tvp::sockets::send_word(connection, header, upstream_bytes_acked_noc_addr, socket.bytes_acked);
}

#endif
