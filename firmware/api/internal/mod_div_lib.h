#pragma once
// Division by constants: the compiler's own expansion serves here.

#include <stdint.h>

constexpr unsigned int mulsi3(unsigned int a, unsigned int b) { return a * b; }

template <uint32_t d>
constexpr uint32_t fast_udiv(uint32_t n) {
  return n / d;
}
template <uint32_t d>
constexpr uint32_t udivsi3_const_divisor(uint32_t n) {
  return n / d;
}
template <uint32_t d>
constexpr uint32_t umodsi3_const_divisor(uint32_t n) {
  return n % d;
}
