#pragma once
// Credits of the fabric: space counters of idle overlay streams, to which a write adds, from this
// core, over the NoC, or over ethernet (ISA NoC/Overlay/AsGeneralUse.md).

#include <stdint.h>

#include "internal/stream_registers.h"

template <uint32_t stream_id>
FORCE_INLINE constexpr uint32_t get_stream_scratch_register_address() {
  return STREAM_REG_ADDR(stream_id, STREAM_REMOTE_SRC_REG_INDEX);
}
template <uint32_t stream_id>
FORCE_INLINE uint32_t read_stream_scratch_register() {
  return NOC_STREAM_READ_REG(stream_id, STREAM_REMOTE_SRC_REG_INDEX);
}
template <uint32_t stream_id>
FORCE_INLINE void write_stream_scratch_register(uint32_t value) {
  NOC_STREAM_WRITE_REG(stream_id, STREAM_REMOTE_SRC_REG_INDEX, value);
}

namespace tvp::fabric {

FORCE_INLINE uint32_t credit_read(uint32_t stream) {
  return NOC_STREAM_READ_REG(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX);
}
constexpr uint32_t credit_read_address(uint32_t stream) {
  return STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX);
}
constexpr uint32_t credit_update_address(uint32_t stream) {
  return STREAM_REG_ADDR(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX);
}
/// What to write to add `amount`, which may be negative.
constexpr uint32_t credit_update(int32_t amount) {
  return static_cast<uint32_t>(amount) << REMOTE_DEST_BUF_WORDS_FREE_INC;
}
FORCE_INLINE void credit_add(uint32_t stream, int32_t amount) {
  NOC_STREAM_WRITE_REG(stream, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX,
                       credit_update(amount));
}
/// Sets the counter: a write of the buffer's size also sets the space available.
FORCE_INLINE void credit_init(uint32_t stream, uint32_t value) {
  NOC_STREAM_WRITE_REG(stream, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX, value);
}

}  // namespace tvp::fabric
