#pragma once
// Packets through a mesh to pages of an address generator or accessor (mesh/api.h). A page larger
// than a packet takes several packets. Arguments of a call, in this order after its route:
//   unicast_write                  [source,] pages, page, offset = 0
//   scatter_write                  [source,] pages, page, page, offset = 0, offset = 0
//   fused_unicast_with_atomic_inc  [source,] pages, page, semaphore, value, offset = 0, flush =
//   true
// A call with a state may repeat the route, which stays as it was. Each packet waits until the
// header of the one before has left. A call that names no mask sets all fields.

#include <stdint.h>

#include <type_traits>

#include "dataflow/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/linear_addrgen.h"
#include "fabric/packet_sending.h"

namespace tvp::fabric {

namespace addrgen = tt::tt_fabric::linear::addrgen_detail;

template <typename T>
concept AddressGenerator = requires(const T& pages) {
  pages.get_noc_addr(uint32_t{}, uint32_t{}, uint8_t{});
};

template <typename Command, typename Command::Mask mask, typename Client>
FORCE_INLINE void send_part(Client* client, PacketHeader* header, uint32_t source, uint32_t bytes,
                            const typename Command::Fields& fields) {
  noc_async_writes_flushed();
  header->noc_send_type = Command::kType;
  Command::template update<mask>(header, fields, static_cast<uint16_t>(bytes));
  send_filled<Command>(client, header, source);
}

/// Writes a page but for its last packet, of which it calls `last(source, bytes, offset)`.
template <typename Client, AddressGenerator Pages, typename Last>
FORCE_INLINE void send_page(Client* client, PacketHeader* header, uint32_t source,
                            const Pages& pages, uint32_t page, uint32_t offset, Last&& last) {
  const uint32_t most = tt::tt_fabric::get_fabric_max_packet_size();
  uint32_t bytes = addrgen::get_page_size(pages);
  for (; bytes > most; bytes -= most) {
    send_part<UnicastWrite, UnicastWrite::Mask::All>(
        client, header, source, most, {addrgen::get_noc_address(pages, page, offset)});
    source += most;
    offset += most;
  }
  last(source, bytes, offset);
}

/// A command to pages: its fields, the bytes of all its pages, and its packets.
template <typename Command>
struct ToPages;

template <>
struct ToPages<UnicastWrite> {
  static constexpr uint32_t kPages = 1;
  template <AddressGenerator Pages>
  FORCE_INLINE static UnicastWrite::Fields fields(const Pages& pages, uint32_t page,
                                                  uint32_t offset = 0) {
    return {addrgen::get_noc_address(pages, page, offset)};
  }
  template <UnicastWrite::Mask mask, typename Client, AddressGenerator Pages>
  FORCE_INLINE static void send(Client* client, PacketHeader* header, uint32_t source,
                                const Pages& pages, uint32_t page, uint32_t offset = 0) {
    send_page(client, header, source, pages, page, offset,
              [&](uint32_t from, uint32_t bytes, uint32_t at) {
                send_part<UnicastWrite, mask>(client, header, from, bytes, fields(pages, page, at));
              });
  }
};

template <>
struct ToPages<ScatterWrite> {
  static constexpr uint32_t kPages = 2;
  template <AddressGenerator Pages>
  FORCE_INLINE static ScatterWrite::Fields fields(const Pages& pages, uint32_t first,
                                                  uint32_t second, uint32_t first_offset = 0,
                                                  uint32_t second_offset = 0) {
    return ScatterWrite::Fields({addrgen::get_noc_address(pages, first, first_offset),
                                 addrgen::get_noc_address(pages, second, second_offset)},
                                {static_cast<uint16_t>(addrgen::get_page_size(pages))});
  }
  template <ScatterWrite::Mask mask, typename Client, AddressGenerator Pages>
  FORCE_INLINE static void send(Client* client, PacketHeader* header, uint32_t source,
                                const Pages& pages, uint32_t first, uint32_t second,
                                uint32_t first_offset = 0, uint32_t second_offset = 0) {
    const uint32_t bytes = addrgen::get_page_size(pages);
    if (2 * bytes <= tt::tt_fabric::get_fabric_max_packet_size()) {
      send_part<ScatterWrite, mask>(client, header, source, 2 * bytes,
                                    fields(pages, first, second, first_offset, second_offset));
    } else {
      using Write = ToPages<UnicastWrite>;
      constexpr auto kAll = UnicastWrite::Mask::All;
      Write::send<kAll>(client, header, source, pages, first, first_offset);
      Write::send<kAll>(client, header, source + bytes, pages, second, second_offset);
    }
  }
};

template <>
struct ToPages<FusedWriteAtomicInc> {
  static constexpr uint32_t kPages = 1;
  template <AddressGenerator Pages>
  FORCE_INLINE static FusedWriteAtomicInc::Fields fields(const Pages& pages, uint32_t page,
                                                         uint64_t semaphore, uint16_t value,
                                                         uint32_t offset = 0, bool flush = true) {
    return {addrgen::get_noc_address(pages, page, offset), semaphore, value, flush};
  }
  /// The last packet of the page increments the semaphore.
  template <FusedWriteAtomicInc::Mask mask, typename Client, AddressGenerator Pages>
  FORCE_INLINE static void send(Client* client, PacketHeader* header, uint32_t source,
                                const Pages& pages, uint32_t page, uint64_t semaphore,
                                uint16_t value, uint32_t offset = 0, bool flush = true) {
    send_page(client, header, source, pages, page, offset,
              [&](uint32_t from, uint32_t bytes, uint32_t at) {
                send_part<FusedWriteAtomicInc, mask>(
                    client, header, from, bytes, fields(pages, page, semaphore, value, at, flush));
              });
  }
};

template <typename Mask>
constexpr Mask mask_for_pages(Mask named) {
  return named == Mask::None ? Mask::All : named;
}

// The overloads of mesh_sending.h and packet_sending.h for pages.
template <typename Command, typename Client, AddressGenerator Pages, typename... Rest>
FORCE_INLINE void send_command(Client* client, PacketHeader* header, uint32_t source,
                               const Pages& pages, const Rest&... rest) {
  ToPages<Command>::template send<Command::Mask::All>(client, header, source, pages, rest...);
}
template <typename Command, typename Command::Mask mask, AddressGenerator Pages, typename... Rest>
FORCE_INLINE void set_command(PacketHeader* header, const Pages& pages, const Rest&... rest) {
  const uint32_t bytes = ToPages<Command>::kPages * addrgen::get_page_size(pages);
  const uint32_t most = tt::tt_fabric::get_fabric_max_packet_size();
  header->noc_send_type = Command::kType;
  Command::template update<mask_for_pages(mask)>(
      header, ToPages<Command>::fields(pages, rest...),
      static_cast<uint16_t>(bytes < most ? bytes : most));
}
template <typename Command, typename Command::Mask mask, typename Client, AddressGenerator Pages,
          typename... Rest>
FORCE_INLINE void pages_with_state(Client* client, PacketHeader* header, uint32_t source,
                                   const Pages& pages, const Rest&... rest) {
  ToPages<Command>::template send<mask_for_pages(mask)>(client, header, source, pages, rest...);
}
template <typename Command, typename Command::Mask mask, typename Client, AddressGenerator Pages,
          typename... Rest>
FORCE_INLINE void pages_with_state(Client* client, PacketHeader* header, uint16_t, uint16_t,
                                   uint32_t source, const Pages& pages, const Rest&... rest) {
  pages_with_state<Command, mask>(client, header, source, pages, rest...);
}
template <typename Command, typename Command::Mask mask, typename Client, typename Range,
          AddressGenerator Pages, typename... Rest>
FORCE_INLINE void pages_with_state(Client* client, PacketHeader* header, uint16_t, uint16_t,
                                   const Range&, uint32_t source, const Pages& pages,
                                   const Rest&... rest) {
  pages_with_state<Command, mask>(client, header, source, pages, rest...);
}

}  // namespace tvp::fabric
