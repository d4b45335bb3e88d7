#pragma once
// Tiles of the formats in which 16 numbers of a row of a face share an exponent (ISA
// TensixCoprocessor/FloatBitPatterns.md), under tt-metal's names (tt-metalium/bfloat8.hpp,
// bfloat4.hpp). A tile has its exponents, a byte each, then sign and magnitude of each number. With
// 4 bits the first number is in the lower half of a byte.

#include <cstdint>
#include <span>
#include <vector>

#include "sw/runtime/programs/kernel_types.h"

namespace tvp::runtime {

/// Magnitudes are rounded to nearest, ties to even, and clamped to the largest; denormals are 0.
/// (The device's packers round ties away from zero: ISA Packers/FormatConversion.md.) With 5-bit
/// exponents nonzero numbers below 2^-15 become 2^-15, as in tt-metal. `numbers` are tile by tile,
/// each row by row if `row_major_input`, else face by face. `is_exp_a` selects 5-bit exponents
/// (Bfp8, Bfp4) instead of 8 bits (Bfp8_b, Bfp4_b). Throws Fault(kDescription) for incomplete
/// tiles.
std::vector<std::uint32_t> pack_as_bfp8_tiles(std::span<const float> numbers, bool row_major_input,
                                              bool is_exp_a, const Tile& tile = {});
std::vector<std::uint32_t> pack_as_bfp4_tiles(std::span<const float> numbers, bool row_major_input,
                                              bool is_exp_a, const Tile& tile = {});

std::vector<float> unpack_bfp8_tiles_into_float_vec(std::span<const std::uint32_t> tiles,
                                                    bool row_major_output, bool is_exp_a,
                                                    const Tile& tile = {});
std::vector<float> unpack_bfp4_tiles_into_float_vec(std::span<const std::uint32_t> tiles,
                                                    bool row_major_output, bool is_exp_a,
                                                    const Tile& tile = {});

}  // namespace tvp::runtime
