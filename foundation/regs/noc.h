#pragma once

#include <stdint.h>

#include "foundation/regs/generation.h"

/// NoC interface unit (NIU) register map (ISA NoC/MemoryMap.md, NoC/Counters.md, also of
/// BlackholeA0). Freestanding: models and firmware both include it. In firmware, constants are
/// those of its generation, elsewhere those of Wormhole; `map` has both.
namespace tvp::regs::noc {

// Addresses of the two NIUs in the cores of Tensix and ethernet tiles.
inline constexpr uint32_t kNiu0Base = 0xFFB20000;
inline constexpr uint32_t kNiu1Base = 0xFFB30000;
inline constexpr uint32_t kNiuStride = 0x10000;
/// First MMIO address of Tensix and ethernet tiles; below is L1 (ISA NoC/Alignment.md).
inline constexpr uint32_t kFirstMmioAddress = 0xFF000000;

inline constexpr uint32_t kInitiators = 4;
inline constexpr uint32_t kTransactionIds = 16;
inline constexpr uint32_t kNone = 0xFFFFFFFF;  ///< offset of a register that is not there

/// The registers of a request initiator.
enum class InitiatorRegister : uint8_t {
#define INITIATOR(Name, wormhole, blackhole, count, access) k##Name,
#include "foundation/regs/noc.def"
  kAbsent,
};

/// The numbers of a generation's NIUs and links.
struct Map {
  uint32_t flit_bytes;
  uint32_t max_packet_bytes;
  uint32_t initiator_stride;  ///< request initiator i starts at i times this
  uint32_t config_end;        ///< end of the configuration registers, which begin at NiuCfg0
  uint32_t table_entry_bits;  ///< width of a coordinate in a table
  uint32_t split_alignment;   ///< alignment of requests of several packets
  bool inline_to_l1;          ///< inline writes to L1 are safe (tt-metal issue 18558)
  bool coordinates_in_hi;     ///< TARG_ADDR_HI has the coordinates, and MID all upper address bits
  // Offsets of registers.
#define INITIATOR(Name, wormhole, blackhole, count, access) uint32_t Name;
#define NIU(Name, wormhole, blackhole, count, access) uint32_t Name;
#include "foundation/regs/noc.def"
};

inline constexpr Map kWormholeMap = {
    32, 8192, 0x400, 0x13C, 4, 16, true, false,
#define INITIATOR(Name, wormhole, blackhole, count, access) wormhole,
#define NIU(Name, wormhole, blackhole, count, access) wormhole,
#include "foundation/regs/noc.def"
};
inline constexpr Map kBlackholeMap = {
    64, 16384, 0x800, 0x180, 5, 64, false, true,
#define INITIATOR(Name, wormhole, blackhole, count, access) blackhole,
#define NIU(Name, wormhole, blackhole, count, access) blackhole,
#include "foundation/regs/noc.def"
};
constexpr const Map& map(Generation generation) {
  return generation == Generation::kBlackhole ? kBlackholeMap : kWormholeMap;
}

#if defined(ARCH_BLACKHOLE)
inline constexpr const Map& kMap = kBlackholeMap;
#else
inline constexpr const Map& kMap = kWormholeMap;
#endif
inline constexpr uint32_t kFlitBytes = kMap.flit_bytes;
inline constexpr uint32_t kMaxPacketBytes = kMap.max_packet_bytes;
inline constexpr uint32_t kCmdBufOffset = kMap.initiator_stride;
// Offsets of registers and numbers of counters.
#define INITIATOR(Name, wormhole, blackhole, count, access) \
  inline constexpr uint32_t k##Name = kMap.Name;
#define NIU(Name, wormhole, blackhole, count, access) inline constexpr uint32_t k##Name = kMap.Name;
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

// The coordinates of a target: four numbers of 6 bits. On Wormhole they follow address bits 35:32
// in TARG_ADDR_MID and RET_ADDR_MID, on Blackhole they are in TARG_ADDR_HI and RET_ADDR_HI.
inline constexpr uint32_t kToXShift = 0;
inline constexpr uint32_t kToYShift = 6;
inline constexpr uint32_t kToStartXShift = 12;
inline constexpr uint32_t kToStartYShift = 18;
inline constexpr uint32_t kCoordinateMask = 0x3F;
inline constexpr uint32_t kMidAddressMask = 0xF;
inline constexpr uint32_t kMidToShift = 4;

constexpr uint32_t to_unicast(uint32_t x, uint32_t y) { return x << kToXShift | y << kToYShift; }
/// Start and end in the direction of the NoC's data flow.
constexpr uint32_t to_broadcast(uint32_t start_x, uint32_t start_y, uint32_t end_x,
                                uint32_t end_y) {
  return to_unicast(end_x, end_y) | start_x << kToStartXShift | start_y << kToStartYShift;
}

/// Wormhole's MID register of a unicast request.
inline constexpr uint32_t mid_unicast(uint32_t x, uint32_t y, uint32_t address_hi = 0) {
  return (address_hi & kMidAddressMask) | to_unicast(x, y) << kMidToShift;
}
/// Wormhole's MID register of a broadcast request.
inline constexpr uint32_t mid_broadcast(uint32_t start_x, uint32_t start_y, uint32_t end_x,
                                        uint32_t end_y) {
  return to_broadcast(start_x, start_y, end_x, end_y) << kMidToShift;
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
