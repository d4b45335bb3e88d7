#include "models/noc/boot.h"

#include <array>

namespace tvp::noc {

using namespace regs::noc;  // register names

namespace {

constexpr unsigned kEntries = 32;
constexpr unsigned kFirstTranslated = 16;
using Table = std::array<std::uint8_t, kEntries>;

/// Entries 0..15 are the identity; `order` lists what 16 and up stand for, in NoC 0 coordinates.
template <std::size_t N>
Table make_table(const std::array<std::uint8_t, N>& order, unsigned noc, unsigned size) {
  Table table{};
  for (unsigned i = 0; i < kFirstTranslated; ++i) table[i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < N; ++i) {
    table[kFirstTranslated + i] =
        static_cast<std::uint8_t>(noc == 0 ? order[i] : size - 1 - order[i]);
  }
  return table;
}

void write_table(Niu& niu, std::uint32_t offset, const Table& table) {
  for (unsigned word = 0; word < kEntries / 8; ++word) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint32_t{table[word * 8 + i]} << (4 * i);
    niu.poke(offset + 4 * word, value);
  }
}

/// Ethernet rows first, then the working Tensix rows from the top, then the harvested ones.
std::array<std::uint8_t, noc::kRows> row_order(std::uint32_t harvested_rows) {
  std::array<std::uint8_t, noc::kRows> order{0, 6};
  unsigned next = 2;
  for (const bool harvested : {false, true}) {
    for (unsigned y = 1; y < noc::kRows; ++y) {
      if (y != 6 && (harvested_rows >> y & 1) == harvested) {
        order[next++] = static_cast<std::uint8_t>(y);
      }
    }
  }
  return order;
}

constexpr std::array<std::uint8_t, noc::kColumns> kColumnOrder{0, 5, 1, 2, 3, 4, 6, 7, 8, 9};

std::uint8_t translated(const Table& table, unsigned coordinate) {
  for (unsigned i = kFirstTranslated; i < kEntries; ++i) {
    if (table[i] == coordinate) return static_cast<std::uint8_t>(i);
  }
  return static_cast<std::uint8_t>(coordinate);
}

}  // namespace

void boot_niu(Niu& niu, std::uint32_t harvested_rows, bool translate) {
  const unsigned noc = niu.place().noc;
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  for (const unsigned x : {0U, 5U}) columns |= 1U << (noc == 0 ? x : noc::kColumns - 1 - x);
  for (unsigned y = 0; y < noc::kRows; ++y) {
    const bool off = y == 0 || y == 6 || (harvested_rows >> y & 1) != 0;
    if (off) rows |= 1U << (noc == 0 ? y : noc::kRows - 1 - y);
  }
  niu.poke(kRouterCfg1, columns);
  niu.poke(kRouterCfg3, rows);
  const Table x = make_table(kColumnOrder, noc, noc::kColumns);
  const Table y = make_table(row_order(harvested_rows), noc, noc::kRows);
  write_table(niu, kXIdTranslateTable0, x);
  write_table(niu, kYIdTranslateTable0, y);
  const Node node = niu.place().node();
  niu.poke(kNocIdLogical, translate ? static_cast<std::uint32_t>(translated(x, node.x)) |
                                          static_cast<std::uint32_t>(translated(y, node.y)) << 6
                                    : static_cast<std::uint32_t>(node.x | node.y << 6));
  niu.poke(kNiuCfg0, translate ? kNiuCfgIdTranslateEnable : 0);
}

}  // namespace tvp::noc
