#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sw/runtime/programs/kernel_types.h"

namespace tvp::compare {

using Bytes = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

/// The kind of numbers in a tile.
enum class Data : std::uint8_t {
  kNear,      ///< exponents close to that of one
  kAny,       ///< any exponent
  kTies,      ///< few mantissa bits: halves of an ulp
  kHuge,      ///< the largest exponents
  kTiny,      ///< the smallest exponents, denormals
  kSpecial,   ///< zeros, infinities, NaN, denormals, limits of ranges
  kIntegers,  ///< small whole numbers, of both signs
};
inline constexpr Data kAllData[] = {Data::kNear, Data::kAny,     Data::kTies,    Data::kHuge,
                                    Data::kTiny, Data::kSpecial, Data::kIntegers};
const char* name_of(Data data);

/// Bits of an FP32 number.
std::uint32_t draw(Data data, Random& random);

/// A 32x32 tile in the order of L1.
Bytes draw_tile(runtime::DataFormat format, Data data, Random& random);

/// BF16 or FP32.
Bytes tile_of_ones(runtime::DataFormat format);

const char* name_of(runtime::DataFormat format);

}  // namespace tvp::compare
