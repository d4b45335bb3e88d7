#pragma once

#include <cstdint>

// Memory map and registers of a PIM unit: an RV32IM core beside a DRAM bank. Sizes of the memories
// are those of an UPMEM DPU; the map and the registers are this platform's own.

namespace tvp::regs::pim {

/// Working memory: data, stack, buffers. The DMA engine and the stop reach all of it.
inline constexpr std::uint32_t kWram = 0;
inline constexpr std::uint32_t kWramBytes = 64 * 1024;
/// Instruction memory: executes only; loads and stores do not reach it.
inline constexpr std::uint32_t kIram = 0xFFC00000;
inline constexpr std::uint32_t kIramBytes = 24 * 1024;

inline constexpr std::uint32_t kMaxUnits = 4096;

// Windows of registers; all registers are 32 bits wide.
inline constexpr std::uint32_t kControl = 0xFFB10000;
inline constexpr std::uint32_t kDma = 0xFFB11000;
inline constexpr std::uint32_t kStop = 0xFFB12000;
inline constexpr std::uint32_t kBarrier = 0xFFB13000;
inline constexpr std::uint32_t kWindowBytes = 0x1000;

namespace control {                                // offsets from kControl
inline constexpr std::uint32_t kUnit = 0x00;       ///< r: number of this unit
inline constexpr std::uint32_t kUnits = 0x04;      ///< r: units of the system
inline constexpr std::uint32_t kTimerLow = 0x08;   ///< r: logic cycles; latches the high half
inline constexpr std::uint32_t kTimerHigh = 0x0C;  ///< r: as latched
inline constexpr std::uint32_t kPrint = 0x10;      ///< w: one character for the host
inline constexpr std::uint32_t kExit = 0x14;       ///< w: status for the host; stops the core
}  // namespace control

/// Moves bytes between the bank and WRAM. Descriptors are served in order. Addresses and lengths
/// are multiples of kAlignment.
namespace dma {                                      // offsets from kDma
inline constexpr std::uint32_t kWramAddress = 0x00;  ///< rw
inline constexpr std::uint32_t kBankAddress = 0x04;  ///< rw
inline constexpr std::uint32_t kBytes = 0x08;        ///< rw
/// w: queues a descriptor of the three above; the store waits while the queue is full.
inline constexpr std::uint32_t kGo = 0x0C;
inline constexpr std::uint32_t kIssued = 0x10;  ///< r: descriptors queued so far
inline constexpr std::uint32_t kCompleted =
    0x14;  ///< r: descriptors done so far; can be waited for

inline constexpr std::uint32_t kGoRead = 1;   ///< bank to WRAM
inline constexpr std::uint32_t kGoWrite = 2;  ///< WRAM to bank
inline constexpr std::uint32_t kAlignment = 8;
inline constexpr std::uint32_t kQueue = 4;  ///< descriptors, the one under way included
}  // namespace dma

/// PIM stop: sends messages to windows in the WRAM of other units. Messages of one source to one
/// destination and channel are counted there in the order in which they were sent. Addresses,
/// offsets and lengths are multiples of kAlignment; a message of 0 bytes only counts.
namespace stop {                                     // offsets from kStop
inline constexpr std::uint32_t kDestination = 0x00;  ///< rw: unit
inline constexpr std::uint32_t kChannel = 0x04;      ///< rw
inline constexpr std::uint32_t kWramAddress = 0x08;  ///< rw: of the bytes to send
inline constexpr std::uint32_t kBytes = 0x0C;        ///< rw
inline constexpr std::uint32_t kOffset = 0x10;       ///< rw: in the window of the destination
/// w: queues a message of the five above; the store waits while the queue is full.
inline constexpr std::uint32_t kGo = 0x14;
inline constexpr std::uint32_t kIssued = 0x18;  ///< r: messages queued so far
/// r: messages whose bytes in WRAM may be overwritten; can be waited for.
inline constexpr std::uint32_t kSent = 0x1C;

// Orders to the switch between the chips of a rank, about the units that have the same number in
// their chips. Channel, WRAM address, length and offset are those of a message.
inline constexpr std::uint32_t kOrder = 0x20;      ///< rw: kind, op and type
inline constexpr std::uint32_t kFromChips = 0x24;  ///< rw: that send to a reduction, a bit each
inline constexpr std::uint32_t kToChips = 0x28;    ///< rw: that receive
/// w: queues an order as kGo does a message. A multicast is a message to each receiver. To a
/// reduction the units of all its chips send the same order; each receives what the switch makes of
/// them as a message of its own, in the order of its reductions.
inline constexpr std::uint32_t kGoSwitch = 0x2C;

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

inline constexpr std::uint32_t kChannels = 16;
// Of each channel, at kWindows + channel * kWindowStride.
inline constexpr std::uint32_t kWindows = 0x100;
inline constexpr std::uint32_t kWindowStride = 0x10;
inline constexpr std::uint32_t kWindowBase = 0x0;   ///< rw: WRAM address
inline constexpr std::uint32_t kWindowBytes = 0x4;  ///< rw: 0 takes only messages of 0 bytes
/// r: messages that are in WRAM, free-running; can be waited for.
inline constexpr std::uint32_t kArrivals = 0x8;

inline constexpr std::uint32_t kAlignment = 4;
inline constexpr std::uint32_t kQueue = 4;  ///< messages
}  // namespace stop

/// Barrier of all units that were started together.
namespace barrier {                                 // offsets from kBarrier
inline constexpr std::uint32_t kArrive = 0x00;      ///< w: any value
inline constexpr std::uint32_t kGeneration = 0x04;  ///< r: barriers passed; can be waited for
}  // namespace barrier

}  // namespace tvp::regs::pim
