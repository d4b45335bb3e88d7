#pragma once

#include <cstdint>

// Address map of an ethernet tile and the registers of its transmit and receive queues.
// ISA WormholeB0/EthernetTile/{EthernetTxRx,L1,CycleCounters}.md, BabyRISCV/README.md.

namespace tvp::regs::ethernet {

inline constexpr std::uint32_t kLocalRam = 0xFFB00000;
inline constexpr std::uint32_t kLocalRamReservedBytes = 1536;  // base firmware's share
inline constexpr std::uint32_t kIram = 0xFFC00000;
inline constexpr std::uint32_t kOverlayStreams = 32;

// Partition of L1 between base firmware and customers (ISA EthernetTile/L1.md).
inline constexpr std::uint32_t kL1LaunchFlags = 0x9000;
inline constexpr std::uint32_t kL1CustomerCode = 0x9040;
inline constexpr std::uint32_t kL1CustomerCodeEnd = 0x11000;
inline constexpr std::uint32_t kL1CustomerData = 0x18000;
inline constexpr std::uint32_t kL1CustomerDataEnd = 0x40000;

inline constexpr std::uint32_t kTxq0 = 0xFFB90000;
inline constexpr std::uint32_t kTxq1 = 0xFFB91000;
inline constexpr std::uint32_t kRxq0 = 0xFFB92000;
inline constexpr std::uint32_t kRxq1 = 0xFFB93000;
inline constexpr std::uint32_t kControl = 0xFFB94000;
inline constexpr std::uint32_t kMac = 0xFFBA0000;
inline constexpr std::uint32_t kPcs = 0xFFBB0000;

/// Each write adds its value to the counter.
inline constexpr std::uint32_t kAtomicCounter = 0xFFB94080;

/// Maximum payload of a packet (tt-metal tech_reports/EthernetMultichip).
inline constexpr std::uint32_t kMaxPacketBytes = 1500;

namespace txq {  // offsets from kTxq0 or kTxq1
#define TXQ(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/ethernet.def"

inline constexpr std::uint32_t kCtrlKeepalive = 1U << 0;
inline constexpr std::uint32_t kCtrlUseType = 1U << 2;
inline constexpr std::uint32_t kCtrlDisDrop = 1U << 3;

inline constexpr std::uint32_t kCmdRaw = 1;
inline constexpr std::uint32_t kCmdL1Write = 2;
inline constexpr std::uint32_t kCmdMmioWrite = 4;
}  // namespace txq

namespace rxq {  // offsets from kRxq0 or kRxq1
#define RXQ(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/ethernet.def"

inline constexpr std::uint32_t kCtrlPacketMode = 1U << 1;
inline constexpr std::uint32_t kCtrlBufWrap = 1U << 2;
inline constexpr std::uint32_t kCtrlForceBpressure = 1U << 3;
}  // namespace rxq

}  // namespace tvp::regs::ethernet
