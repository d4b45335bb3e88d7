#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tvp::workloads::parallel {

/// A matrix of small whole numbers, row by row. BF16 holds them exactly up to 256, so a product is
/// either exact or wrong.
struct SmallMatrix {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<int> entries;

  SmallMatrix() = default;
  SmallMatrix(std::uint32_t height, std::uint32_t width)
      : rows(height), columns(width), entries(std::size_t{height} * width) {}

  int& at(std::uint32_t row, std::uint32_t column) {
    return entries[std::size_t{row} * columns + column];
  }
  int at(std::uint32_t row, std::uint32_t column) const {
    return entries[std::size_t{row} * columns + column];
  }
  /// Rows [first, first + count).
  SmallMatrix some_rows(std::uint32_t first, std::uint32_t count) const;

  /// Entries divided by `divisor`, exact for a power of two.
  std::vector<std::uint8_t> as_bfloat16(std::uint32_t divisor = 1) const;
  /// Throws Fault(kInternal) for an entry that BF16 cannot hold, because the golden result would be
  /// wrong.
  static SmallMatrix product(const SmallMatrix& left, const SmallMatrix& right, bool relu);
  SmallMatrix transposed() const;

  /// Entries of -most to most.
  static SmallMatrix random(std::uint32_t rows, std::uint32_t columns, int most,
                            std::mt19937_64& random);
  /// Each column has `ones` entries of 1 or -1, and zeros, so that products stay small.
  static SmallMatrix sparse(std::uint32_t rows, std::uint32_t columns, std::uint32_t ones,
                            std::mt19937_64& random);
};

}  // namespace tvp::workloads::parallel
