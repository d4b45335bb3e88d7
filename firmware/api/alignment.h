#pragma once
// Rounding up to alignments.

#include <stdint.h>

constexpr bool is_power_of_2(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }
constexpr uint32_t align(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}
/// The alignment is a power of two.
constexpr uint32_t align_power_of_2(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}
