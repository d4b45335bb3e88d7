#pragma once
// Overlay stream registers: the occupancy of a circular buffer is kept in two of the stream whose
// number is the buffer's, credits of the fabric in another two (ISA NoC/Overlay/AsGeneralUse.md).

#include <stdint.h>

#include "internal/risc_attribs.h"

constexpr uint32_t NOC_OVERLAY_START_ADDR = 0xFFB40000;
constexpr uint32_t NOC_STREAM_REG_SPACE_SIZE = 0x1000;
constexpr uint32_t STREAM_REMOTE_SRC_REG_INDEX = 0;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_START_REG_INDEX = 3;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX = 4;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX = 34;
constexpr uint32_t STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX = 64;
// Writing (n << 6) to ..._UPDATE adds n to the space available.
constexpr uint32_t REMOTE_DEST_BUF_WORDS_FREE_INC = 6;
constexpr uint32_t REMOTE_DEST_WORDS_FREE_WIDTH = 17;

constexpr uint32_t STREAM_REG_ADDR(uint32_t stream, uint32_t index) {
  return NOC_OVERLAY_START_ADDR + stream * NOC_STREAM_REG_SPACE_SIZE + index * 4;
}
FORCE_INLINE void NOC_STREAM_WRITE_REG(uint32_t stream, uint32_t index, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(STREAM_REG_ADDR(stream, index)) = value;
}
FORCE_INLINE uint32_t NOC_STREAM_READ_REG(uint32_t stream, uint32_t index) {
  return *reinterpret_cast<volatile uint32_t*>(STREAM_REG_ADDR(stream, index));
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
