#pragma once
// Conversions in place, as in programs of 2024 (common/tilize_untilize.hpp). Other programs define
// functions of these names themselves.

#include "sw/metalium/metalium.h"

/// Tiles are row by row inside.
template <typename T>
void tilize(std::vector<T>& numbers, std::uint32_t rows, std::uint32_t columns) {
  numbers = tilize_swizzled(numbers, rows, columns);
}
template <typename T>
void untilize(std::vector<T>& numbers, std::uint32_t rows, std::uint32_t columns) {
  numbers = untilize_swizzled(numbers, rows, columns);
}
