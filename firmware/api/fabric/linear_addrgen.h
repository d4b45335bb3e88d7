#pragma once
// Commands of packets whose destination is a page of any address generator or accessor
// (linear/addrgen_api.h). Without a size, the payload is a page.

#include <stdint.h>

#include "dataflow/tensor_accessor.h"
#include "fabric/fabric_edm_packet_header.hpp"
#include "fabric/noc_addr.h"

namespace tt::tt_fabric::linear {

namespace addrgen_detail {

/// Bytes of a page, with its padding if the generator knows it.
template <typename AddrGen>
FORCE_INLINE uint32_t get_page_size(const AddrGen& pages) {
  if constexpr (requires { pages.aligned_page_size; }) {
    return pages.aligned_page_size;
  } else if constexpr (requires { pages.page_size; }) {
    return pages.page_size;
  } else if constexpr (requires { pages.log_base_2_of_page_size; }) {
    return 1u << pages.aligned_log_base_2_of_page_size;
  } else {
    return pages.CONSTANT_ARGS.page_size_jump;
  }
}
template <typename AddrGen>
FORCE_INLINE uint64_t get_noc_address(const AddrGen& pages, uint32_t id, uint32_t offset = 0) {
  return pages.get_noc_addr(id, offset, edm_to_local_chip_noc);
}

}  // namespace addrgen_detail

using Header = volatile PACKET_HEADER_TYPE;

template <typename AddrGen>
FORCE_INLINE void to_noc_unicast_write(uint32_t bytes, Header* header, uint32_t id,
                                       const AddrGen& pages, uint32_t offset = 0) {
  header->to_noc_unicast_write({addrgen_detail::get_noc_address(pages, id, offset)}, bytes);
}
template <typename AddrGen>
FORCE_INLINE void to_noc_unicast_write(Header* header, uint32_t id, const AddrGen& pages,
                                       uint32_t offset = 0) {
  to_noc_unicast_write(addrgen_detail::get_page_size(pages), header, id, pages, offset);
}

template <typename AddrGen>
FORCE_INLINE void to_noc_fused_unicast_write_atomic_inc(
    uint32_t bytes, Header* header, const NocUnicastAtomicIncCommandHeader& increment, uint32_t id,
    const AddrGen& pages, uint32_t offset = 0) {
  header->to_noc_fused_unicast_write_atomic_inc(
      {addrgen_detail::get_noc_address(pages, id, offset), increment.noc_address, increment.val,
       increment.flush},
      bytes);
}
template <typename AddrGen>
FORCE_INLINE void to_noc_fused_unicast_write_atomic_inc(
    Header* header, const NocUnicastAtomicIncCommandHeader& increment, uint32_t id,
    const AddrGen& pages, uint32_t offset = 0) {
  to_noc_fused_unicast_write_atomic_inc(addrgen_detail::get_page_size(pages), header, increment, id,
                                        pages, offset);
}

/// Writes two pages of `bytes` each.
template <typename AddrGen>
FORCE_INLINE void to_noc_unicast_scatter_write(uint32_t bytes, Header* header, uint32_t first,
                                               uint32_t second, const AddrGen& pages,
                                               uint32_t first_offset = 0,
                                               uint32_t second_offset = 0) {
  header->to_noc_unicast_scatter_write(
      NocUnicastScatterCommandHeader(
          {addrgen_detail::get_noc_address(pages, first, first_offset),
           addrgen_detail::get_noc_address(pages, second, second_offset)},
          {static_cast<uint16_t>(bytes)}),
      2 * bytes);
}
template <typename AddrGen>
FORCE_INLINE void to_noc_unicast_scatter_write(Header* header, uint32_t first, uint32_t second,
                                               const AddrGen& pages, uint32_t first_offset = 0,
                                               uint32_t second_offset = 0) {
  to_noc_unicast_scatter_write(addrgen_detail::get_page_size(pages), header, first, second, pages,
                               first_offset, second_offset);
}

}  // namespace tt::tt_fabric::linear

namespace tt::tt_fabric {
namespace addrgen_detail = linear::addrgen_detail;
}
