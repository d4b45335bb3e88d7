#pragma once
// Credits of the fabric are space counters of idle overlay streams. A write from this core, over
// the NoC or over ethernet adds to them (ISA NoC/Overlay/AsGeneralUse.md).

#include <stdint.h>

#if defined(COMPILE_FOR_ERISC)
#include "ethernet/dataflow_api.h"
#endif
#include "internal/stream_registers.h"

namespace tt::tt_fabric {

/// A number with its own type.
template <typename T, typename Parameter>
class NamedType {
 public:
  constexpr NamedType() = default;
  constexpr explicit NamedType(T value) : value_(value) {}
  constexpr T& get() { return value_; }
  constexpr const T& get() const { return value_; }
  constexpr operator T() const { return value_; }

 private:
  T value_{};
};

}  // namespace tt::tt_fabric

using StreamId = tt::tt_fabric::NamedType<uint32_t, struct StreamIdType>;

// --- by tt-metal's names: a word that keeps what is written, and the space counter
FORCE_INLINE constexpr uint32_t get_stream_scratch_register_address(uint32_t stream_id) {
  return STREAM_REG_ADDR(stream_id, STREAM_REMOTE_SRC_REG_INDEX);
}
FORCE_INLINE uint32_t read_stream_scratch_register(uint32_t stream_id) {
  return NOC_STREAM_READ_REG(stream_id, STREAM_REMOTE_SRC_REG_INDEX);
}
FORCE_INLINE void write_stream_scratch_register(uint32_t stream_id, uint32_t value) {
  NOC_STREAM_WRITE_REG(stream_id, STREAM_REMOTE_SRC_REG_INDEX, value);
}
FORCE_INLINE constexpr uint32_t get_stream_reg_read_addr(uint32_t stream_id) {
  return STREAM_REG_ADDR(stream_id, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX);
}
FORCE_INLINE constexpr uint32_t get_stream_reg_write_addr(uint32_t stream_id) {
  return STREAM_REG_ADDR(stream_id, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX);
}
/// The word that adds `value` when it is written to the stream's update address.
FORCE_INLINE constexpr int32_t pack_value_for_inc_on_write_stream_reg_write(int32_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) << REMOTE_DEST_BUF_WORDS_FREE_INC);
}
FORCE_INLINE int32_t get_ptr_val(uint32_t stream_id) {
  return static_cast<int32_t>(
      NOC_STREAM_READ_REG(stream_id, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_REG_INDEX));
}
FORCE_INLINE void increment_local_update_ptr_val(uint32_t stream_id, int32_t value) {
  NOC_STREAM_WRITE_REG(stream_id, STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE_REG_INDEX,
                       static_cast<uint32_t>(pack_value_for_inc_on_write_stream_reg_write(value)));
}

template <uint32_t stream_id>
FORCE_INLINE constexpr uint32_t get_stream_scratch_register_address() {
  return get_stream_scratch_register_address(stream_id);
}
template <uint32_t stream_id>
FORCE_INLINE uint32_t read_stream_scratch_register() {
  return read_stream_scratch_register(stream_id);
}
template <uint32_t stream_id>
FORCE_INLINE void write_stream_scratch_register(uint32_t value) {
  write_stream_scratch_register(stream_id, value);
}
template <uint32_t stream_id>
FORCE_INLINE constexpr uint32_t get_stream_reg_read_addr() {
  return get_stream_reg_read_addr(stream_id);
}
template <uint32_t stream_id>
FORCE_INLINE constexpr uint32_t get_stream_reg_write_addr() {
  return get_stream_reg_write_addr(stream_id);
}
template <uint32_t stream_id>
FORCE_INLINE int32_t get_ptr_val() {
  return get_ptr_val(stream_id);
}
template <uint32_t stream_id>
FORCE_INLINE void increment_local_update_ptr_val(int32_t value) {
  increment_local_update_ptr_val(stream_id, value);
}
FORCE_INLINE void init_ptr_val(uint32_t stream_id, int32_t value) {
  NOC_STREAM_WRITE_REG(stream_id, STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX,
                       static_cast<uint32_t>(value));
}
template <uint32_t stream_id>
FORCE_INLINE void init_ptr_val(int32_t value) {
  init_ptr_val(stream_id, value);
}
#if defined(COMPILE_FOR_ERISC)
/// Adds to the counter of the tile at the other end of the link. The queue must be idle.
template <uint32_t stream_id, uint32_t txq_id>
FORCE_INLINE void remote_update_ptr_val(int32_t value) {
  internal_::eth_write_remote_reg_no_txq_check(
      txq_id, get_stream_reg_write_addr(stream_id),
      static_cast<uint32_t>(pack_value_for_inc_on_write_stream_reg_write(value)));
}
#endif

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
/// The word that adds `amount`, which may be negative.
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
