#pragma once
// Reads, writes, atomics and barriers of the kernel API (kernel_api 1.3 to 1.5). Issuing never
// waits for completion, only for the initiator.

#include <stdint.h>

#include <type_traits>

#include "dataflow/noc_addresses.h"
#include "debug/waypoint.h"
#include "internal/noc_nonblocking_api.h"
#include "risc_common.h"

// --- reads

FORCE_INLINE void noc_async_read_one_packet(uint64_t src_noc_addr, uint32_t dst_local_l1_addr,
                                            uint32_t size, uint8_t noc = noc_index,
                                            uint32_t read_req_vc = NOC_UNICAST_WRITE_VC) {
  WAYPOINT("RP2W");
  noc_wait_cmd_buf(noc, read_cmd_buf);
  WAYPOINT("RP2D");
  ncrisc_noc_fast_read(noc, read_cmd_buf, src_noc_addr, dst_local_l1_addr, size, read_req_vc);
}

template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true>
inline void noc_async_read(uint64_t src_noc_addr, uint32_t dst_local_l1_addr, uint32_t size,
                           uint8_t noc = noc_index, uint32_t read_req_vc = NOC_UNICAST_WRITE_VC) {
  if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
    noc_async_read_one_packet(src_noc_addr, dst_local_l1_addr, size, noc, read_req_vc);
  } else {
    WAYPOINT("NARW");
    ncrisc_noc_fast_read_any_len(noc, read_cmd_buf, src_noc_addr, dst_local_l1_addr, size,
                                 read_req_vc);
    WAYPOINT("NARD");
  }
}

// A single third argument is the virtual channel with `use_vc`, otherwise the NoC, which kernels
// until mid-2025 pass there.
template <bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t src_noc_addr, uint32_t size,
                                                      const uint32_t vc, uint8_t noc) {
  ncrisc_noc_read_set_state<use_vc, true>(noc, read_cmd_buf, src_noc_addr, size, vc);
}
template <bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t src_noc_addr, uint32_t size,
                                                      uint32_t vc_or_noc) {
  const auto noc = use_vc ? noc_index : static_cast<uint8_t>(vc_or_noc);
  noc_async_read_one_packet_set_state<use_vc>(src_noc_addr, size, vc_or_noc, noc);
}
template <bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_set_state(uint64_t src_noc_addr, uint32_t size) {
  noc_async_read_one_packet_set_state<use_vc>(src_noc_addr, size, 0, noc_index);
}
template <bool inc_num_issued = true, bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t src_local_l1_addr,
                                                       uint32_t dst_local_l1_addr,
                                                       const uint32_t /*vc*/, uint8_t noc) {
  ncrisc_noc_read_with_state<inc_num_issued, true>(noc, read_cmd_buf, src_local_l1_addr,
                                                   dst_local_l1_addr);
}
template <bool inc_num_issued = true, bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t src_local_l1_addr,
                                                       uint32_t dst_local_l1_addr,
                                                       uint32_t vc_or_noc) {
  const auto noc = use_vc ? noc_index : static_cast<uint8_t>(vc_or_noc);
  noc_async_read_one_packet_with_state<inc_num_issued, use_vc>(src_local_l1_addr, dst_local_l1_addr,
                                                               vc_or_noc, noc);
}
template <bool inc_num_issued = true, bool use_vc = false>
FORCE_INLINE void noc_async_read_one_packet_with_state(uint32_t src_local_l1_addr,
                                                       uint32_t dst_local_l1_addr) {
  noc_async_read_one_packet_with_state<inc_num_issued, use_vc>(src_local_l1_addr, dst_local_l1_addr,
                                                               0, noc_index);
}
FORCE_INLINE void noc_async_read_set_state(uint64_t src_noc_addr, uint8_t noc = noc_index) {
  ncrisc_noc_read_set_state(noc, read_cmd_buf, src_noc_addr);
}
template <bool inc_num_issued = true>
inline void noc_async_read_with_state(uint32_t src_local_l1_addr, uint32_t dst_local_l1_addr,
                                      uint32_t size, uint8_t noc = noc_index) {
  ncrisc_noc_read_any_len_with_state<inc_num_issued>(noc, read_cmd_buf, src_local_l1_addr,
                                                     dst_local_l1_addr, size);
}
FORCE_INLINE void noc_async_read_inc_num_issued(uint32_t num_issued, uint8_t noc = noc_index) {
  noc_count_reads(noc, num_issued);
}

// Names of 2025 for equal pages of one bank of DRAM. The first function returns the address of the
// bank's part of the buffer.
template <bool use_vc = false>
FORCE_INLINE uint32_t noc_async_read_tile_dram_sharded_set_state(uint32_t bank_base_address,
                                                                 uint32_t page_size,
                                                                 uint32_t bank_id = 0,
                                                                 const uint32_t vc = 0,
                                                                 uint8_t noc = noc_index) {
  const uint64_t first = get_noc_addr_from_bank_id<true>(bank_id, bank_base_address, noc);
  noc_async_read_one_packet_set_state<use_vc>(first, page_size, vc, noc);
  return static_cast<uint32_t>(first);
}
FORCE_INLINE void noc_async_read_tile_dram_sharded_with_state(uint32_t src_base_addr,
                                                              uint32_t src_addr, uint32_t dest_addr,
                                                              uint32_t /*trid*/ = 0,
                                                              uint8_t noc = noc_index) {
  noc_async_read_one_packet_with_state(src_base_addr + src_addr, dest_addr, 0, noc);
}

FORCE_INLINE void noc_async_read_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
  ncrisc_noc_set_transaction_id(noc, read_cmd_buf, trid);
}
FORCE_INLINE void noc_async_read_tile_dram_sharded_set_trid(uint32_t trid = 0,
                                                            uint8_t noc = noc_index) {
  noc_async_read_set_trid(trid, noc);
}
template <bool skip_ptr_update = false, bool skip_cmdbuf_chk = false>
FORCE_INLINE void noc_async_read_one_packet_with_state_with_trid(uint32_t src_base_addr,
                                                                 uint32_t src_addr,
                                                                 uint32_t dest_addr,
                                                                 uint32_t trid = 0,
                                                                 uint8_t noc = noc_index) {
  WAYPOINT("NRDW");
  // The counter of a transaction id has eight bits.
  while (NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(trid)) >
         (NOC_MAX_TRANSACTION_ID_COUNT + 1) / 2) {
  }
  if (!skip_cmdbuf_chk) noc_wait_cmd_buf(noc, read_cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, read_cmd_buf, NOC_RET_ADDR_LO, dest_addr);
  NOC_CMD_BUF_WRITE_REG(noc, read_cmd_buf, NOC_TARG_ADDR_LO, src_base_addr + src_addr);
  if constexpr (tvp::noc::kDynamic) {
    if (!skip_ptr_update) noc_count_reads(noc, 1);
  }
  noc_send_counted<!skip_ptr_update>(noc, read_cmd_buf);
  if constexpr (!tvp::noc::kDynamic) {
    if (!skip_ptr_update) noc_count_reads(noc, 1);
  }
  WAYPOINT("NRDD");
}
template <bool skip_ptr_update = false>
FORCE_INLINE void noc_async_read_tile_dram_sharded_with_state_with_trid(uint32_t src_base_addr,
                                                                        uint32_t src_addr,
                                                                        uint32_t dest_addr,
                                                                        uint32_t trid = 0,
                                                                        uint8_t noc = noc_index) {
  noc_async_read_one_packet_with_state_with_trid<skip_ptr_update>(src_base_addr, src_addr,
                                                                  dest_addr, trid, noc);
}

template <typename AddrGen>
FORCE_INLINE void noc_async_read_page(const uint32_t id, const AddrGen& addrgen,
                                      uint32_t dst_local_l1_addr, const uint32_t offset = 0,
                                      uint8_t noc = noc_index) {
  noc_async_read(addrgen.get_noc_addr(id, offset, noc), dst_local_l1_addr,
                 tvp::addr_gen::page_bytes(addrgen), noc);
}
template <typename AddrGen>
FORCE_INLINE void noc_async_read_tile(const uint32_t id, const AddrGen& addrgen,
                                      uint32_t dst_local_l1_addr, uint32_t offset = 0,
                                      uint8_t noc = noc_index) {
  noc_async_read_page(id, addrgen, dst_local_l1_addr, offset, noc);
}

// --- writes

template <bool enable_noc_tracing = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet(uint32_t src_local_l1_addr, uint64_t dst_noc_addr,
                                             uint32_t size, uint8_t noc = noc_index,
                                             uint32_t vc = NOC_UNICAST_WRITE_VC) {
  WAYPOINT("NWPW");
  noc_wait_cmd_buf(noc, write_cmd_buf);
  WAYPOINT("NWPD");
  ncrisc_noc_fast_write(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr, size, vc, false, false,
                        1, true, posted);
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool enable_noc_tracing = true,
          bool posted = false>
inline void noc_async_write(uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size,
                            uint8_t noc = noc_index, uint32_t vc = NOC_UNICAST_WRITE_VC) {
  if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
    noc_async_write_one_packet<false, posted>(src_local_l1_addr, dst_noc_addr, size, noc, vc);
  } else {
    WAYPOINT("NAWW");
    ncrisc_noc_fast_write_any_len(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr, size, vc,
                                  false, false, 1, true, posted);
    WAYPOINT("NAWD");
  }
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_set_state(uint64_t dst_noc_addr, uint32_t size,
                                                       uint8_t noc = noc_index,
                                                       uint8_t vc = NOC_UNICAST_WRITE_VC) {
  ncrisc_noc_write_set_state<posted, true>(noc, write_cmd_buf, dst_noc_addr, size, vc);
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_state(uint32_t src_local_l1_addr,
                                                        uint32_t dst_local_l1_addr,
                                                        uint8_t noc = noc_index) {
  ncrisc_noc_write_with_state<posted>(noc, write_cmd_buf, src_local_l1_addr, dst_local_l1_addr);
}
template <typename AddrGen>
FORCE_INLINE void noc_async_write_page(const uint32_t id, const AddrGen& addrgen,
                                       uint32_t src_local_l1_addr, const uint32_t size = 0,
                                       const uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_write(src_local_l1_addr, addrgen.get_noc_addr(id, offset, noc),
                  size == 0 ? tvp::addr_gen::page_bytes(addrgen) : size, noc);
}
template <typename AddrGen>
FORCE_INLINE void noc_async_write_tile(const uint32_t id, const AddrGen& addrgen,
                                       uint32_t src_local_l1_addr, uint8_t noc = noc_index) {
  noc_async_write_page(id, addrgen, src_local_l1_addr, 0, 0, noc);
}

template <bool update_counter = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid(
    uint32_t src_local_l1_addr, uint64_t dst_noc_addr, uint32_t size, uint32_t trid,
    uint8_t cmd_buf = write_cmd_buf, uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
  WAYPOINT("NAWW");
  noc_wait_cmd_buf(noc, cmd_buf);
  WAYPOINT("NAWD");
  ncrisc_noc_fast_write<true, update_counter>(noc, cmd_buf, src_local_l1_addr, dst_noc_addr, size,
                                              vc, false, false, 1, true, posted, trid);
}
template <bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_set_state(
    uint64_t dst_noc_addr, uint8_t cmd_buf = write_cmd_buf, uint8_t noc = noc_index,
    uint8_t vc = NOC_UNICAST_WRITE_VC) {
  ncrisc_noc_write_set_state<posted>(noc, cmd_buf, dst_noc_addr, 0, vc);
}
template <bool update_counter = true, bool posted = false>
FORCE_INLINE void noc_async_write_one_packet_with_trid_with_state(uint32_t src_local_l1_addr,
                                                                  uint32_t dst_local_l1_addr,
                                                                  uint32_t size, uint32_t trid,
                                                                  uint8_t cmd_buf = write_cmd_buf,
                                                                  uint8_t noc = noc_index) {
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_PACKET_TAG, NOC_PACKET_TAG_TRANSACTION_ID(trid));
  ncrisc_noc_write_with_state<posted, update_counter, false>(noc, cmd_buf, src_local_l1_addr,
                                                             dst_local_l1_addr, size);
}
FORCE_INLINE void noc_async_write_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
  ncrisc_noc_set_transaction_id(noc, write_cmd_buf, trid);
}
FORCE_INLINE void reset_noc_trid_barrier_counter(uint32_t id_mask = 0xFFFF,
                                                 uint32_t noc = noc_index) {
  *noc_reg_ptr(noc, NOC_CLEAR_OUTSTANDING_REQ_CNT) = id_mask;
}

// --- multicast: the source's tile is outside the rectangle, or included by the _loopback_src ones
// --------

FORCE_INLINE void noc_async_write_multicast_one_packet(uint32_t src_local_l1_addr,
                                                       uint64_t dst_noc_addr_multicast,
                                                       uint32_t size, uint32_t num_dests,
                                                       bool linked = false,
                                                       uint8_t noc = noc_index) {
  WAYPOINT("NMPW");
  noc_wait_cmd_buf(noc, write_cmd_buf);
  WAYPOINT("NMPD");
  ncrisc_noc_fast_write(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size,
                        NOC_MULTICAST_WRITE_VC, true, linked, num_dests);
}
/// Kernels until spring 2025 pass a flag for path reservation before the NoC. The path is always
/// reserved. NoC numbers are not bool.
template <typename T>
concept PathReserve = std::is_same_v<T, bool>;
template <PathReserve Reserve>
FORCE_INLINE void noc_async_write_multicast_one_packet(uint32_t src_local_l1_addr,
                                                       uint64_t dst_noc_addr_multicast,
                                                       uint32_t size, uint32_t num_dests,
                                                       bool linked, Reserve,
                                                       uint8_t noc = noc_index) {
  noc_async_write_multicast_one_packet(src_local_l1_addr, dst_noc_addr_multicast, size, num_dests,
                                       linked, noc);
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                      uint32_t size, uint32_t num_dests, bool linked = false,
                                      uint8_t noc = noc_index) {
  if constexpr (max_page_size <= NOC_MAX_BURST_SIZE) {
    noc_async_write_multicast_one_packet(src_local_l1_addr, dst_noc_addr_multicast, size, num_dests,
                                         linked, noc);
    return;
  }
  WAYPOINT("NMWW");
  ncrisc_noc_fast_write_any_len(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size,
                                NOC_MULTICAST_WRITE_VC, true, linked, num_dests);
  WAYPOINT("NMWD");
}
/// Form of 2026 with the virtual channel.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                      uint32_t size, uint32_t num_dests, bool linked, uint8_t noc,
                                      uint8_t vc) {
  WAYPOINT("NMWW");
  ncrisc_noc_fast_write_any_len(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size,
                                vc, true, linked, num_dests);
  WAYPOINT("NMWD");
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, PathReserve Reserve>
inline void noc_async_write_multicast(uint32_t src_local_l1_addr, uint64_t dst_noc_addr_multicast,
                                      uint32_t size, uint32_t num_dests, bool linked, Reserve,
                                      uint8_t noc = noc_index) {
  noc_async_write_multicast<max_page_size>(src_local_l1_addr, dst_noc_addr_multicast, size,
                                           num_dests, linked, noc);
}
inline void noc_async_write_multicast_loopback_src(uint32_t src_local_l1_addr,
                                                   uint64_t dst_noc_addr_multicast, uint32_t size,
                                                   uint32_t num_dests, bool linked = false,
                                                   uint8_t noc = noc_index) {
  WAYPOINT("NMLW");
  ncrisc_noc_fast_write_any_len(noc, write_cmd_buf, src_local_l1_addr, dst_noc_addr_multicast, size,
                                NOC_MULTICAST_WRITE_VC, true, linked, num_dests, true, false, 0,
                                true);
  WAYPOINT("NMLD");
}
template <PathReserve Reserve>
inline void noc_async_write_multicast_loopback_src(uint32_t src_local_l1_addr,
                                                   uint64_t dst_noc_addr_multicast, uint32_t size,
                                                   uint32_t num_dests, bool linked, Reserve,
                                                   uint8_t noc = noc_index) {
  noc_async_write_multicast_loopback_src(src_local_l1_addr, dst_noc_addr_multicast, size, num_dests,
                                         linked, noc);
}

// --- inline writes

enum class InlineWriteDst : uint8_t { DEFAULT, L1, REG };

namespace tvp::noc {
// Inline writes to stream registers are safe on every chip. Bytes of a word have no other way.
template <InlineWriteDst dst_type>
FORCE_INLINE constexpr bool writes_inline(uint64_t addr, uint8_t be) {
  return regs::noc::kMap.inline_to_l1 || dst_type == InlineWriteDst::REG || be != 0xF ||
         (dst_type == InlineWriteDst::DEFAULT &&
          static_cast<uint32_t>(addr) >= contract::kLocalBase);
}
}  // namespace tvp::noc

/// `source` is a word of this core's L1 that the caller does not change until the write is sent. It
/// is used without `flush`, on chips where inline writes to L1 are unsafe.
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
FORCE_INLINE void noc_inline_dw_write(uint64_t addr, uint32_t val, uint8_t be = 0xF,
                                      uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC,
                                      uint32_t source = 0) {
  WAYPOINT("NWIW");
  if (tvp::noc::writes_inline<dst_type>(addr, be)) {
    noc_fast_write_dw_inline(noc, write_at_cmd_buf, val, addr, be, vc, false, posted);
  } else {
    noc_write_dw_from_l1<flush>(noc, val, addr, vc, false, posted, 1, source);
  }
  WAYPOINT("NWID");
}
/// Inline write to each core of a rectangle.
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
FORCE_INLINE void noc_inline_mcast_dw_write(uint64_t addr, uint32_t val, uint8_t be = 0xF,
                                            uint8_t noc = noc_index,
                                            uint8_t vc = NOC_MULTICAST_WRITE_VC,
                                            uint32_t source = 0, uint32_t num_dests = 1) {
  WAYPOINT("NWIW");
  if (tvp::noc::writes_inline<dst_type>(addr, be)) {
    noc_fast_write_dw_inline(noc, write_at_cmd_buf, val, addr, be, vc, true, posted, true,
                             num_dests);
  } else {
    noc_write_dw_from_l1<flush>(noc, val, addr, vc, true, posted, num_dests, source);
  }
  WAYPOINT("NWID");
}
// Form of 2025, with a flag for stream registers as destination.
template <auto write_to_stream_reg, bool posted = false>
requires std::is_same_v<decltype(write_to_stream_reg), bool> FORCE_INLINE void noc_inline_dw_write(
    uint64_t addr, uint32_t val, uint8_t be = 0xF, uint8_t noc = noc_index,
    uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_inline_dw_write<InlineWriteDst::DEFAULT, posted>(addr, val, be, noc, vc);
}
// The value is always set. `set_val` only states that later transactions use it.
template <bool posted = false, bool set_val = true>
FORCE_INLINE void noc_inline_dw_write_set_state(uint64_t addr, uint32_t val = 0, uint8_t be = 0xF,
                                                uint8_t cmd_buf = write_at_cmd_buf,
                                                uint8_t noc = noc_index,
                                                uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                        noc_write_ctrl(vc, false, false, posted) | NOC_CMD_WR_INLINE);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(addr));
  noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, addr);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE,
                        noc_inline_byte_enables(static_cast<uint32_t>(addr), be));
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
}
template <bool update_addr_lo = false, bool update_counter = true, bool posted = false,
          bool update_addr_hi = false, bool update_val = false,
          InlineWriteDst dst_type = InlineWriteDst::DEFAULT>
FORCE_INLINE void noc_inline_dw_write_with_state(uint32_t val, uint32_t addr = 0,
                                                 uint8_t cmd_buf = write_at_cmd_buf,
                                                 uint8_t noc = noc_index) {
  static_assert(!(update_addr_lo && update_addr_hi), "one half of the address at a time");
  noc_wait_cmd_buf(noc, cmd_buf);
  if (update_addr_lo) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, addr);
  if (update_addr_hi) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, addr);
  if (update_val) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, val);
  if constexpr (tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, 1, posted);
  }
  noc_send(noc, cmd_buf);
  if constexpr (!tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, 1, posted);
  }
}

// --- barriers

// A function that waits, between its waypoints, until `done` returns true, maybe for one
// transaction id.
#define TVP_NOC_WAIT(name, begin, end, done, ...)                         \
  inline void name(__VA_OPT__(uint32_t trid, ) uint8_t noc = noc_index) { \
    WAYPOINT(begin);                                                      \
    while (!done(noc __VA_OPT__(, trid))) {                               \
    }                                                                     \
    WAYPOINT(end);                                                        \
  }
TVP_NOC_WAIT(noc_async_read_barrier, "NRBW", "NRBD", ncrisc_noc_reads_flushed)
// Returns when all writes are acknowledged: the data has arrived.
TVP_NOC_WAIT(noc_async_write_barrier, "NWBW", "NWBD", ncrisc_noc_nonposted_writes_flushed)
// Returns when all writes have left: the source may be overwritten.
TVP_NOC_WAIT(noc_async_writes_flushed, "NWFW", "NWFD", ncrisc_noc_nonposted_writes_sent)
TVP_NOC_WAIT(noc_async_posted_writes_flushed, "NPWW", "NPWD", ncrisc_noc_posted_writes_sent)
TVP_NOC_WAIT(noc_async_atomic_barrier, "NABW", "NABD", ncrisc_noc_nonposted_atomics_flushed)
inline void noc_async_full_barrier(uint8_t noc = noc_index) {
  noc_async_read_barrier(noc);
  noc_async_writes_flushed(noc);
  noc_async_write_barrier(noc);
  noc_async_atomic_barrier(noc);
  noc_async_posted_writes_flushed(noc);
}
TVP_NOC_WAIT(noc_async_read_barrier_with_trid, "NBTW", "NBTD",
             ncrisc_noc_read_with_transaction_id_flushed, trid)
TVP_NOC_WAIT(noc_async_write_barrier_with_trid, "NWTW", "NWTD",
             ncrisc_noc_nonposted_write_with_transaction_id_flushed, trid)
TVP_NOC_WAIT(noc_async_write_flushed_with_trid, "NFTW", "NFTD",
             ncrisc_noc_nonposted_write_with_transaction_id_sent, trid)
#undef TVP_NOC_WAIT
