#include "sw/metalium/numbers.h"

#include <algorithm>
#include <cmath>
#include <random>

std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::size_t bytes, float most,
                                                              int seed, float offset) {
  std::mt19937 generator(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<float> number(0.0F, most);
  std::vector<bfloat16> numbers;
  for (std::size_t i = 0; i < bytes / sizeof(bfloat16); ++i)
    numbers.emplace_back(number(generator) + offset);
  return numbers;
}

std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::size_t bytes, float most, int seed,
                                                            float offset) {
  return pack_bfloat16_vec_into_uint32_vec(
      create_random_vector_of_bfloat16_native(bytes, most, seed, offset));
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
