#pragma once

#include <cstdint>

namespace tvp::programs {

namespace steps {

using Step = std::uint32_t (*)(std::uint32_t, std::uint32_t);
[[gnu::noinline]] inline std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
  return a / (b | 1) + b;
}
[[gnu::noinline]] inline std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  return a % ((b & 0xFFF) + 3);
}
[[gnu::noinline]] inline std::uint32_t common_divisor(std::uint32_t a, std::uint32_t b) {
  a |= 1;
  b = (b & 0xFFFF) + 1;
  while (b != 0) {
    const std::uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
[[gnu::noinline]] inline std::uint32_t digits(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = b;
  for (; a != 0; a /= 10) sum = sum * 3 + a % 10;
  return sum;
}
[[gnu::noinline]] inline std::uint32_t fibonacci(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t n = a & 7;
  return n < 2 ? n + b : fibonacci(n - 1, b) + fibonacci(n - 2, 0);
}
[[gnu::noinline]] inline std::uint32_t mix(std::uint32_t a, std::uint32_t b) {
  a ^= b << 7;
  a ^= a >> 9;
  return a * 0x9E3779B1U;
}

}  // namespace steps

/// Calls through a table in data-dependent order, divisions, and recursion: indirect jumps,
/// returns, the stack, and slow instructions.
inline std::uint32_t calls(std::uint32_t rounds) {
  static const steps::Step kSteps[8] = {steps::mix,       steps::quotient,       steps::mix,
                                        steps::digits,    steps::common_divisor, steps::mix,
                                        steps::fibonacci, steps::remainder};
  std::uint32_t a = 0x12345678, b = 3;
  for (std::uint32_t round = 0; round < rounds * 64; ++round) {
    const std::uint32_t result = kSteps[(a >> 5) & 7](a, b);
    b = a + round;
    a = result * 2654435761U + round;
  }
  return a ^ b;
}

}  // namespace tvp::programs
