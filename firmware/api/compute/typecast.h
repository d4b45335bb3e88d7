#pragma once

// DST[dst] from one format to another, by the numbers of DataFormat. Floats become integers without
// their fraction, held within the range; integers the nearest float. Of formats of 32 bits DST
// holds 32.

#include "api/compute/sfpu_call.h"

namespace ckernel {

template <uint32_t kIn, uint32_t kOut>
ALWI void typecast_tile_init() {}

template <uint32_t kIn, uint32_t kOut>
ALWI void typecast_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  constexpr auto kFrom = static_cast<DataFormat>(kIn), kTo = static_cast<DataFormat>(kOut);
  static_assert(kFrom != DataFormat::UInt8 && kTo != DataFormat::UInt8 &&
                    kFrom != DataFormat::Int8 && kTo != DataFormat::Int8,
                "typecast_tile: integers of 8 bits are not converted");
  constexpr s::Cell kFromCell = cell_of(kFrom), kToCell = cell_of(kTo);
  sfpu_unary_cells<kFromCell, kToCell>(dst, [] {
    if constexpr (kFromCell == s::Cell::kFloat) {
      if constexpr (kTo == DataFormat::Int32) s::float_to_int32_program();
      if constexpr (kTo == DataFormat::UInt32) s::float_to_unsigned_program<32>();
      if constexpr (kTo == DataFormat::UInt16) s::float_to_unsigned_program<16>();
    } else if constexpr (kToCell == s::Cell::kFloat) {
      if constexpr (kFrom == DataFormat::UInt32) {
        s::uint32_to_float<0, 1, 2>();
      } else {
        s::int32_to_float<0, 1>();
      }
    } else if constexpr (kTo == DataFormat::UInt16) {
      if constexpr (kFrom == DataFormat::Int32) s::int32_to_uint16_program();
      if constexpr (kFrom == DataFormat::UInt32) s::uint32_to_uint16_program();
    }
  });
#endif
}

}  // namespace ckernel
