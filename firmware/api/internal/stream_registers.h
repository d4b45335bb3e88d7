#pragma once
// Overlay stream registers (ISA NoC/Overlay/AsGeneralUse.md). The stream with a circular buffer's
// number holds its occupancy in two registers. Two others hold credits of the fabric.

#include <stdint.h>

#include "foundation/regs/overlay.h"
#include "internal/risc_attribs.h"

constexpr uint32_t NOC_OVERLAY_START_ADDR = tvp::regs::overlay::kBase;
constexpr uint32_t NOC_STREAM_REG_SPACE_SIZE = tvp::regs::overlay::kStreamStride;
constexpr uint32_t NOC_NUM_STREAMS = tvp::regs::overlay::kTensixStreams;
constexpr uint32_t STREAM_REMOTE_SRC_REG_INDEX = tvp::regs::overlay::kRemoteSrc;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_START_REG_INDEX = tvp::regs::overlay::kRemoteDestBufStart;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX = tvp::regs::overlay::kRemoteDestBufSize;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX =
    tvp::regs::overlay::kRemoteDestBufSpaceAvailableUpdate;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX =
    tvp::regs::overlay::kRemoteDestBufSpaceAvailable;
constexpr uint32_t STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX = tvp::regs::overlay::kPhaseAutoCfgPtr;
constexpr uint32_t STREAM_SCRATCH_REG_INDEX = tvp::regs::overlay::kScratch;
// Writing (n << 6) to ..._UPDATE adds n to the space available.
constexpr uint32_t REMOTE_DEST_BUF_WORDS_FREE_INC = tvp::regs::overlay::kUpdateIncrementShift;
constexpr uint32_t REMOTE_DEST_WORDS_FREE_WIDTH = 17;

constexpr uint32_t STREAM_REG_ADDR(uint32_t stream, uint32_t index) {
  return tvp::regs::overlay::stream_reg(stream, index);
}
FORCE_INLINE void NOC_STREAM_WRITE_REG(uint32_t stream, uint32_t index, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(STREAM_REG_ADDR(stream, index)) = value;
}
/// tt-metal's dispatcher counts cores that have finished here. No dispatcher is modeled: with the
/// watcher, go messages name the core's own tile instead.
#define DISPATCH_MESSAGE_ADDR \
  STREAM_REG_ADDR(48, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX)
FORCE_INLINE uint32_t NOC_STREAM_READ_REG(uint32_t stream, uint32_t index) {
  return *reinterpret_cast<volatile uint32_t*>(STREAM_REG_ADDR(stream, index));
}

// A register of stream 0 that nothing else uses, for synchronization by software over the NoC.
FORCE_INLINE volatile uint32_t* get_sync_register_ptr() {
  return reinterpret_cast<volatile uint32_t*>(
      STREAM_REG_ADDR(0, STREAM_PHASE_AUTO_CFG_PTR_REG_INDEX));
}

// Both count in 16 bits and wrap; only their difference has a meaning.
FORCE_INLINE volatile uint32_t* get_cb_tiles_received_ptr(uint32_t cb) {
  return reinterpret_cast<volatile uint32_t*>(
      STREAM_REG_ADDR(cb, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX));
}
FORCE_INLINE volatile uint32_t* get_cb_tiles_acked_ptr(uint32_t cb) {
  return reinterpret_cast<volatile uint32_t*>(
      STREAM_REG_ADDR(cb, STREAM_REMOTE_DEST_BUF_START_REG_INDEX));
}
