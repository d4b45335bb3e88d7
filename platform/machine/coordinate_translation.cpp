#include "platform/machine/coordinate_translation.h"

namespace tvp::platform {

namespace {

constexpr unsigned kFirstTranslated = 16;
// NoC 0 columns of the translated x coordinates from 16 on: PCIe/ARC/DRAM, DRAM, then Tensix.
constexpr std::uint8_t kColumnOrder[] = {0, 5, 1, 2, 3, 4, 6, 7, 8, 9};
constexpr std::uint8_t kEthernetRows[] = {0, 6};
constexpr std::uint8_t kTensixRowOrder[] = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11};

}  // namespace

CoordinateTranslation::CoordinateTranslation(std::uint32_t harvested) {
  for (unsigned noc = 0; noc < 2; ++noc) {
    const auto column = [&](unsigned x) {
      return static_cast<std::uint8_t>(noc == 0 ? x : kColumns - 1 - x);
    };
    const auto row = [&](unsigned y) {
      return static_cast<std::uint8_t>(noc == 0 ? y : kRows - 1 - y);
    };
    for (unsigned i = 0; i < kFirstTranslated; ++i) {
      x_[noc][i] = static_cast<std::uint8_t>(i);
      y_[noc][i] = static_cast<std::uint8_t>(i);
    }
    for (unsigned i = 0; i < kColumns; ++i) x_[noc][kFirstTranslated + i] = column(kColumnOrder[i]);
    unsigned next = kFirstTranslated;
    for (const std::uint8_t y : kEthernetRows) y_[noc][next++] = row(y);
    for (const bool wanted : {false, true}) {
      for (const std::uint8_t y : kTensixRowOrder) {
        if (((harvested >> y) & 1U) == (wanted ? 1U : 0U)) y_[noc][next++] = row(y);
      }
    }
  }
}

std::uint32_t CoordinateTranslation::pack(const Table& table, unsigned word) {
  std::uint32_t packed = 0;
  for (unsigned i = 0; i < 8; ++i) {
    packed |= std::uint32_t{table[word * 8 + i]} << (4 * i);
  }
  return packed;
}

unsigned CoordinateTranslation::translated_x(unsigned noc0_x) const {
  for (unsigned i = kFirstTranslated; i < kFirstTranslated + kColumns; ++i) {
    if (x_[0][i] == noc0_x) return i;
  }
  return noc0_x;
}

unsigned CoordinateTranslation::translated_y(unsigned noc0_y) const {
  for (unsigned i = kFirstTranslated; i < kFirstTranslated + kRows; ++i) {
    if (y_[0][i] == noc0_y) return i;
  }
  return noc0_y;
}

}  // namespace tvp::platform
