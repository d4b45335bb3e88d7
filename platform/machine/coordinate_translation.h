#pragma once

#include <array>
#include <cstdint>

namespace tvp::platform {

/// The coordinate translation that firmware of the chip configures into every NIU: one coordinate
/// system for both NoCs, tiles of a kind contiguous, harvested Tensix rows last
/// (ISA NoC/Coordinates.md).
class CoordinateTranslation {
 public:
  static constexpr unsigned kColumns = 10;
  static constexpr unsigned kRows = 12;
  static constexpr unsigned kEntries = 32;
  static constexpr unsigned kTableWords = 4;
  static constexpr unsigned kTensixRows = 10;

  /// `harvested` has bit y set for each harvested row of NoC 0 coordinate y.
  explicit CoordinateTranslation(std::uint32_t harvested);

  /// Coordinates as software writes them to those of NoC `noc`.
  unsigned x(unsigned noc, unsigned software_x) const { return x_[noc][software_x % kEntries]; }
  unsigned y(unsigned noc, unsigned software_y) const { return y_[noc][software_y % kEntries]; }

  /// Contents of the NIU's translation tables: 32 entries of 4 bits.
  std::uint32_t x_table_word(unsigned noc, unsigned word) const { return pack(x_[noc], word); }
  std::uint32_t y_table_word(unsigned noc, unsigned word) const { return pack(y_[noc], word); }

  /// What software writes to name the tile at NoC 0 (x, y) in the common system (16 and above).
  unsigned translated_x(unsigned noc0_x) const;
  unsigned translated_y(unsigned noc0_y) const;

 private:
  using Table = std::array<std::uint8_t, kEntries>;
  static std::uint32_t pack(const Table& table, unsigned word);

  std::array<Table, 2> x_{};
  std::array<Table, 2> y_{};
};

}  // namespace tvp::platform
