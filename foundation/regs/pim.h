#pragma once

#include <cstdint>

// Memory map and registers of a PIM unit: an RV32IM core beside a DRAM bank. Sizes of the memories
// are those of an UPMEM DPU; the map and the registers are this platform's own.

namespace tvp::regs::pim {

/// Working memory: data, stack, buffers. The DMA engine and the stop access all of it.
inline constexpr std::uint32_t kWram = 0;
inline constexpr std::uint32_t kWramBytes = 64 * 1024;
/// Instruction memory. Loads and stores do not reach it.
inline constexpr std::uint32_t kIram = 0xFFC00000;
inline constexpr std::uint32_t kIramBytes = 24 * 1024;

inline constexpr std::uint32_t kMaxUnits = 4096;

// Windows of registers; all registers are 32 bits wide.
inline constexpr std::uint32_t kControl = 0xFFB10000;
inline constexpr std::uint32_t kDma = 0xFFB11000;
inline constexpr std::uint32_t kStop = 0xFFB12000;
inline constexpr std::uint32_t kBarrier = 0xFFB13000;
inline constexpr std::uint32_t kTasklets = 0xFFB14000;
inline constexpr std::uint32_t kWindowBytes = 0x1000;

/// Hardware threads of a unit (`pim.tasklets`): as many as those of an UPMEM DPU.
inline constexpr std::uint32_t kMaxTasklets = 24;

namespace control {  // offsets from kControl
#define CONTROL(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/pim.def"
}  // namespace control

/// DMA engine between the bank and WRAM. It serves descriptors in order. Addresses and lengths are
/// multiples of kAlignment.
namespace dma {  // offsets from kDma
#define DMA(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/pim.def"

inline constexpr std::uint32_t kGoRead = 1;   ///< bank to WRAM
inline constexpr std::uint32_t kGoWrite = 2;  ///< WRAM to bank
inline constexpr std::uint32_t kAlignment = 8;
inline constexpr std::uint32_t kQueue = 4;  ///< descriptors, including the one in service
}  // namespace dma

/// PIM stop: sends messages to windows in the WRAM of other units. Messages (multicasts included)
/// of one source to one destination arrive and count in the order in which they were sent, whatever
/// their channels. Results of reductions arrive in the order of their channel. The bytes of a
/// message arrive in any order before it counts. Addresses, offsets and lengths are multiples of
/// kAlignment. A message of 0 bytes only counts.
namespace stop {  // offsets from kStop
#define STOP(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/pim.def"

inline constexpr std::uint32_t kOrderMulticast = 1;  ///< bits 0 to 3
inline constexpr std::uint32_t kOrderReduce = 2;
inline constexpr std::uint32_t kOpShift = 4;  ///< bits 4 to 7
inline constexpr std::uint32_t kOpSum = 0;
inline constexpr std::uint32_t kOpMax = 1;
inline constexpr std::uint32_t kOpMin = 2;
inline constexpr std::uint32_t kOpProd = 3;
inline constexpr std::uint32_t kTypeShift = 8;  ///< bits 8 to 11
inline constexpr std::uint32_t kTypeInt32 = 0;
inline constexpr std::uint32_t kTypeInt64 = 1;
inline constexpr std::uint32_t kTypeFp32 = 2;
inline constexpr std::uint32_t kTypeBf16 = 3;
/// In an order with this bit, kFromChips and kToChips have ranges instead of a bit for each chip.
inline constexpr std::uint32_t kOrderRanges = 1U << 12;
/// Bits 0 to 9 of a range are its first chip, bits 10 to 19 the number of chips, bits 20 to 29 the
/// distance between two of them. A multicast to a range leaves out the chip that sends it.
inline constexpr std::uint32_t kRangeMask = 0x3FF;
inline constexpr std::uint32_t kRangeCountShift = 10;
inline constexpr std::uint32_t kRangeStrideShift = 20;
/// `count` chips from `first` on, each `stride` behind the one before.
inline constexpr std::uint32_t chip_range(std::uint32_t first, std::uint32_t count,
                                          std::uint32_t stride = 1) {
  return first | count << kRangeCountShift | stride << kRangeStrideShift;
}
inline constexpr std::uint32_t kMaskChips = 32;  ///< chips that have a bit

inline constexpr std::uint32_t kChannels = 16;
// Registers of each channel, at kWindows + channel * kWindowStride.
inline constexpr std::uint32_t kWindows = 0x100;
inline constexpr std::uint32_t kWindowStride = 0x10;
inline constexpr std::uint32_t kWindowBase = 0x0;   ///< rw: WRAM address
inline constexpr std::uint32_t kWindowBytes = 0x4;  ///< rw: 0 accepts only messages of 0 bytes
/// r: messages that are in WRAM, free-running. A core can wait for it.
inline constexpr std::uint32_t kArrivals = 0x8;

inline constexpr std::uint32_t kAlignment = 4;
inline constexpr std::uint32_t kQueue = 4;  ///< messages
}  // namespace stop

/// Barrier of all units that start together.
namespace barrier {  // offsets from kBarrier
#define BARRIER(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/pim.def"
}  // namespace barrier

/// The tasklets of a unit, which share its WRAM and code. Registers of the core, not of its bus.
namespace tasklet {  // offsets from kTasklets
#define TASKLET(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/pim.def"

inline constexpr std::uint32_t kMutexes = 32;
/// Major opcode (custom-0) of the instruction that moves bytes between bank and WRAM and stops its
/// tasklet until they are there, as ldma and sdma of a DPU do. Form R4: rs1 is the address in WRAM,
/// rs2 that in the bank, rs3 the length.
inline constexpr std::uint32_t kMoveOpcode = 0x0B;
inline constexpr std::uint32_t kMoveRead = 0;   ///< funct3: bank to WRAM
inline constexpr std::uint32_t kMoveWrite = 1;  ///< funct3: WRAM to bank
/// Longest transfer of that instruction: that of ldma (UPMEM SDK documentation).
inline constexpr std::uint32_t kMoveBytes = 2048;
}  // namespace tasklet

}  // namespace tvp::regs::pim
