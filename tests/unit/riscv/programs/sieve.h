#pragma once

#include <cstdint>

namespace tvp::programs {

/// Primes below 2048 by sieving, and their remainders modulo 6: long inner loops that store bytes.
inline std::uint32_t sieve(std::uint32_t rounds) {
  constexpr std::uint32_t kNumbers = 2048;
  static std::uint8_t crossed[kNumbers];
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < kNumbers; ++i) crossed[i] = 0;
    std::uint32_t primes = 0;
    for (std::uint32_t i = 2; i < kNumbers; ++i) {
      if (crossed[i] != 0) continue;
      ++primes;
      sum += (i & 3) == 3 ? i : primes;
      for (std::uint32_t j = i + i; j < kNumbers; j += i) crossed[j] = 1;
    }
    sum = sum * 5 + primes + round;
  }
  return sum;
}

}  // namespace tvp::programs
