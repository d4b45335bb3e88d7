#pragma once
// Transactions for which a kernel writes only the registers of a request initiator that change.
// Letters of the names: S, N, D, L are source, node, destination and length. V and B are value and
// byte enables of an inline write. M, K, P are multicast, linked and posted. A capital letter sets
// the register or option, a small letter does not.

#include <stdint.h>

#include "internal/noc_nonblocking_api.h"

constexpr uint32_t CQ_NOC_FLAG_SRC = 1;
constexpr uint32_t CQ_NOC_FLAG_NOC = 2;
constexpr uint32_t CQ_NOC_FLAG_DST = 4;
constexpr uint32_t CQ_NOC_FLAG_LEN = 8;
constexpr uint32_t CQ_NOC_INLINE_FLAG_VAL = 16;
constexpr uint32_t CQ_NOC_INLINE_FLAG_BE = 32;
constexpr uint32_t CQ_NOC_CMD_FLAG_MCAST = 1;
constexpr uint32_t CQ_NOC_CMD_FLAG_LINKED = 2;
constexpr uint32_t CQ_NOC_CMD_FLAG_POSTED = 4;

// clang-format off
enum CQNocFlags : uint32_t {
  CQ_NOC_sndl = 0,  CQ_NOC_Sndl = 1,  CQ_NOC_sNdl = 2,  CQ_NOC_SNdl = 3,
  CQ_NOC_snDl = 4,  CQ_NOC_SnDl = 5,  CQ_NOC_sNDl = 6,  CQ_NOC_SNDl = 7,
  CQ_NOC_sndL = 8,  CQ_NOC_SndL = 9,  CQ_NOC_sNdL = 10, CQ_NOC_SNdL = 11,
  CQ_NOC_snDL = 12, CQ_NOC_SnDL = 13, CQ_NOC_sNDL = 14, CQ_NOC_SNDL = 15,
};
enum CQNocCmdFlags : uint32_t {
  CQ_NOC_mkp = 0, CQ_NOC_Mkp = 1, CQ_NOC_mKp = 2, CQ_NOC_MKp = 3,
  CQ_NOC_mkP = 4, CQ_NOC_MkP = 5, CQ_NOC_mKP = 6, CQ_NOC_MKP = 7,
};
enum CQNocInlineFlags : uint32_t {
  CQ_NOC_INLINE_ndvb = 0,       CQ_NOC_INLINE_Ndvb = 2,       CQ_NOC_INLINE_nDvb = 4,       CQ_NOC_INLINE_NDvb = 6,
  CQ_NOC_INLINE_ndVb = 16,      CQ_NOC_INLINE_NdVb = 16 + 2,  CQ_NOC_INLINE_nDVb = 16 + 4,  CQ_NOC_INLINE_NDVb = 16 + 6,
  CQ_NOC_INLINE_ndvB = 32,      CQ_NOC_INLINE_NdvB = 32 + 2,  CQ_NOC_INLINE_nDvB = 32 + 4,  CQ_NOC_INLINE_NDvB = 32 + 6,
  CQ_NOC_INLINE_ndVB = 48,      CQ_NOC_INLINE_NdVB = 48 + 2,  CQ_NOC_INLINE_nDVB = 48 + 4,  CQ_NOC_INLINE_NDVB = 48 + 6,
};
// clang-format on
/// Selects if the call waits for the initiator first, and if it sends.
enum CQNocWait : uint32_t { CQ_NOC_wait = 0, CQ_NOC_WAIT = 1 };
enum CQNocSend : uint32_t { CQ_NOC_send = 0, CQ_NOC_SEND = 1 };

namespace tvp::noc {
constexpr uint32_t node_of(uint64_t address) {
  return static_cast<uint32_t>(address >> NOC_ADDR_COORD_SHIFT) & NOC_COORDINATE_MASK;
}
}  // namespace tvp::noc

template <uint32_t cmd_buf>
FORCE_INLINE void noc_read_init_state(uint32_t noc) {
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL, noc_read_ctrl());
}
template <uint8_t mode = DM_DEDICATED_NOC, uint32_t cmd_buf, CQNocFlags flags,
          CQNocSend send = CQ_NOC_SEND, CQNocWait wait = CQ_NOC_WAIT>
FORCE_INLINE void noc_read_with_state(uint32_t noc, uint32_t node, uint64_t source,
                                      uint32_t destination, uint32_t bytes) {
  if constexpr (wait != 0) noc_wait_cmd_buf(noc, cmd_buf);
  if constexpr (flags & CQ_NOC_FLAG_SRC)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(source));
  if constexpr (flags & CQ_NOC_FLAG_DST)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, destination);
  if constexpr (flags & CQ_NOC_FLAG_LEN) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  if constexpr (flags & CQ_NOC_FLAG_NOC)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, node);
  if constexpr (send != 0) {
    noc_count_reads(noc, 1);
    noc_send(noc, cmd_buf);
  }
}
template <uint8_t mode = DM_DEDICATED_NOC, uint32_t cmd_buf, CQNocFlags flags,
          CQNocSend send = CQ_NOC_SEND, CQNocWait wait = CQ_NOC_WAIT>
FORCE_INLINE void noc_read_with_state(uint32_t noc, uint64_t source, uint32_t destination,
                                      uint32_t bytes) {
  noc_read_with_state<mode, cmd_buf, flags, send, wait>(noc, tvp::noc::node_of(source), source,
                                                        destination, bytes);
}

template <uint32_t cmd_buf, CQNocCmdFlags flags = CQ_NOC_mkp>
FORCE_INLINE void noc_write_init_state(uint32_t noc, uint32_t vc) {
  NOC_CMD_BUF_WRITE_REG(
      noc, cmd_buf, NOC_CTRL,
      noc_write_ctrl(vc, (flags & CQ_NOC_CMD_FLAG_MCAST) != 0,
                     (flags & CQ_NOC_CMD_FLAG_LINKED) != 0, (flags & CQ_NOC_CMD_FLAG_POSTED) != 0));
}
/// `node` is the value of TARG_ADDR_COORDINATE. The transaction is counted even if it is not sent.
template <uint8_t mode = DM_DEDICATED_NOC, uint32_t cmd_buf, CQNocFlags flags,
          CQNocSend send = CQ_NOC_SEND, CQNocWait wait = CQ_NOC_WAIT, bool update_counter = true,
          bool posted = false>
FORCE_INLINE void noc_wwrite_with_state(uint32_t noc, uint32_t source, uint32_t node,
                                        uint64_t destination, uint32_t bytes = 0,
                                        uint32_t destinations = 1) {
  if constexpr (update_counter) noc_count_writes(noc, 1, destinations, posted);
  if constexpr (wait != 0) noc_wait_cmd_buf(noc, cmd_buf);
  if constexpr (flags & CQ_NOC_FLAG_SRC)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, source);
  if constexpr (flags & CQ_NOC_FLAG_DST)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_LO, static_cast<uint32_t>(destination));
  if constexpr (flags & CQ_NOC_FLAG_NOC)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_RET_ADDR_COORDINATE, node);
  if constexpr (flags & CQ_NOC_FLAG_LEN) NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE, bytes);
  if constexpr (send != 0) noc_send(noc, cmd_buf);
}
template <uint8_t mode = DM_DEDICATED_NOC, uint32_t cmd_buf, CQNocFlags flags,
          CQNocSend send = CQ_NOC_SEND, CQNocWait wait = CQ_NOC_WAIT, bool update_counter = true,
          bool posted = false>
FORCE_INLINE void noc_write_with_state(uint32_t noc, uint32_t source, uint64_t destination,
                                       uint32_t bytes = 0, uint32_t destinations = 1) {
  noc_wwrite_with_state<mode, cmd_buf, flags, send, wait, update_counter, posted>(
      noc, source, tvp::noc::node_of(destination), destination, bytes, destinations);
}

// Inline writes, which no counter counts.
template <uint32_t cmd_buf, CQNocCmdFlags flags = CQ_NOC_mkp>
FORCE_INLINE void noc_inline_dw_write_init_state(uint32_t noc, uint32_t vc) {
  NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_CTRL,
                        noc_write_ctrl(vc, (flags & CQ_NOC_CMD_FLAG_MCAST) != 0, false,
                                       (flags & CQ_NOC_CMD_FLAG_POSTED) != 0) |
                            NOC_CMD_WR_INLINE);
}
template <uint32_t cmd_buf, CQNocInlineFlags flags, CQNocWait wait = CQ_NOC_WAIT,
          CQNocSend send = CQ_NOC_SEND>
FORCE_INLINE void noc_inline_dw_write_with_state(uint32_t noc, uint64_t destination,
                                                 uint32_t value = 0, uint8_t be = 0xF) {
  if constexpr (wait != 0) noc_wait_cmd_buf(noc, cmd_buf);
  if constexpr (flags & CQ_NOC_INLINE_FLAG_VAL)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_DATA, value);
  if constexpr (flags & CQ_NOC_FLAG_DST)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_TARG_ADDR_LO, static_cast<uint32_t>(destination));
  if constexpr (flags & CQ_NOC_FLAG_NOC)
    noc_set_node(noc, cmd_buf, NOC_TARG_ADDR_COORDINATE, destination);
  if constexpr (flags & CQ_NOC_INLINE_FLAG_BE)
    NOC_CMD_BUF_WRITE_REG(noc, cmd_buf, NOC_AT_LEN_BE,
                          noc_inline_byte_enables(static_cast<uint32_t>(destination), be));
  if constexpr (send != 0) noc_send(noc, cmd_buf);
}
