#pragma once
// The NIU's registers under the names of the kernel API (ISA NoC/MemoryMap.md, NoC/Counters.md).

#include <stdint.h>

#include "chip_numbers.h"
#include "foundation/regs/noc.h"
#include "internal/risc_attribs.h"

constexpr uint32_t NOC0_REGS_START_ADDR = tvp::regs::noc::kNiu0Base;
constexpr uint32_t NOC_INSTANCE_OFFSET = tvp::regs::noc::kNiuStride;
constexpr uint32_t NOC_CMD_BUF_OFFSET = tvp::regs::noc::kCmdBufOffset;
constexpr uint32_t NUM_NOCS = 2;

// Request initiator.
constexpr uint32_t NOC_TARG_ADDR_LO = tvp::regs::noc::kTargAddrLo;
constexpr uint32_t NOC_TARG_ADDR_MID = tvp::regs::noc::kTargAddrMid;
constexpr uint32_t NOC_TARG_ADDR_HI = tvp::regs::noc::kTargAddrHi;
constexpr uint32_t NOC_RET_ADDR_LO = tvp::regs::noc::kRetAddrLo;
constexpr uint32_t NOC_RET_ADDR_MID = tvp::regs::noc::kRetAddrMid;
constexpr uint32_t NOC_RET_ADDR_HI = tvp::regs::noc::kRetAddrHi;
constexpr uint32_t NOC_PACKET_TAG = tvp::regs::noc::kPacketTag;
constexpr uint32_t NOC_CTRL = tvp::regs::noc::kCtrl;
constexpr uint32_t NOC_AT_LEN_BE = tvp::regs::noc::kAtLenBe;
constexpr uint32_t NOC_AT_DATA = tvp::regs::noc::kAtData;
constexpr uint32_t NOC_CMD_CTRL = tvp::regs::noc::kCmdCtrl;
constexpr uint32_t NOC_NODE_ID = tvp::regs::noc::kNodeId;
constexpr uint32_t NOC_ENDPOINT_ID = tvp::regs::noc::kEndpointId;
constexpr uint32_t NOC_CLEAR_OUTSTANDING_REQ_CNT = tvp::regs::noc::kClearOutstandingReqCnt;
constexpr uint32_t NIU_CFG_0 = tvp::regs::noc::kNiuCfg0;
constexpr uint32_t NOC_ID_LOGICAL = tvp::regs::noc::kNocIdLogical;
constexpr uint32_t NOC_STATUS_BASE = tvp::regs::noc::kStatusCounters;

// The word that holds the coordinates. On Wormhole it begins with address bits 35:32.
constexpr bool NOC_COORDINATES_IN_HI = tvp::regs::noc::kMap.coordinates_in_hi;
constexpr uint32_t NOC_TARG_ADDR_COORDINATE =
    NOC_COORDINATES_IN_HI ? NOC_TARG_ADDR_HI : NOC_TARG_ADDR_MID;
constexpr uint32_t NOC_RET_ADDR_COORDINATE =
    NOC_COORDINATES_IN_HI ? NOC_RET_ADDR_HI : NOC_RET_ADDR_MID;
constexpr uint32_t NOC_ADDR_LOCAL_BITS = 36;
constexpr uint32_t NOC_ADDR_COORD_SHIFT = NOC_COORDINATES_IN_HI ? NOC_ADDR_LOCAL_BITS : 32;
constexpr uint32_t NOC_ADDR_NODE_ID_BITS = 6;
constexpr uint32_t NOC_NODE_ID_MASK = 0x3F;
// Mask of TARG_ADDR_COORDINATE and RET_ADDR_COORDINATE: both corners of a multicast, on Wormhole
// behind the four upper bits of the local address.
constexpr uint32_t NOC_COORDINATE_MASK = NOC_COORDINATES_IN_HI ? 0xFFFFFF : 0xFFFFFFF;
// Blackhole's MID word: address bits 35:32, and bit 60 for the host's memory.
constexpr uint32_t NOC_ADDR_UPPER_MASK = 0x1000000F;

constexpr uint32_t NOC_CTRL_SEND_REQ = 1;
constexpr uint32_t NOC_CTRL_STATUS_READY = 0;

// NOC_CTRL.
constexpr uint32_t NOC_CMD_CPY = 0;
constexpr uint32_t NOC_CMD_AT = tvp::regs::noc::kCmdAt;
constexpr uint32_t NOC_CMD_RD = tvp::regs::noc::kCmdRd;
constexpr uint32_t NOC_CMD_WR = tvp::regs::noc::kCmdWr;
constexpr uint32_t NOC_CMD_WR_BE = tvp::regs::noc::kCmdWrBe;
constexpr uint32_t NOC_CMD_WR_INLINE = tvp::regs::noc::kCmdWrInline;
constexpr uint32_t NOC_CMD_RESP_MARKED = tvp::regs::noc::kCmdRespMarked;
constexpr uint32_t NOC_CMD_BRCST_PACKET = tvp::regs::noc::kCmdBrcstPacket;
constexpr uint32_t NOC_CMD_VC_LINKED = tvp::regs::noc::kCmdVcLinked;
constexpr uint32_t NOC_CMD_VC_STATIC = tvp::regs::noc::kCmdVcStatic;
constexpr uint32_t NOC_CMD_PATH_RESERVE = tvp::regs::noc::kCmdPathReserve;
constexpr uint32_t NOC_CMD_BRCST_XY_X = 0;
constexpr uint32_t NOC_CMD_BRCST_SRC_INCLUDE = tvp::regs::noc::kCmdBrcstSrcInclude;
constexpr uint32_t NOC_CMD_STATIC_VC(uint32_t vc) {
  return vc << 13;
}  // bit 0 buddy, bits 2:1 class

constexpr uint32_t NOC_PACKET_TAG_TRANSACTION_ID(uint32_t id) {
  return id << tvp::regs::noc::kTagTransactionIdShift;
}

// NOC_AT_LEN_BE of an atomic (ISA NoC/Atomics.md).
constexpr uint32_t NOC_AT_INS_INCR_GET = 1;
constexpr uint32_t NOC_AT_INS(uint32_t instruction) { return instruction << 12; }
constexpr uint32_t NOC_AT_WRAP(uint32_t wrap) { return wrap << 2; }
constexpr uint32_t NOC_AT_IND_32(uint32_t index) { return index; }
constexpr uint32_t NOC_AT_IND_32_SRC(uint32_t index) { return index << 10; }

// Counters, index of NOC_STATUS.
constexpr uint32_t NIU_MST_ATOMIC_RESP_RECEIVED = tvp::regs::noc::kMstAtomicRespReceived;
constexpr uint32_t NIU_MST_WR_ACK_RECEIVED = tvp::regs::noc::kMstWrAckReceived;
constexpr uint32_t NIU_MST_RD_RESP_RECEIVED = tvp::regs::noc::kMstRdRespReceived;
constexpr uint32_t NIU_MST_RD_DATA_WORD_RECEIVED = tvp::regs::noc::kMstRdDataWordReceived;
constexpr uint32_t NIU_MST_CMD_ACCEPTED = tvp::regs::noc::kMstCmdAccepted;
constexpr uint32_t NIU_MST_RD_REQ_SENT = tvp::regs::noc::kMstRdReqSent;
constexpr uint32_t NIU_MST_NONPOSTED_ATOMIC_SENT = tvp::regs::noc::kMstNonpostedAtomicSent;
constexpr uint32_t NIU_MST_POSTED_ATOMIC_SENT = tvp::regs::noc::kMstPostedAtomicSent;
constexpr uint32_t NIU_MST_NONPOSTED_WR_DATA_WORD_SENT =
    tvp::regs::noc::kMstNonpostedWrDataWordSent;
constexpr uint32_t NIU_MST_POSTED_WR_DATA_WORD_SENT = tvp::regs::noc::kMstPostedWrDataWordSent;
constexpr uint32_t NIU_MST_NONPOSTED_WR_REQ_SENT = tvp::regs::noc::kMstNonpostedWrReqSent;
constexpr uint32_t NIU_MST_POSTED_WR_REQ_SENT = tvp::regs::noc::kMstPostedWrReqSent;
constexpr uint32_t NIU_MST_NONPOSTED_WR_REQ_STARTED = tvp::regs::noc::kMstNonpostedWrReqStarted;
constexpr uint32_t NIU_MST_POSTED_WR_REQ_STARTED = tvp::regs::noc::kMstPostedWrReqStarted;
constexpr uint32_t NIU_MST_RD_REQ_STARTED = tvp::regs::noc::kMstRdReqStarted;
constexpr uint32_t NIU_MST_NONPOSTED_ATOMIC_STARTED = tvp::regs::noc::kMstNonpostedAtomicStarted;
constexpr uint32_t NIU_SLV_ATOMIC_RESP_SENT = tvp::regs::noc::kSlvAtomicRespSent;
constexpr uint32_t NIU_SLV_WR_ACK_SENT = tvp::regs::noc::kSlvWrAckSent;
constexpr uint32_t NIU_SLV_RD_RESP_SENT = tvp::regs::noc::kSlvRdRespSent;
constexpr uint32_t NIU_SLV_RD_DATA_WORD_SENT = tvp::regs::noc::kSlvRdDataWordSent;
constexpr uint32_t NIU_SLV_REQ_ACCEPTED = tvp::regs::noc::kSlvReqAccepted;
constexpr uint32_t NIU_SLV_RD_REQ_RECEIVED = tvp::regs::noc::kSlvRdReqReceived;
constexpr uint32_t NIU_SLV_NONPOSTED_ATOMIC_RECEIVED = tvp::regs::noc::kSlvNonpostedAtomicReceived;
constexpr uint32_t NIU_SLV_POSTED_ATOMIC_RECEIVED = tvp::regs::noc::kSlvPostedAtomicReceived;
constexpr uint32_t NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED =
    tvp::regs::noc::kSlvNonpostedWrDataWordReceived;
constexpr uint32_t NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED =
    tvp::regs::noc::kSlvPostedWrDataWordReceived;
constexpr uint32_t NIU_SLV_NONPOSTED_WR_REQ_RECEIVED = tvp::regs::noc::kSlvNonpostedWrReqReceived;
constexpr uint32_t NIU_SLV_POSTED_WR_REQ_RECEIVED = tvp::regs::noc::kSlvPostedWrReqReceived;
constexpr uint32_t NIU_SLV_NONPOSTED_WR_REQ_STARTED = tvp::regs::noc::kSlvNonpostedWrReqStarted;
constexpr uint32_t NIU_SLV_POSTED_WR_REQ_STARTED = tvp::regs::noc::kSlvPostedWrReqStarted;
constexpr uint32_t NIU_MST_REQS_OUTSTANDING_ID(uint32_t id) {
  return tvp::regs::noc::kMstReqsOutstandingId + id;
}
constexpr uint32_t NIU_MST_WRITE_REQS_OUTGOING_ID(uint32_t id) {
  return tvp::regs::noc::kMstWriteReqsOutgoingId + id;
}

constexpr uint32_t NOC_MAX_BURST_SIZE = tvp::regs::noc::kMaxPacketBytes;
constexpr uint32_t NOC_MAX_BURST_WORDS = NOC_MAX_BURST_SIZE / tvp::regs::noc::kFlitBytes;
constexpr uint32_t NOC_MAX_TRANSACTION_ID = 15;
constexpr uint32_t NOC_MAX_TRANSACTION_ID_COUNT = 255;
constexpr uint32_t NOC_CLEAR_OUTSTANDING_REQ_MASK = 0xFFFF;
constexpr uint32_t NOC_WORD_BYTES = tvp::regs::noc::kFlitBytes;
constexpr uint32_t NOC_L1_READ_ALIGNMENT_BYTES = 16;
constexpr uint32_t NOC_L1_WRITE_ALIGNMENT_BYTES = 16;
constexpr uint32_t NOC_DRAM_READ_ALIGNMENT_BYTES = tvp::regs::noc::kFlitBytes;
constexpr uint32_t NOC_DRAM_WRITE_ALIGNMENT_BYTES = 16;
constexpr uint32_t NOC_PCIE_READ_ALIGNMENT_BYTES = tvp::regs::noc::kFlitBytes;
constexpr uint32_t NOC_PCIE_WRITE_ALIGNMENT_BYTES = 16;
// Alignment of buffers that suits both reads and writes.
constexpr uint32_t L1_ALIGNMENT = 16;
constexpr uint32_t DRAM_ALIGNMENT = NOC_DRAM_READ_ALIGNMENT_BYTES;
constexpr uint32_t PCIE_ALIGNMENT = NOC_PCIE_READ_ALIGNMENT_BYTES;

FORCE_INLINE volatile uint32_t* noc_reg_ptr(uint32_t noc, uint32_t offset) {
  return reinterpret_cast<volatile uint32_t*>(NOC0_REGS_START_ADDR + noc * NOC_INSTANCE_OFFSET +
                                              offset);
}
FORCE_INLINE void NOC_CMD_BUF_WRITE_REG(uint32_t noc, uint32_t buf, uint32_t reg, uint32_t value) {
  *noc_reg_ptr(noc, buf * NOC_CMD_BUF_OFFSET + reg) = value;
}
// Sets the node of a NoC address, and the address bits above 31 that are in a word of their own.
// `reg` is NOC_TARG_ADDR_COORDINATE or NOC_RET_ADDR_COORDINATE.
FORCE_INLINE void noc_set_node(uint32_t noc, uint32_t buf, uint32_t reg, uint64_t address) {
  if constexpr (NOC_COORDINATES_IN_HI) {
    NOC_CMD_BUF_WRITE_REG(noc, buf, reg - 4,
                          static_cast<uint32_t>(address >> 32) & NOC_ADDR_UPPER_MASK);
  }
  NOC_CMD_BUF_WRITE_REG(noc, buf, reg,
                        static_cast<uint32_t>(address >> NOC_ADDR_COORD_SHIFT) &
                            (NOC_COORDINATES_IN_HI ? NOC_COORDINATE_MASK : ~0u));
}
FORCE_INLINE uint32_t NOC_CMD_BUF_READ_REG(uint32_t noc, uint32_t buf, uint32_t reg) {
  return *noc_reg_ptr(noc, buf * NOC_CMD_BUF_OFFSET + reg);
}
FORCE_INLINE uint32_t NOC_STATUS_READ_REG(uint32_t noc, uint32_t index) {
  return *noc_reg_ptr(noc, NOC_STATUS_BASE + index * 4);
}

// Kernels get coordinates from the host. If the chip translates coordinates, they are equal on both
// NoCs (ISA NoC/Coordinates.md) and need no conversion. Otherwise they are those of NoC 0, and NoC
// 1 numbers the tiles from the opposite corner. The name is the public kernel API's.
#if !defined(COORDINATE_VIRTUALIZATION_ENABLED)
#define COORDINATE_VIRTUALIZATION_ENABLED 1
#endif
constexpr uint32_t noc_size_x = tvp::chip::kColumns;
constexpr uint32_t noc_size_y = tvp::chip::kRows;
constexpr uint32_t NOC_0_X_PHYS_COORD(uint32_t noc, uint32_t size, uint32_t x) {
  return noc == 0 ? x : size - 1 - x;
}
constexpr uint32_t NOC_0_Y_PHYS_COORD(uint32_t noc, uint32_t size, uint32_t y) {
  return noc == 0 ? y : size - 1 - y;
}
FORCE_INLINE constexpr uint32_t DYNAMIC_NOC_X(uint32_t noc, uint32_t x) {
  return COORDINATE_VIRTUALIZATION_ENABLED ? x : NOC_0_X_PHYS_COORD(noc, noc_size_x, x);
}
FORCE_INLINE constexpr uint32_t DYNAMIC_NOC_Y(uint32_t noc, uint32_t y) {
  return COORDINATE_VIRTUALIZATION_ENABLED ? y : NOC_0_Y_PHYS_COORD(noc, noc_size_y, y);
}

// The upper word of a NoC address.
constexpr uint32_t NOC_XY_ENCODING(uint32_t x, uint32_t y) {
  return (x << (NOC_ADDR_LOCAL_BITS - NOC_ADDR_COORD_SHIFT)) |
         (y << (NOC_ADDR_LOCAL_BITS - NOC_ADDR_COORD_SHIFT + NOC_ADDR_NODE_ID_BITS));
}
constexpr uint64_t NOC_XY_ADDR(uint32_t x, uint32_t y, uint64_t addr) {
  return (uint64_t(NOC_XY_ENCODING(x, y)) << NOC_ADDR_COORD_SHIFT) | addr;
}
constexpr uint32_t NOC_MULTICAST_ENCODING(uint32_t x_start, uint32_t y_start, uint32_t x_end,
                                          uint32_t y_end) {
  return NOC_XY_ENCODING(x_end, y_end) | (NOC_XY_ENCODING(x_start, y_start) << 12);
}
/// Multicast address of the cores between two corners.
constexpr uint64_t NOC_MULTICAST_ADDR(uint32_t x_start, uint32_t y_start, uint32_t x_end,
                                      uint32_t y_end, uint64_t addr) {
  return (uint64_t(NOC_MULTICAST_ENCODING(x_start, y_start, x_end, y_end))
          << NOC_ADDR_COORD_SHIFT) |
         addr;
}
// An address in the host's memory, behind the PCIe tile (ISA PCIExpressTile/README.md).
constexpr uint64_t NOC_XY_PCIE_ENCODING(uint32_t x, uint32_t y, uint32_t noc = 0) {
  return NOC_XY_ADDR(x, y, tvp::chip::kHostWindow);
}
// The PCIe tile, for NOC_X and NOC_Y of the core's own NoC.
#if !defined(PCIE_NOC_X)
#define PCIE_NOC_X                                                       \
  (COORDINATE_VIRTUALIZATION_ENABLED && tvp::chip::kFirstTranslated != 0 \
       ? NOC_0_X_PHYS_COORD(noc_index, noc_size_x, tvp::chip::kPcieX)    \
       : tvp::chip::kPcieX)
#define PCIE_NOC_Y                                                       \
  (COORDINATE_VIRTUALIZATION_ENABLED && tvp::chip::kFirstTranslated != 0 \
       ? NOC_0_Y_PHYS_COORD(noc_index, noc_size_y, tvp::chip::kPcieY)    \
       : tvp::chip::kPcieY)
#endif
constexpr uint32_t NOC_LOCAL_ADDR_OFFSET(uint64_t addr) { return static_cast<uint32_t>(addr); }
constexpr uint32_t NOC_UNICAST_ADDR_X(uint64_t addr) { return (addr >> 36) & NOC_NODE_ID_MASK; }
constexpr uint32_t NOC_UNICAST_ADDR_Y(uint64_t addr) { return (addr >> 42) & NOC_NODE_ID_MASK; }

// First translated coordinates of Tensix tiles (ISA NoC/Coordinates.md).
constexpr uint32_t VIRTUAL_TENSIX_START_X = tvp::chip::kFirstTensixX;
constexpr uint32_t VIRTUAL_TENSIX_START_Y = tvp::chip::kFirstTensixY;

// Coordinates from the host for this core's NoC.
#define NOC_X(x) DYNAMIC_NOC_X(noc_index, x)
#define NOC_Y(y) DYNAMIC_NOC_Y(noc_index, y)
