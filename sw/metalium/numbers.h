#pragma once
// Numbers for buffers under tt-metal's names (tt-metalium/bfloat16.hpp, bfloat8.hpp,
// test_tiles.hpp).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sw/metalium/tilize.h"
#include "sw/runtime/bfloat16.h"
#include "sw/runtime/block_float.h"

using tvp::runtime::bfloat16;
using tvp::runtime::pack_bfloat16_vec_into_uint32_vec;
using tvp::runtime::unpack_uint32_vec_into_bfloat16_vec;

/// Applies `transform` to each number.
template <typename Transform>
std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(const std::vector<std::uint32_t>& words,
                                                          const Transform& transform) {
  std::vector<bfloat16> numbers = unpack_uint32_vec_into_bfloat16_vec(words);
  for (bfloat16& number : numbers) number = transform(number);
  return numbers;
}

/// The first number is in the lower half.
inline std::uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two) {
  return two.first.bits() | std::uint32_t{two.second.bits()} << 16;
}
inline std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(std::uint32_t word) {
  return {bfloat16::from_bits(static_cast<std::uint16_t>(word)),
          bfloat16::from_bits(static_cast<std::uint16_t>(word >> 16))};
}

/// The 16-bit halves of words, the lower one first, and back.
std::vector<std::uint16_t> u16_from_u32_vector(const std::vector<std::uint32_t>& words);
std::vector<std::uint32_t> u32_from_u16_vector(const std::vector<std::uint16_t>& halves);

/// Two numbers a word, in [offset, offset + most). Equal for equal seeds.
std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, float most, int seed,
                                                            float offset = 0.0F);
std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes, float most,
                                                              int seed, float offset = 0.0F);
std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes, float value);
/// 0, 1, 2 and so on. `print` has no effect.
std::vector<std::uint32_t> create_arange_vector_of_bfloat16(std::size_t bytes, bool print = true);
/// Ones on the first `ones` places of the diagonal.
std::vector<bfloat16> create_identity_matrix(int rows, int columns, int ones);

using tvp::runtime::pack_as_bfp4_tiles;
using tvp::runtime::pack_as_bfp8_tiles;
using tvp::runtime::unpack_bfp4_tiles_into_float_vec;
using tvp::runtime::unpack_bfp8_tiles_into_float_vec;
/// Numbers of other types.
template <typename T>
std::vector<std::uint32_t> pack_as_bfp8_tiles(std::span<const T> numbers, bool row_major_input,
                                              bool is_exp_a, const tvp::runtime::Tile& tile = {}) {
  return pack_as_bfp8_tiles(std::vector<float>(numbers.begin(), numbers.end()), row_major_input,
                            is_exp_a, tile);
}
template <typename T>
std::vector<std::uint32_t> pack_as_bfp4_tiles(std::span<const T> numbers, bool row_major_input,
                                              bool is_exp_a, const tvp::runtime::Tile& tile = {}) {
  return pack_as_bfp4_tiles(std::vector<float>(numbers.begin(), numbers.end()), row_major_input,
                            is_exp_a, tile);
}
// Names of 2025.
inline std::vector<std::uint32_t> pack_fp32_vec_as_bfp8_tiles(std::span<const float> numbers,
                                                              bool row_major_input, bool is_exp_a,
                                                              const tvp::runtime::Tile& tile = {}) {
  return pack_as_bfp8_tiles(numbers, row_major_input, is_exp_a, tile);
}
inline std::vector<std::uint32_t> pack_fp32_vec_as_bfp4_tiles(std::span<const float> numbers,
                                                              bool row_major_input, bool is_exp_a,
                                                              const tvp::runtime::Tile& tile = {}) {
  return pack_as_bfp4_tiles(numbers, row_major_input, is_exp_a, tile);
}
/// Tiles of random numbers in [offset, offset + most), or of one number. Throw Fault(kDescription)
/// if `bytes` are no whole tiles.
std::vector<std::uint32_t> create_random_vector_of_bfp8(std::uint32_t bytes, bool is_exp_a,
                                                        int most, int seed, float offset = 0.0F);
std::vector<std::uint32_t> create_random_vector_of_bfp4(std::uint32_t bytes, bool is_exp_a,
                                                        int most, int seed, float offset = 0.0F);
std::vector<std::uint32_t> create_constant_vector_of_bfp8(std::uint32_t bytes, float value,
                                                          bool is_exp_a);
std::vector<std::uint32_t> create_constant_vector_of_bfp4(std::uint32_t bytes, float value,
                                                          bool is_exp_a);

/// True if the numbers differ by at most `relative` of the larger one, or by `absolute`.
bool is_close(float a, float b, float relative = 0.01F, float absolute = 0.001F);

/// True if both halves of all words satisfy `alike`. Stores the first word that does not in
/// `different`.
bool packed_uint32_t_vector_comparison(const std::vector<std::uint32_t>& a,
                                       const std::vector<std::uint32_t>& b,
                                       const std::function<bool(float, float)>& alike,
                                       int* different = nullptr);

/// Prints a line for each row of `tiles` tiles from `first` on, each tile as 32 rows of 32.
void print_vec_of_bfloat16(const std::vector<bfloat16>& numbers, int tiles,
                           const std::string& name = "", int first = 0);
void print_vec_of_uint32_as_packed_bfloat16(const std::vector<std::uint32_t>& words, int tiles,
                                            const std::string& name = "", int first = 0);
