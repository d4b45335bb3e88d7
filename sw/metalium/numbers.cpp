#include "sw/metalium/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "sw/metalium/constants.h"
#include "sw/runtime/errors.h"

namespace {

/// Random floats in [offset, offset + most). Equal for equal seeds.
std::vector<float> random_floats(std::size_t count, float most, int seed, float offset) {
  std::mt19937 generator(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<float> number(0.0F, most);
  std::vector<float> numbers(count);
  for (float& each : numbers) each = number(generator) + offset;
  return numbers;
}

/// Numbers in the tiles that fill `bytes`.
std::size_t numbers_in(std::uint32_t bytes, DataFormat format) {
  const tvp::runtime::Tile tile;
  const std::uint32_t each = tile.bytes(format);
  if (bytes % each != 0)
    tvp::runtime::bad_use("vector of block floats", std::to_string(bytes) +
                                                        " bytes; expected a multiple of " +
                                                        std::to_string(each) + ", a tile");
  return std::size_t{bytes} / each * tt::constants::TILE_HW;
}

}  // namespace

std::vector<std::uint16_t> u16_from_u32_vector(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint16_t> halves;
  for (const std::uint32_t word : words) {
    halves.push_back(static_cast<std::uint16_t>(word));
    halves.push_back(static_cast<std::uint16_t>(word >> 16));
  }
  return halves;
}

std::vector<std::uint32_t> u32_from_u16_vector(const std::vector<std::uint16_t>& halves) {
  if (halves.size() % 2 != 0)
    tvp::runtime::bad_use("u32_from_u16_vector", std::to_string(halves.size()) +
                                                     " halves of words; expected an even number");
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < halves.size(); i += 2)
    words.push_back(halves[i] | std::uint32_t{halves[i + 1]} << 16);
  return words;
}

std::vector<std::uint32_t> create_random_vector_of_bfp8(std::uint32_t bytes, bool is_exp_a,
                                                        int most, int seed, float offset) {
  return pack_as_bfp8_tiles(
      random_floats(numbers_in(bytes, DataFormat::Bfp8_b), static_cast<float>(most), seed, offset),
      true, is_exp_a);
}
std::vector<std::uint32_t> create_random_vector_of_bfp4(std::uint32_t bytes, bool is_exp_a,
                                                        int most, int seed, float offset) {
  return pack_as_bfp4_tiles(
      random_floats(numbers_in(bytes, DataFormat::Bfp4_b), static_cast<float>(most), seed, offset),
      true, is_exp_a);
}
std::vector<std::uint32_t> create_constant_vector_of_bfp8(std::uint32_t bytes, float value,
                                                          bool is_exp_a) {
  return pack_as_bfp8_tiles(std::vector<float>(numbers_in(bytes, DataFormat::Bfp8_b), value), true,
                            is_exp_a);
}
std::vector<std::uint32_t> create_constant_vector_of_bfp4(std::uint32_t bytes, float value,
                                                          bool is_exp_a) {
  return pack_as_bfp4_tiles(std::vector<float>(numbers_in(bytes, DataFormat::Bfp4_b), value), true,
                            is_exp_a);
}

std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes, float most,
                                                              int seed, float offset) {
  const std::vector<float> floats = random_floats(bytes / sizeof(bfloat16), most, seed, offset);
  return {floats.begin(), floats.end()};
}

std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, float most, int seed,
                                                            float offset) {
  return pack_bfloat16_vec_into_uint32_vec(
      create_random_vector_of_bfloat16_native(bytes, most, seed, offset));
}

std::vector<std::uint32_t> create_arange_vector_of_bfloat16(std::size_t bytes, bool) {
  std::vector<bfloat16> numbers;
  for (std::size_t i = 0; i < bytes / sizeof(bfloat16); ++i)
    numbers.emplace_back(static_cast<float>(i));
  return pack_bfloat16_vec_into_uint32_vec(numbers);
}

std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::size_t bytes, float value) {
  return std::vector<std::uint32_t>(bytes / sizeof(std::uint32_t),
                                    pack_two_bfloat16_into_uint32({value, value}));
}

std::vector<bfloat16> create_identity_matrix(int rows, int columns, int ones) {
  std::vector<bfloat16> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (int i = 0; i < std::min({rows, columns, ones}); ++i)
    matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns + 1)] = 1.0F;
  return matrix;
}

bool is_close(float a, float b, float relative, float absolute) {
  const float apart = std::fabs(a - b);
  return apart <= absolute || apart <= relative * std::max(std::fabs(a), std::fabs(b));
}

bool packed_uint32_t_vector_comparison(const std::vector<std::uint32_t>& a,
                                       const std::vector<std::uint32_t>& b,
                                       const std::function<bool(float, float)>& alike,
                                       int* different) {
  if (a.size() != b.size()) return false;
  const auto pair_alike = [&](std::uint32_t left, std::uint32_t right) {
    const auto [a1, a2] = unpack_two_bfloat16_from_uint32(left);
    const auto [b1, b2] = unpack_two_bfloat16_from_uint32(right);
    return alike(a1, b1) && alike(a2, b2);
  };
  const auto found = std::mismatch(a.begin(), a.end(), b.begin(), pair_alike);
  if (found.first == a.end()) return true;
  if (different != nullptr) *different = static_cast<int>(found.first - a.begin());
  return false;
}

void print_vec_of_bfloat16(const std::vector<bfloat16>& numbers, int tiles, const std::string& name,
                           int first) {
  constexpr std::size_t kSide = 32;
  if (tiles < 0 || first < 0 ||
      (static_cast<std::size_t>(first) + static_cast<std::size_t>(tiles)) * kSide * kSide >
          numbers.size())
    tvp::runtime::bad_use("print_vec_of_bfloat16", std::to_string(tiles) + " tiles from tile " +
                                                       std::to_string(first) + " on, of " +
                                                       std::to_string(numbers.size()) + " numbers");
  const bfloat16* number = numbers.data() + static_cast<std::size_t>(first) * kSide * kSide;
  for (int tile = first; tile < first + tiles; ++tile) {
    std::printf("%s tile %d\n", name.c_str(), tile);
    for (std::size_t row = 0; row < kSide; ++row) {
      for (std::size_t column = 0; column < kSide; ++column)
        std::printf("%s%g", column == 0 ? "" : " ", double{number++->to_float()});
      std::printf("\n");
    }
  }
}

void print_vec_of_uint32_as_packed_bfloat16(const std::vector<std::uint32_t>& words, int tiles,
                                            const std::string& name, int first) {
  print_vec_of_bfloat16(unpack_uint32_vec_into_bfloat16_vec(words), tiles, name, first);
}
