#pragma once

// Tile formats of the circular buffers of the programs under test. The build of a real kernel
// generates this file. BF16 is format 5, FP32 format 0; buffers 29 to 31 hold BFP8, BFP4 and BFP2.

#include <stdint.h>

#include "foundation/contract/data_format.h"

#ifndef TVP_TEST_TILE_ROWS
#define TVP_TEST_TILE_ROWS 8
#endif
#ifndef TVP_TEST_FP32_DST
#define TVP_TEST_FP32_DST 1
#endif

constexpr bool DST_ACCUM_MODE = TVP_TEST_FP32_DST != 0;
#ifndef TVP_TEST_FIDELITY
#define TVP_TEST_FIDELITY 4
#endif
#define TVP_MATH_FIDELITY TVP_TEST_FIDELITY

namespace tvp::test {
/// This buffer and later ones hold FP32.
constexpr unsigned kFirstFp32 = 18;
constexpr unsigned kLastFp32 = 20;
template <typename T, typename Value>
struct PerBuffer {
  T values[32];
  constexpr explicit PerBuffer(Value value) : values{} {
    for (unsigned i = 0; i < 32; ++i) values[i] = static_cast<T>(value(i));
  }
  constexpr T operator[](unsigned i) const { return values[i]; }
  constexpr const T* begin() const { return values; }
  constexpr const T* end() const { return values + 32; }
};
template <typename T, typename Value>
constexpr PerBuffer<T, Value> per_buffer(Value value) {
  return PerBuffer<T, Value>(value);
}
constexpr bool is_fp32(unsigned cb) { return cb >= kFirstFp32 && cb <= kLastFp32; }
constexpr bool is_bfp(unsigned cb) { return cb >= 29 && cb <= 31; }
#ifdef TVP_TEST_INTEGERS
// Buffers 0, 1 and 16 hold Int32, 2, 3 and 17 UInt16, 4 BF16.
constexpr bool is_int32(unsigned cb) { return cb == 0 || cb == 1 || cb == 16; }
constexpr bool is_uint16(unsigned cb) { return cb == 2 || cb == 3 || cb == 17; }
#else
constexpr bool is_int32(unsigned) { return false; }
constexpr bool is_uint16(unsigned) { return false; }
#endif
constexpr unsigned format_of(unsigned cb) {
  if (is_int32(cb)) return 8;
  if (is_uint16(cb)) return 9;
  return is_fp32(cb) ? 0 : cb == 29 ? 6 : cb == 30 ? 7 : cb == 31 ? 15 : 5;
}
constexpr unsigned bits_of(unsigned cb) {
  return is_fp32(cb) || is_int32(cb) ? 32 : cb == 29 ? 8 : cb == 30 ? 4 : cb == 31 ? 2 : 16;
}
/// Block formats begin with an exponent byte per 16 datums. Unit: 16 B.
constexpr unsigned tile_bytes(unsigned cb) {
  const unsigned datums = TVP_TEST_TILE_ROWS * 32;
  return datums * bits_of(cb) / 8 + (is_bfp(cb) ? (datums / 16 + 15) / 16 * 16 : 0);
}
}  // namespace tvp::test

constexpr auto unpack_src_format =
    tvp::test::per_buffer<uint8_t>([](unsigned cb) { return tvp::test::format_of(cb); });
constexpr auto unpack_tile_r_dim =
    tvp::test::per_buffer<uint8_t>([](unsigned) { return TVP_TEST_TILE_ROWS; });
constexpr auto unpack_tile_c_dim = tvp::test::per_buffer<uint8_t>([](unsigned) { return 32; });
constexpr auto unpack_tile_num_faces =
    tvp::test::per_buffer<uint8_t>([](unsigned) { return TVP_TEST_TILE_ROWS == 32 ? 4 : 2; });
constexpr auto unpack_tile_size =
    tvp::test::per_buffer<uint16_t>([](unsigned cb) { return tvp::test::tile_bytes(cb); });
constexpr auto unpack_tile_face_r_dim = tvp::test::per_buffer<uint8_t>(
    [](unsigned) { return TVP_TEST_TILE_ROWS < 16 ? TVP_TEST_TILE_ROWS : 16; });
constexpr auto unpack_partial_face =
    tvp::test::per_buffer<uint8_t>([](unsigned) { return TVP_TEST_TILE_ROWS < 16; });
constexpr auto unpack_narrow_tile = tvp::test::per_buffer<uint8_t>([](unsigned) { return 0; });
// No program under test depends on the formats after conversion.
constexpr auto unpack_dst_format = unpack_src_format;
constexpr auto pack_src_format = unpack_src_format;
constexpr auto pack_dst_format = unpack_src_format;
constexpr auto pack_tile_r_dim = unpack_tile_r_dim;
constexpr auto pack_tile_c_dim = unpack_tile_c_dim;
constexpr auto pack_tile_num_faces = unpack_tile_num_faces;
constexpr auto pack_tile_size = unpack_tile_size;
constexpr auto pack_tile_face_r_dim = unpack_tile_face_r_dim;
constexpr auto pack_partial_face = unpack_partial_face;
constexpr auto pack_narrow_tile = unpack_narrow_tile;
