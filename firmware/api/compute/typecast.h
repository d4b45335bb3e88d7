#pragma once

// Converts DST[dst] between formats, by the numbers of DataFormat.
// firmware/llk/sfpu/sfpu_typecast.h describes numbers that the new format cannot hold. 32-bit
// formats need a 32-bit DST.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

/// Kernels that set macros of the vector unit themselves call it afterwards.
template <uint32_t kIn, uint32_t kOut>
ALWI void typecast_tile_init() {
  MATH((llk::sfpu::macros_of = nullptr));
}

template <uint32_t kIn, uint32_t kOut>
ALWI void typecast_tile(uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  constexpr auto kFrom = static_cast<DataFormat>(kIn), kTo = static_cast<DataFormat>(kOut);
  static_assert(kFrom != DataFormat::UInt8 && kTo != DataFormat::UInt8 &&
                    kFrom != DataFormat::Int8 && kTo != DataFormat::Int8,
                "typecast_tile: integers of 8 bits are not converted");
  constexpr s::Cell kFromCell = cell_of(kFrom), kToCell = cell_of(kTo);
  const auto& half = thread_state.half;
  const auto& shape = thread_state.shape;
  if constexpr (kFromCell == s::Cell::kFloat && kToCell == s::Cell::kFloat) {
    // The packers do this conversion.
    if constexpr (DST_ACCUM_MODE && kFrom == DataFormat::Float32 && kTo == DataFormat::Float16_b)
      s::typecast::round_to_bf16(half, dst, shape);
  } else if constexpr (!DST_ACCUM_MODE && kFromCell != s::Cell::kInt32 &&
                       kToCell != s::Cell::kInt32) {
    if constexpr (kToCell == s::Cell::kUInt16 && kFromCell == s::Cell::kFloat)
      s::stream_vectors<s::FloatToUInt16, s::dst_mode(false), 2, 3>(half, dst, shape);
    if constexpr (kFromCell == s::Cell::kUInt16 && kToCell == s::Cell::kFloat)
      s::stream_vectors<s::UInt16ToBf16, 6, 1, 3>(half, dst, shape);
  } else if constexpr (kFromCell == s::Cell::kUInt16) {
    if constexpr (kToCell == s::Cell::kFloat)
      s::stream_vectors<s::UInt16ToFp32, 4, 1, 3>(half, dst, shape);
    if constexpr (kToCell == s::Cell::kInt32)
      s::stream_vectors<s::UInt16ToInt32, 4, 1, 2>(half, dst, shape);
  } else if constexpr (kFromCell == s::Cell::kFloat) {
    if constexpr (kTo == DataFormat::Int32) s::typecast::float_to_int32(half, dst, shape);
    if constexpr (kTo == DataFormat::UInt32) s::typecast::float_to_uint32(half, dst, shape);
    if constexpr (kTo == DataFormat::UInt16) s::typecast::float_to_uint16(half, dst, shape);
  } else if constexpr (kTo == DataFormat::UInt16) {
    if constexpr (kFrom == DataFormat::Int32) s::typecast::int32_to_uint16(half, dst, shape);
    if constexpr (kFrom == DataFormat::UInt32) s::typecast::uint32_to_uint16(half, dst, shape);
  } else if constexpr (kToCell == s::Cell::kFloat) {
    if constexpr (kFrom == DataFormat::Int32) s::typecast::int32_to_fp32(half, dst, shape);
    if constexpr (kFrom == DataFormat::UInt32) s::typecast::uint32_to_fp32(half, dst, shape);
  }
#endif
}

}  // namespace ckernel
