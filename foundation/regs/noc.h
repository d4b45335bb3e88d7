#pragma once

#include <stdint.h>

/// NoC interface unit (NIU) register map of Wormhole (ISA NoC/MemoryMap.md, NoC/Counters.md).
/// Freestanding: models and firmware both include it.
namespace tvp::regs::noc {

// Addresses of the two NIUs in the cores of Tensix and ethernet tiles.
inline constexpr uint32_t kNiu0Base = 0xFFB20000;
inline constexpr uint32_t kNiu1Base = 0xFFB30000;
inline constexpr uint32_t kNiuStride = 0x10000;
/// First MMIO address of Tensix and ethernet tiles; below is L1 (ISA NoC/Alignment.md).
inline constexpr uint32_t kFirstMmioAddress = 0xFF000000;

inline constexpr uint32_t kFlitBytes = 32;
inline constexpr uint32_t kMaxPacketBytes = 8192;
inline constexpr uint32_t kInitiators = 4;
inline constexpr uint32_t kTransactionIds = 16;

// Request initiator i starts at i * kCmdBufOffset. Offsets of registers and numbers of counters.
inline constexpr uint32_t kCmdBufOffset = 0x400;
#define INITIATOR(Name, offset, count, access) inline constexpr uint32_t k##Name = offset;
#define NIU(Name, offset, count, access) inline constexpr uint32_t k##Name = offset;
#define COUNTER(Name, offset, count, access) inline constexpr uint32_t k##Name = offset;
#include "foundation/regs/noc.def"

inline constexpr uint32_t kNiuCfgTileClockDisable = 1u << 12;
inline constexpr uint32_t kNiuCfgDoubleStoreDisable = 1u << 13;
inline constexpr uint32_t kNiuCfgIdTranslateEnable = 1u << 14;

// CTRL.
inline constexpr uint32_t kCmdTypeMask = 0x3;
inline constexpr uint32_t kCmdRd = 0;
inline constexpr uint32_t kCmdAt = 1;
inline constexpr uint32_t kCmdWr = 2;
inline constexpr uint32_t kCmdWrBe = 1u << 2;
inline constexpr uint32_t kCmdWrInline = 1u << 3;
inline constexpr uint32_t kCmdRespMarked = 1u << 4;
inline constexpr uint32_t kCmdBrcstPacket = 1u << 5;
inline constexpr uint32_t kCmdVcLinked = 1u << 6;
inline constexpr uint32_t kCmdVcStatic = 1u << 7;
inline constexpr uint32_t kCmdPathReserve = 1u << 8;
inline constexpr uint32_t kCmdMemRdDropAck = 1u << 9;
inline constexpr uint32_t kCmdOutputPortsShift = 10;  ///< 3 bits, written by hardware
inline constexpr uint32_t kCmdStaticVcShift = 13;     ///< buddy bit, then two class bits
inline constexpr uint32_t kCmdStaticVcMask = 0x7;
inline constexpr uint32_t kCmdBrcstXy = 1u << 16;
inline constexpr uint32_t kCmdBrcstSrcInclude = 1u << 17;
inline constexpr uint32_t kCmdArbPriorityShift = 27;
inline constexpr uint32_t kCmdArbPriorityMask = 0xF;

/// CTRL field of a static virtual channel: class bits 2:1, buddy bit 0.
inline constexpr uint32_t static_vc(uint32_t vc) {
  return kCmdVcStatic | (vc & kCmdStaticVcMask) << kCmdStaticVcShift;
}

// PACKET_TAG.
inline constexpr uint32_t kTagStreamMask = 0x3F;
inline constexpr uint32_t kTagDeliverToOverlay = 1u << 6;
inline constexpr uint32_t kTagFirstOfMessage = 1u << 7;
inline constexpr uint32_t kTagLastOfMessage = 1u << 8;
inline constexpr uint32_t kTagHeaderStore = 1u << 9;
inline constexpr uint32_t kTagTransactionIdShift = 10;
inline constexpr uint32_t kTagTransactionIdMask = 0xF;

// TARG_ADDR_MID, RET_ADDR_MID: address bits 35:32, then coordinates of 6 bits each.
inline constexpr uint32_t kMidAddressMask = 0xF;
inline constexpr uint32_t kMidXShift = 4;
inline constexpr uint32_t kMidYShift = 10;
inline constexpr uint32_t kMidStartXShift = 16;
inline constexpr uint32_t kMidStartYShift = 22;
inline constexpr uint32_t kCoordinateMask = 0x3F;

/// MID register of a unicast request.
inline constexpr uint32_t mid_unicast(uint32_t x, uint32_t y, uint32_t address_hi = 0) {
  return (address_hi & kMidAddressMask) | x << kMidXShift | y << kMidYShift;
}
/// MID register of a broadcast request; start and end in the direction of the NoC's data flow.
inline constexpr uint32_t mid_broadcast(uint32_t start_x, uint32_t start_y, uint32_t end_x,
                                        uint32_t end_y) {
  return end_x << kMidXShift | end_y << kMidYShift | start_x << kMidStartXShift |
         start_y << kMidStartYShift;
}

// AT_LEN_BE of an atomic (ISA NoC/Atomics.md).
inline constexpr uint32_t kAtOpcodeShift = 12;
inline constexpr uint32_t kAtOpcodeMask = 0x7;
inline constexpr uint32_t kAtIncrement = 1;
inline constexpr uint32_t kAtSwapMask = 3;
inline constexpr uint32_t kAtCompareAndSwap = 4;
inline constexpr uint32_t kAtSwapIndex6 = 6;  ///< bit 2 must be set
inline constexpr uint32_t kAtSwapIndex7 = 7;

inline constexpr uint32_t at_increment(uint32_t word, uint32_t int_width = 31) {
  return kAtIncrement << kAtOpcodeShift | (int_width & 31) << 2 | (word & 3);
}
inline constexpr uint32_t at_compare_and_swap(uint32_t word, uint32_t compare, uint32_t set) {
  return kAtCompareAndSwap << kAtOpcodeShift | (set & 15) << 6 | (compare & 15) << 2 | (word & 3);
}
inline constexpr uint32_t at_swap_mask(uint32_t halfwords) {
  return kAtSwapMask << kAtOpcodeShift | (halfwords & 0xFF) << 2;
}
inline constexpr uint32_t at_swap_index(uint32_t word) {
  return kAtSwapIndex7 << kAtOpcodeShift | (word & 3) << 2;
}

// NODE_ID, NOC_ID_LOGICAL.
inline constexpr uint32_t kNodeIdXShift = 0;
inline constexpr uint32_t kNodeIdYShift = 6;
inline constexpr uint32_t kNodeIdWidthShift = 12;
inline constexpr uint32_t kNodeIdHeightShift = 19;
inline constexpr uint32_t kNodeIdDatelineX = 1u << 26;
inline constexpr uint32_t kNodeIdDatelineY = 1u << 27;
inline constexpr uint32_t kNodeIdXFirst = 1u << 28;

// ENDPOINT_ID.
inline constexpr uint32_t kEndpointIndexShift = 0;
inline constexpr uint32_t kEndpointGroupShift = 8;
inline constexpr uint32_t kEndpointTypeShift = 16;
inline constexpr uint32_t kEndpointNocShift = 24;

inline constexpr uint32_t kCounters = 64;

/// Offset of counter `index` from the NIU's base.
inline constexpr uint32_t counter_offset(uint32_t index) { return kStatusCounters + 4 * index; }

}  // namespace tvp::regs::noc
