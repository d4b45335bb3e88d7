#pragma once
// DPRINT: records that a core leaves in its buffer of the mailbox and the host prints (kernel_api
// 7.1).

#include <stdint.h>

namespace tvp::contract {

constexpr uint32_t kDprintBufferSize = 204;
constexpr uint32_t kDprintDataSize = kDprintBufferSize - 12;
constexpr uint32_t kDprintStarting = 0x98989898;
constexpr uint32_t kDprintDisabled = 0xF8F8F8F8;
struct DprintBuffer {
  uint32_t wpos;
  uint32_t rpos;
  uint16_t core_x;
  uint16_t core_y;
  uint8_t data[kDprintDataSize];
};
static_assert(sizeof(DprintBuffer) == kDprintBufferSize);

// Type of a DPRINT record: one byte type, one byte size, payload.
enum DprintType : uint8_t {
  kDprintCstr,
  kDprintEndl,
  kDprintSetw,
  kDprintUint8,
  kDprintUint16,
  kDprintUint32,
  kDprintUint64,
  kDprintInt8,
  kDprintInt16,
  kDprintInt32,
  kDprintInt64,
  kDprintFloat32,
  kDprintChar,
  kDprintBfloat16,
  kDprintSetPrecision,
  kDprintFixed,
  kDprintDefaultFloat,
  kDprintHex,
  kDprintOct,
  kDprintDec,
  kDprintTileSlice,
  kDprintU32Array,
  kDprintTypedU32Array,
  kDprintRaise,  ///< a signal, for which others wait
  kDprintWait,
};

}  // namespace tvp::contract
