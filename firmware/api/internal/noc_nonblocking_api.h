#pragma once
// Transactions of the NIUs at register level (kernel_api 8.1), in dedicated and in dynamic mode
// (noc_counters.h). For a read TARG is the source
// and RET the destination; for a write TARG is the local source and RET the destination; an atomic
// goes to TARG.

#include <stdint.h>

#include <type_traits>

#include "internal/firmware_globals.h"
#include "internal/noc_counters.h"
#include "internal/noc_registers.h"

// Request initiators by use. In dynamic mode each core has two of its own on each NoC. One is for
// reads and atomics, whose target is in TARG. The other one is for writes, whose source is there.
constexpr uint32_t NCRISC_WR_CMD_BUF = 0;
constexpr uint32_t NCRISC_RD_CMD_BUF = 1;
constexpr uint32_t NCRISC_WR_REG_CMD_BUF = 2;
constexpr uint32_t NCRISC_AT_CMD_BUF = 3;
constexpr uint32_t DYNAMIC_NOC_BRISC_WR_CMD_BUF = 0;
constexpr uint32_t DYNAMIC_NOC_BRISC_WR_REG_CMD_BUF = 0;
constexpr uint32_t DYNAMIC_NOC_BRISC_RD_CMD_BUF = 1;
constexpr uint32_t DYNAMIC_NOC_BRISC_AT_CMD_BUF = 1;
constexpr uint32_t DYNAMIC_NOC_NCRISC_WR_CMD_BUF = 2;
constexpr uint32_t DYNAMIC_NOC_NCRISC_WR_REG_CMD_BUF = 2;
constexpr uint32_t DYNAMIC_NOC_NCRISC_RD_CMD_BUF = 3;
constexpr uint32_t DYNAMIC_NOC_NCRISC_AT_CMD_BUF = 3;

namespace tvp::noc {
/// Functions of this header take options first, tt-metal's take a mode first. The type
/// distinguishes them.
template <typename T>
concept Flag = std::is_same_v<T, bool>;
template <typename T>
concept Mode = !Flag<T>;

constexpr uint32_t initiator(uint32_t dedicated, uint32_t brisc, uint32_t ncrisc) {
  if (!kDynamic) return dedicated;
  return kCore == 0 ? brisc : ncrisc;
}
}  // namespace tvp::noc
constexpr uint32_t write_cmd_buf = tvp::noc::initiator(
    NCRISC_WR_CMD_BUF, DYNAMIC_NOC_BRISC_WR_CMD_BUF, DYNAMIC_NOC_NCRISC_WR_CMD_BUF);
constexpr uint32_t read_cmd_buf = tvp::noc::initiator(
    NCRISC_RD_CMD_BUF, DYNAMIC_NOC_BRISC_RD_CMD_BUF, DYNAMIC_NOC_NCRISC_RD_CMD_BUF);
constexpr uint32_t write_reg_cmd_buf = tvp::noc::initiator(
    NCRISC_WR_REG_CMD_BUF, DYNAMIC_NOC_BRISC_WR_REG_CMD_BUF, DYNAMIC_NOC_NCRISC_WR_REG_CMD_BUF);
constexpr uint32_t write_at_cmd_buf = tvp::noc::initiator(
    NCRISC_AT_CMD_BUF, DYNAMIC_NOC_BRISC_AT_CMD_BUF, DYNAMIC_NOC_NCRISC_AT_CMD_BUF);

// Static virtual channels.
constexpr uint32_t NOC_UNICAST_WRITE_VC = 1;
constexpr uint32_t NOC_MULTICAST_WRITE_VC = 4;
constexpr uint32_t NOC_DISPATCH_MULTICAST_WRITE_VC = 5;

constexpr uint32_t MEM_NOC_ATOMIC_RET_VAL_ADDR = tvp::contract::kNocAtomicReturn;

FORCE_INLINE bool noc_cmd_buf_ready(uint32_t noc, uint32_t cmd_buf) {
  return NOC_CMD_BUF_READ_REG(noc, cmd_buf, NOC_CMD_CTRL) == NOC_CTRL_STATUS_READY;
}
FORCE_INLINE void noc_wait_cmd_buf(uint32_t noc, uint32_t cmd_buf) {
  while (!noc_cmd_buf_ready(noc, cmd_buf)) {
  }
}
FORCE_INLINE void noc_send(uint32_t noc, uint32_t cmd_buf) {
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CMD_CTRL, NOC_CTRL_SEND_REQ);
}

// Sends a transaction that the caller counts as one packet, of up to NOC_MAX_BURST_SIZE bytes. The
// NIU splits a longer request and counts all parts (ISA NoC/Counters.md, Automatic request
// splitting), so barriers would end too early or never. Silicon reports nothing. The platform
// recognizes the stores of this function by its name in the debug information, and stops there.
FORCE_INLINE void noc_send_one_packet(uint32_t noc, uint32_t cmd_buf) { noc_send(noc, cmd_buf); }
template <bool counts_one>
FORCE_INLINE void noc_send_counted(uint32_t noc, uint32_t cmd_buf) {
  if constexpr (counts_one) {
    noc_send_one_packet(noc, cmd_buf);
  } else {
    noc_send(noc, cmd_buf);
  }
}

// CTRL of a read with a static VC. noc_init sets that of VC 1 in the read initiator.
FORCE_INLINE constexpr uint32_t noc_read_ctrl(uint32_t vc = NOC_UNICAST_WRITE_VC) {
  return NOC_CMD_CPY | NOC_CMD_RD | NOC_CMD_RESP_MARKED | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc);
}
FORCE_INLINE constexpr uint32_t noc_write_ctrl(uint32_t vc, bool mcast, bool linked, bool posted,
                                               bool include_source = false,
                                               bool path_reserve = true) {
  return NOC_CMD_CPY | NOC_CMD_WR | NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC(vc) |
         (linked ? NOC_CMD_VC_LINKED : 0) |
         (mcast ? (path_reserve ? NOC_CMD_PATH_RESERVE : 0) | NOC_CMD_BRCST_PACKET : 0) |
         (include_source ? NOC_CMD_BRCST_SRC_INCLUDE : 0) | (posted ? 0 : NOC_CMD_RESP_MARKED);
}

FORCE_INLINE void noc_count_reads(uint32_t noc, uint32_t packets) {
  tvp::noc::count<NocBarrierType::READS_NUM_ISSUED>(noc, packets);
}
FORCE_INLINE void noc_count_writes(uint32_t noc, uint32_t packets, uint32_t destinations,
                                   bool posted) {
  using Type = NocBarrierType;
  if (posted) {
    tvp::noc::count<Type::POSTED_WRITES_NUM_ISSUED>(noc, packets);
  } else {
    tvp::noc::count<Type::NONPOSTED_WRITES_NUM_ISSUED>(noc, packets);
    tvp::noc::count<Type::NONPOSTED_WRITES_ACKED>(noc, packets * destinations);
  }
}

// --- start-up

// This tile's coordinates: translated ones if the chip translates (ISA NoC/MemoryMap.md,
// NOC_ID_LOGICAL).
inline void noc_init_coordinates() {
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) {
    const uint32_t id = *noc_reg_ptr(noc, NOC_ID_LOGICAL);
    my_x[noc] = id & NOC_NODE_ID_MASK;
    my_y[noc] = (id >> NOC_ADDR_NODE_ID_BITS) & NOC_NODE_ID_MASK;
  }
}

// Sets the registers of initiators that no transaction of dedicated mode changes. In dynamic mode
// an initiator serves two kinds of transactions, which set CTRL each time. The other registers are
// equal for the initiators of all cores.
inline void noc_init(uint32_t atomic_return_address) {
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) {
    const uint32_t self = NOC_XY_ENCODING(my_x[noc], my_y[noc]);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_WR_CMD_BUF, NOC_TARG_ADDR_COORDINATE, self);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_WR_REG_CMD_BUF, NOC_TARG_ADDR_COORDINATE, self);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_AT_CMD_BUF, NOC_RET_ADDR_LO, atomic_return_address);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_AT_CMD_BUF, NOC_RET_ADDR_COORDINATE, self);
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_CTRL, noc_read_ctrl());
    NOC_CMD_BUF_WRITE_REG(noc, NCRISC_RD_CMD_BUF, NOC_RET_ADDR_COORDINATE, self);
    for (uint32_t buf = 0; buf < 4; ++buf) NOC_CMD_BUF_WRITE_REG(noc, buf, NOC_PACKET_TAG, 0);
  }
}

// Initializes software counters from the hardware's, which continue from kernel to kernel.
inline void noc_local_state_init(uint32_t noc) {
  const uint32_t reads = NOC_STATUS_READ_REG(noc, NIU_MST_RD_RESP_RECEIVED);
  const uint32_t writes = NOC_STATUS_READ_REG(noc, NIU_MST_NONPOSTED_WR_REQ_SENT);
  const uint32_t acks = NOC_STATUS_READ_REG(noc, NIU_MST_WR_ACK_RECEIVED);
  const uint32_t atomics = NOC_STATUS_READ_REG(noc, NIU_MST_ATOMIC_RESP_RECEIVED);
  const uint32_t posted = NOC_STATUS_READ_REG(noc, NIU_MST_POSTED_WR_REQ_SENT);
  noc_reads_num_issued[noc] = reads;
  noc_nonposted_writes_num_issued[noc] = writes;
  noc_nonposted_writes_acked[noc] = acks;
  noc_nonposted_atomics_acked[noc] = atomics;
  noc_posted_writes_num_issued[noc] = posted;
}
// The same for dynamic mode, for both cores at once. One counter gets the whole value.
inline void dynamic_noc_local_state_init() {
  using Type = NocBarrierType;
  constexpr uint32_t kStatus[] = {NIU_MST_RD_RESP_RECEIVED, NIU_MST_NONPOSTED_WR_REQ_SENT,
                                  NIU_MST_WR_ACK_RECEIVED, NIU_MST_ATOMIC_RESP_RECEIVED,
                                  NIU_MST_POSTED_WR_REQ_SENT};
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) {
    for (uint32_t type = 0; type < static_cast<uint32_t>(Type::COUNT); ++type) {
      *tvp::noc::shared_counter(noc, 0, static_cast<Type>(type)) =
          NOC_STATUS_READ_REG(noc, kStatus[type]);
      *tvp::noc::shared_counter(noc, 1, static_cast<Type>(type)) = 0;
    }
  }
}
inline void ncrisc_noc_counters_init() {
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) noc_local_state_init(noc);
}

// --- completion
// Barriers test for equality, as kernels for this hardware expect: a count that overshoots never
// matches.

namespace tvp::noc {
template <NocBarrierType type>
FORCE_INLINE bool all_done(uint32_t noc, uint32_t status) {
  return NOC_STATUS_READ_REG(noc, status) == counted<type>(noc);
}
}  // namespace tvp::noc

FORCE_INLINE bool ncrisc_noc_reads_flushed(uint32_t noc) {
  return tvp::noc::all_done<NocBarrierType::READS_NUM_ISSUED>(noc, NIU_MST_RD_RESP_RECEIVED);
}
FORCE_INLINE bool ncrisc_noc_read_with_transaction_id_flushed(uint32_t noc, uint32_t trid) {
  return NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(trid)) == 0;
}
FORCE_INLINE bool ncrisc_noc_nonposted_writes_sent(uint32_t noc) {
  return tvp::noc::all_done<NocBarrierType::NONPOSTED_WRITES_NUM_ISSUED>(
      noc, NIU_MST_NONPOSTED_WR_REQ_SENT);
}
FORCE_INLINE bool ncrisc_noc_posted_writes_sent(uint32_t noc) {
  return tvp::noc::all_done<NocBarrierType::POSTED_WRITES_NUM_ISSUED>(noc,
                                                                      NIU_MST_POSTED_WR_REQ_SENT);
}
FORCE_INLINE bool ncrisc_noc_nonposted_writes_flushed(uint32_t noc) {
  return tvp::noc::all_done<NocBarrierType::NONPOSTED_WRITES_ACKED>(noc, NIU_MST_WR_ACK_RECEIVED);
}
FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_sent(uint32_t noc, uint32_t trid) {
  return NOC_STATUS_READ_REG(noc, NIU_MST_WRITE_REQS_OUTGOING_ID(trid)) == 0;
}
FORCE_INLINE bool ncrisc_noc_nonposted_write_with_transaction_id_flushed(uint32_t noc,
                                                                         uint32_t trid) {
  return NOC_STATUS_READ_REG(noc, NIU_MST_REQS_OUTSTANDING_ID(trid)) == 0;
}
FORCE_INLINE bool ncrisc_noc_nonposted_atomics_flushed(uint32_t noc) {
  return tvp::noc::all_done<NocBarrierType::NONPOSTED_ATOMICS_ACKED>(noc,
                                                                     NIU_MST_ATOMIC_RESP_RECEIVED);
}

// Names of dynamic mode. In this mode the functions above use its counts.
FORCE_INLINE bool ncrisc_dynamic_noc_reads_flushed(uint32_t noc) {
  return ncrisc_noc_reads_flushed(noc);
}
FORCE_INLINE bool ncrisc_dynamic_noc_nonposted_writes_sent(uint32_t noc) {
  return ncrisc_noc_nonposted_writes_sent(noc);
}
FORCE_INLINE bool ncrisc_dynamic_noc_posted_writes_sent(uint32_t noc) {
  return ncrisc_noc_posted_writes_sent(noc);
}
FORCE_INLINE bool ncrisc_dynamic_noc_nonposted_writes_flushed(uint32_t noc) {
  return ncrisc_noc_nonposted_writes_flushed(noc);
}
FORCE_INLINE bool ncrisc_dynamic_noc_nonposted_atomics_flushed(uint32_t noc) {
  return ncrisc_noc_nonposted_atomics_flushed(noc);
}

// --- reads

// One packet. In dedicated mode the initiator's CTRL is noc_init's and `vc` is ignored, as on
// silicon.
FORCE_INLINE void ncrisc_noc_fast_read(uint32_t noc, uint32_t cmd_buf, uint64_t source,
                                       uint32_t destination, uint32_t bytes,
                                       uint32_t vc = NOC_UNICAST_WRITE_VC) {
  if constexpr (tvp::noc::kDynamic)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL, noc_read_ctrl(vc));
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, destination);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(source));
  noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, source);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  if constexpr (tvp::noc::kDynamic) noc_count_reads(noc, 1);
  noc_send_one_packet(noc, cmd_buf);
  if constexpr (!tvp::noc::kDynamic) noc_count_reads(noc, 1);
}
inline void ncrisc_noc_fast_read_any_len(uint32_t noc, uint32_t cmd_buf, uint64_t source,
                                         uint32_t destination, uint32_t bytes,
                                         uint32_t vc = NOC_UNICAST_WRITE_VC) {
  while (bytes > NOC_MAX_BURST_SIZE) {
    noc_wait_cmd_buf(noc, cmd_buf);
    ncrisc_noc_fast_read(noc, cmd_buf, source, destination, NOC_MAX_BURST_SIZE, vc);
    source += NOC_MAX_BURST_SIZE;
    destination += NOC_MAX_BURST_SIZE;
    bytes -= NOC_MAX_BURST_SIZE;
  }
  noc_wait_cmd_buf(noc, cmd_buf);
  ncrisc_noc_fast_read(noc, cmd_buf, source, destination, bytes, vc);
}
// Sets the length for one packet only. For any length, each transaction sets its own.
template <auto use_vc = false, bool one_packet = false>
requires tvp::noc::Flag<decltype(use_vc)> FORCE_INLINE void ncrisc_noc_read_set_state(
    uint32_t noc, uint32_t cmd_buf, uint64_t source, uint32_t bytes = 0,
    uint32_t vc = NOC_UNICAST_WRITE_VC) {
  noc_wait_cmd_buf(noc, cmd_buf);
  if (use_vc || tvp::noc::kDynamic)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                          noc_read_ctrl(use_vc ? vc : NOC_UNICAST_WRITE_VC));
  noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, source);
  if (one_packet) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
}
template <auto inc_num_issued = true, bool one_packet = true>
requires tvp::noc::Flag<decltype(inc_num_issued)> FORCE_INLINE void ncrisc_noc_read_with_state(
    uint32_t noc, uint32_t cmd_buf, uint32_t source_lo, uint32_t destination, uint32_t bytes = 0) {
  if (inc_num_issued) noc_count_reads(noc, 1);
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, destination);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, source_lo);
  if (!one_packet) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  noc_send_counted<inc_num_issued>(noc, cmd_buf);
}
template <auto inc_num_issued = true>
requires tvp::noc::Flag<decltype(inc_num_issued)>
inline void ncrisc_noc_read_any_len_with_state(uint32_t noc, uint32_t cmd_buf, uint32_t source_lo,
                                               uint32_t destination, uint32_t bytes) {
  while (bytes > NOC_MAX_BURST_SIZE) {
    ncrisc_noc_read_with_state<inc_num_issued, false>(noc, cmd_buf, source_lo, destination,
                                                      NOC_MAX_BURST_SIZE);
    source_lo += NOC_MAX_BURST_SIZE;
    destination += NOC_MAX_BURST_SIZE;
    bytes -= NOC_MAX_BURST_SIZE;
  }
  ncrisc_noc_read_with_state<inc_num_issued, false>(noc, cmd_buf, source_lo, destination, bytes);
}
FORCE_INLINE void ncrisc_noc_set_transaction_id(uint32_t noc, uint32_t cmd_buf, uint32_t trid) {
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_PACKET_TAG, NOC_PACKET_TAG_TRANSACTION_ID(trid));
}

// --- writes

// One packet. `trid` other than 0 stays in the initiator's tag only for this packet.
template <auto use_trid = false, bool update_counter = true>
requires tvp::noc::Flag<decltype(use_trid)> FORCE_INLINE void ncrisc_noc_fast_write(
    uint32_t noc, uint32_t cmd_buf, uint32_t source, uint64_t destination, uint32_t bytes,
    uint32_t vc, bool mcast, bool linked, uint32_t num_dests, bool path_reserve = true,
    bool posted = false, uint32_t trid = 0, bool include_source = false) {
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                        noc_write_ctrl(vc, mcast, linked, posted, include_source, path_reserve));
  if (use_trid)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_PACKET_TAG, NOC_PACKET_TAG_TRANSACTION_ID(trid));
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, source);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<uint32_t>(destination));
  noc_set_node(noc, cmd_buf, NOC_RET_ADDR_COORDINATE, destination);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  if constexpr (tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, num_dests, posted);
  }
  noc_send_counted<update_counter>(noc, cmd_buf);
  if constexpr (!tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, num_dests, posted);
  }
}
template <auto use_trid = false, bool update_counter = true>
requires tvp::noc::Flag<decltype(use_trid)>
inline void ncrisc_noc_fast_write_any_len(uint32_t noc, uint32_t cmd_buf, uint32_t source,
                                          uint64_t destination, uint32_t bytes, uint32_t vc,
                                          bool mcast, bool linked, uint32_t num_dests,
                                          bool path_reserve = true, bool posted = false,
                                          uint32_t trid = 0, bool include_source = false) {
  while (bytes > NOC_MAX_BURST_SIZE) {
    noc_wait_cmd_buf(noc, cmd_buf);
    ncrisc_noc_fast_write<use_trid, update_counter>(
        noc, cmd_buf, source, destination, NOC_MAX_BURST_SIZE, vc, mcast, linked, num_dests,
        path_reserve, posted, trid, include_source);
    source += NOC_MAX_BURST_SIZE;
    destination += NOC_MAX_BURST_SIZE;
    bytes -= NOC_MAX_BURST_SIZE;
  }
  noc_wait_cmd_buf(noc, cmd_buf);
  ncrisc_noc_fast_write<use_trid, update_counter>(noc, cmd_buf, source, destination, bytes, vc,
                                                  mcast, linked, num_dests, path_reserve, posted,
                                                  trid, include_source);
}
template <bool posted = false, bool one_packet = false>
FORCE_INLINE void ncrisc_noc_write_set_state(uint32_t noc, uint32_t cmd_buf, uint64_t destination,
                                             uint32_t bytes, uint32_t vc) {
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL, noc_write_ctrl(vc, false, false, posted));
  noc_set_node(noc, cmd_buf, NOC_RET_ADDR_COORDINATE, destination);
  if (one_packet) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
}
template <auto posted = false, bool update_counter = true, bool one_packet = true>
requires tvp::noc::Flag<decltype(posted)> FORCE_INLINE void ncrisc_noc_write_with_state(
    uint32_t noc, uint32_t cmd_buf, uint32_t source, uint32_t destination_lo, uint32_t bytes = 0) {
  if (update_counter) noc_count_writes(noc, 1, 1, posted);
  noc_wait_cmd_buf(noc, cmd_buf);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, source);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, destination_lo);
  if (!one_packet) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  noc_send_counted<update_counter>(noc, cmd_buf);
}

// --- inline writes and atomics

// Byte enables of a 4-byte word within its 16 bytes (ISA NoC/MemoryMap.md, NOC_AT_LEN_BE).
FORCE_INLINE uint32_t noc_inline_byte_enables(uint32_t address_lo, uint32_t be) {
  return be << (address_lo & 0xF);
}
FORCE_INLINE void noc_fast_write_dw_inline(uint32_t noc, uint32_t cmd_buf, uint32_t value,
                                           uint64_t destination, uint32_t be, uint32_t vc,
                                           bool mcast, bool posted = false,
                                           bool update_counter = true, uint32_t destinations = 1) {
  noc_wait_cmd_buf(noc, cmd_buf);
  const uint32_t ctrl = noc_write_ctrl(vc, mcast, false, posted) | NOC_CMD_WR_INLINE;
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, value);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL, ctrl);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(destination));
  noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, destination);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE,
                        noc_inline_byte_enables(static_cast<uint32_t>(destination), be));
  if constexpr (tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, destinations, posted);
  }
  noc_send(noc, cmd_buf);
  if constexpr (!tvp::noc::kDynamic) {
    if (update_counter) noc_count_writes(noc, 1, destinations, posted);
  }
}
// A word of this core's L1 for noc_write_dw_from_l1. Source and destination of a write must be
// equal in their lower four bits.
FORCE_INLINE uint32_t noc_inline_word(uint32_t noc, uint64_t destination) {
  constexpr uint32_t kBase =
      kOnEthernetTile ? tvp::contract::kEthInlineWordBase : tvp::contract::kInlineWordBase;
  return kBase + (tvp::noc::kCore * NUM_NOCS + noc) * tvp::contract::kInlineWordStride +
         (static_cast<uint32_t>(destination) & 0xF);
}
// Replaces an inline write to L1 on a chip where that write is unsafe (tt-metal issue 18558). The
// value goes to `source` in this core's L1, and a usual write takes it from there.
template <bool flush = true>
FORCE_INLINE void noc_write_dw_from_l1(uint32_t noc, uint32_t value, uint64_t destination,
                                       uint32_t vc, bool mcast, bool posted, uint32_t destinations,
                                       uint32_t source = 0) {
  if constexpr (flush) {
    source = noc_inline_word(noc, destination);
    // The word may be the source of an earlier write.
    while (!ncrisc_noc_nonposted_writes_sent(noc)) {
    }
    while (!ncrisc_noc_posted_writes_sent(noc)) {
    }
  }
  *reinterpret_cast<volatile uint32_t*>(source) = value;
  noc_wait_cmd_buf(noc, write_cmd_buf);
  ncrisc_noc_fast_write(noc, write_cmd_buf, source, destination, 4, vc, mcast, false, destinations,
                        true, posted);
}
FORCE_INLINE void noc_fast_atomic_increment(uint32_t noc, uint32_t cmd_buf, uint64_t address,
                                            uint32_t vc, uint32_t increment, uint32_t wrap,
                                            bool linked, bool posted = false,
                                            uint32_t return_address = MEM_NOC_ATOMIC_RET_VAL_ADDR,
                                            uint32_t multicast_dests = 0) {
  noc_wait_cmd_buf(noc, cmd_buf);
  // An inline write through the same initiator leaves RET alone, so this costs only the low word.
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, return_address);
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(address));
  noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, address);
  NOC_CMD_BUF_WRITE_REG(
      noc, cmd_buf, NOC_CTRL,
      (linked ? NOC_CMD_VC_LINKED : 0) | (posted ? 0 : NOC_CMD_RESP_MARKED) | NOC_CMD_VC_STATIC |
          NOC_CMD_STATIC_VC(vc) | NOC_CMD_AT |
          (multicast_dests != 0 ? NOC_CMD_BRCST_PACKET | NOC_CMD_PATH_RESERVE : 0));
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE,
                        NOC_AT_INS(NOC_AT_INS_INCR_GET) | NOC_AT_WRAP(wrap) |
                            NOC_AT_IND_32((static_cast<uint32_t>(address) >> 2) & 3));
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, increment);
  if constexpr (tvp::noc::kDynamic) {
    if (!posted)
      tvp::noc::count<NocBarrierType::NONPOSTED_ATOMICS_ACKED>(
          noc, multicast_dests != 0 ? multicast_dests : 1);
  }
  noc_send(noc, cmd_buf);
  if constexpr (!tvp::noc::kDynamic) {
    if (!posted)
      tvp::noc::count<NocBarrierType::NONPOSTED_ATOMICS_ACKED>(
          noc, multicast_dests != 0 ? multicast_dests : 1);
  }
}

// --- functions with the mode as first parameter, as in tt-metal
// A kernel has one mode here. Other options are in tt-metal's order.

namespace tvp::noc {
template <auto kMode>
consteval void check_mode() {
  static_assert(kMode == (kDynamic ? DM_DYNAMIC_NOC : DM_DEDICATED_NOC),
                "the mode is not the one that the host has given this kernel");
}
}  // namespace tvp::noc

template <auto kMode>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_fast_read(
    uint32_t noc, uint32_t cmd_buf, uint64_t source, uint32_t destination, uint32_t bytes,
    uint32_t vc = NOC_UNICAST_WRITE_VC) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_fast_read(noc, cmd_buf, source, destination, bytes, vc);
}
template <auto kMode>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_fast_read_any_len(
    uint32_t noc, uint32_t cmd_buf, uint64_t source, uint32_t destination, uint32_t bytes,
    uint32_t vc = NOC_UNICAST_WRITE_VC) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_fast_read_any_len(noc, cmd_buf, source, destination, bytes, vc);
}
template <auto kMode, bool one_packet = false, bool use_vc = false>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_read_set_state(
    uint32_t noc, uint32_t cmd_buf, uint64_t source, uint32_t bytes = 0, uint32_t vc = 0) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_read_set_state<use_vc, one_packet>(noc, cmd_buf, source, bytes, vc);
}
template <auto kMode, bool inc_num_issued = true, bool one_packet = false>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_read_with_state(
    uint32_t noc, uint32_t cmd_buf, uint32_t source_lo, uint32_t destination, uint32_t bytes = 0) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_read_with_state<inc_num_issued, one_packet>(noc, cmd_buf, source_lo, destination,
                                                         bytes);
}
template <auto kMode, bool inc_num_issued = true>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_read_any_len_with_state(
    uint32_t noc, uint32_t cmd_buf, uint32_t source_lo, uint32_t destination, uint32_t bytes) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_read_any_len_with_state<inc_num_issued>(noc, cmd_buf, source_lo, destination, bytes);
}
template <auto kMode, bool use_trid = false, bool update_counter = true>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_fast_write(
    uint32_t noc, uint32_t cmd_buf, uint32_t source, uint64_t destination, uint32_t bytes,
    uint32_t vc, bool mcast, bool linked, uint32_t num_dests, bool path_reserve,
    bool posted = false, uint32_t trid = 0) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_fast_write<use_trid, update_counter>(noc, cmd_buf, source, destination, bytes, vc,
                                                  mcast, linked, num_dests, path_reserve, posted,
                                                  trid);
}
template <auto kMode, bool use_trid = false, bool one_packet = false>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_fast_write_any_len(
    uint32_t noc, uint32_t cmd_buf, uint32_t source, uint64_t destination, uint32_t bytes,
    uint32_t vc, bool mcast, bool linked, uint32_t num_dests, bool path_reserve,
    bool posted = false, uint32_t trid = 0) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_fast_write_any_len<use_trid>(noc, cmd_buf, source, destination, bytes, vc, mcast,
                                          linked, num_dests, path_reserve, posted, trid);
}
template <auto kMode, bool posted = false, bool update_counter = true, bool one_packet = false>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void ncrisc_noc_write_with_state(
    uint32_t noc, uint32_t cmd_buf, uint32_t source, uint32_t destination_lo, uint32_t bytes = 0) {
  tvp::noc::check_mode<kMode>();
  ncrisc_noc_write_with_state<posted, update_counter, one_packet>(noc, cmd_buf, source,
                                                                  destination_lo, bytes);
}
template <auto kMode, auto...>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void noc_fast_write_dw_inline(
    uint32_t noc, uint32_t cmd_buf, uint32_t value, uint64_t destination, uint32_t be, uint32_t vc,
    bool mcast, bool posted = false) {
  tvp::noc::check_mode<kMode>();
  noc_fast_write_dw_inline(noc, cmd_buf, value, destination, be, vc, mcast, posted);
}
template <auto kMode, bool program_ret_addr = false>
requires tvp::noc::Mode<decltype(kMode)> FORCE_INLINE void noc_fast_atomic_increment(
    uint32_t noc, uint32_t cmd_buf, uint64_t address, uint32_t vc, uint32_t increment,
    uint32_t wrap, bool linked, bool posted = false, uint32_t return_address = 0) {
  tvp::noc::check_mode<kMode>();
  noc_fast_atomic_increment(noc, cmd_buf, address, vc, increment, wrap, linked, posted,
                            program_ret_addr ? return_address : MEM_NOC_ATOMIC_RET_VAL_ADDR);
}
