#pragma once

#include <cstdint>

namespace tvp::programs {

/// Products of 12 x 12 integer matrices and a transposition: inner loops with multiplies and
/// independent loads.
inline std::uint32_t small_matrices(std::uint32_t rounds) {
  constexpr std::uint32_t kSize = 12;
  static std::uint32_t a[kSize][kSize], b[kSize][kSize], c[kSize][kSize];
  for (std::uint32_t i = 0; i < kSize; ++i) {
    for (std::uint32_t j = 0; j < kSize; ++j) {
      a[i][j] = i * 7 + j * 3 + 1;
      b[i][j] = (i ^ j) + 5;
    }
  }
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < kSize; ++i) {
      for (std::uint32_t j = 0; j < kSize; ++j) {
        std::uint32_t product = 0;
        for (std::uint32_t k = 0; k < kSize; ++k) product += a[i][k] * b[k][j];
        c[i][j] = product;
      }
    }
    for (std::uint32_t i = 0; i < kSize; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const std::uint32_t kept = c[i][j];
        c[i][j] = c[j][i];
        c[j][i] = kept;
      }
      sum = sum * 33 + c[i][(i + round) % kSize];
      a[i][round % kSize] ^= c[i][i] >> 3;
    }
  }
  return sum;
}

}  // namespace tvp::programs
