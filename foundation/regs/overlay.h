#pragma once

#include <stdint.h>

/// NoC overlay stream registers of Wormhole (ISA NoC/Overlay/AsGeneralUse.md; indices as in
/// tt-metal's noc_overlay_parameters.h). Freestanding: models and firmware both include it.
namespace tvp::regs::overlay {

inline constexpr uint32_t kBase = 0xFFB40000;
inline constexpr uint32_t kStreamStride = 0x1000;
inline constexpr uint32_t kTensixStreams = 64;
inline constexpr uint32_t kEthernetStreams = 32;

#define STREAM(Name, offset, count, access) inline constexpr uint32_t k##Name = offset;
#include "foundation/regs/overlay.def"

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
