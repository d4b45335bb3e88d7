#pragma once

#include <stdint.h>

/// NoC overlay stream registers of Wormhole (ISA NoC/Overlay/AsGeneralUse.md; indices as in
/// tt-metal's noc_overlay_parameters.h). Freestanding: models and firmware both include it.
namespace tvp::regs::overlay {

inline constexpr uint32_t kBase = 0xFFB40000;
inline constexpr uint32_t kStreamStride = 0x1000;
inline constexpr uint32_t kTensixStreams = 64;
inline constexpr uint32_t kEthernetStreams = 32;

inline constexpr uint32_t kRemoteSrc = 0;
inline constexpr uint32_t kRemoteSrcPhase = 1;
inline constexpr uint32_t kRemoteDest = 2;
inline constexpr uint32_t kRemoteDestBufStart = 3;
inline constexpr uint32_t kRemoteDestBufSize = 4;
inline constexpr uint32_t kRemoteDestWrPtr = 5;
inline constexpr uint32_t kBufStart = 6;
inline constexpr uint32_t kBufSize = 7;
inline constexpr uint32_t kMsgInfoPtr = 8;
inline constexpr uint32_t kRemoteDestMsgInfoWrPtr = 9;
inline constexpr uint32_t kMiscCfg = 10;
inline constexpr uint32_t kCurrPhase = 11;
inline constexpr uint32_t kPhaseAutoCfgPtr = 12;
inline constexpr uint32_t kMcastDest = 13;
inline constexpr uint32_t kMcastDestNum = 14;
inline constexpr uint32_t kGather = 15;
inline constexpr uint32_t kNextReceivedMsgAddr = 19;
inline constexpr uint32_t kNextReceivedMsgSize = 20;
inline constexpr uint32_t kRdPtr = 24;
inline constexpr uint32_t kWrPtr = 25;
inline constexpr uint32_t kMsgInfoWrPtr = 26;
inline constexpr uint32_t kPhaseAdvance = 27;
inline constexpr uint32_t kRemoteDestBufSpaceAvailableUpdate = 34;
inline constexpr uint32_t kWaitStatus = 35;
inline constexpr uint32_t kPhaseAutoCfgHeader = 36;
inline constexpr uint32_t kMemBufSpaceAvailableAckThreshold = 40;
inline constexpr uint32_t kMsgInfoCanPushNewMsg = 41;
inline constexpr uint32_t kGatherClear = 43;
inline constexpr uint32_t kRemoteDestTrafficPriority = 44;
inline constexpr uint32_t kLocalSrcMask = 48;                 ///< 3 registers
inline constexpr uint32_t kRemoteDestBufSpaceAvailable = 64;  ///< 32 registers, most streams 1
inline constexpr uint32_t kDebugStatus = 224;                 ///< 10 registers
inline constexpr uint32_t kRemoteDestBufStartHi = 242;
inline constexpr uint32_t kRemoteDestMsgInfoWrPtrHi = 243;
inline constexpr uint32_t kCurrPhaseBase = 244;
inline constexpr uint32_t kPhaseAutoCfgPtrBase = 245;
inline constexpr uint32_t kFirmwareScratch = 247;
inline constexpr uint32_t kScratch = 248;  ///< 6 registers of 24 bits

inline constexpr uint32_t kMiscCfgPhaseAutoConfig = 1u << 9;
inline constexpr uint32_t kUpdateIncrementShift = 6;
inline constexpr uint32_t kUpdateDestinationMask = 0x3F;
inline constexpr uint32_t kWaitStatusIdle = 1;  ///< WAIT_SW_PHASE_ADVANCE_SIGNAL, state 0

/// Address of a stream register as the cores of the tile see it.
inline constexpr uint32_t stream_reg(uint32_t stream, uint32_t index) {
  return kBase + stream * kStreamStride + index * 4;
}
/// Value that adds `increment` to space counter `destination` when written to the update register.
inline constexpr uint32_t space_update(uint32_t increment, uint32_t destination = 0) {
  return increment << kUpdateIncrementShift | (destination & kUpdateDestinationMask);
}

}  // namespace tvp::regs::overlay
