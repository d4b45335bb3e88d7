#include "models/noc/boot.h"

#include "models/noc/niu/niu.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names

namespace {

using Table = NiuBoot::Table;

/// Raw coordinates translate to themselves. `order` lists the NoC 0 coordinates of the translated
/// numbers from `first` on.
Table make_table(const std::vector<unsigned>& order, unsigned first, unsigned noc, unsigned size) {
  Table table{};
  for (unsigned i = 0; i < first; ++i) table[i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < order.size(); ++i) {
    table[first + i] = static_cast<std::uint8_t>(noc == 0 ? order[i] : size - 1 - order[i]);
  }
  return table;
}

void write_table(Niu& niu, std::uint32_t offset, const Table& table) {
  for (unsigned word = 0; word < NiuBoot::kEntries / 8; ++word) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint32_t{table[word * 8 + i]} << (4 * i);
    niu.poke(offset + 4 * word, value);
  }
}

/// Bit i is set if coordinate i of the NoC is not among the NoC 0 coordinates `open`.
std::uint32_t all_but(const std::vector<unsigned>& open, unsigned noc, unsigned size) {
  std::uint32_t mask = (1U << size) - 1;
  for (const unsigned i : open) mask &= ~(1U << (noc == 0 ? i : size - 1 - i));
  return mask;
}

std::uint8_t translated(const Table& table, unsigned first, unsigned coordinate) {
  for (unsigned i = first; i < NiuBoot::kEntries; ++i) {
    if (table[i] == coordinate) return static_cast<std::uint8_t>(i);
  }
  return static_cast<std::uint8_t>(coordinate);
}

}  // namespace

NiuBoot::NiuBoot(const Grid& grid, unsigned noc, std::uint32_t harvested_rows, bool translate)
    : translate_(translate), first_translated_(grid.spec().first_translated) {
  const foundation::ChipSpec& spec = grid.spec();
  std::vector<unsigned> open_rows;
  for (const unsigned y : spec.tensix_rows) {
    if ((harvested_rows >> y & 1) == 0) open_rows.push_back(y);
  }
  columns_off_ = all_but(spec.tensix_columns, noc, grid.columns());
  rows_off_ = all_but(open_rows, noc, grid.rows());
  x_ = make_table(spec.column_order(), first_translated_, noc, grid.columns());
  y_ = make_table(spec.row_order(harvested_rows), first_translated_, noc, grid.rows());
}

void NiuBoot::start(Niu& niu) const {
  niu.poke(kRouterCfg1, columns_off_);
  niu.poke(kRouterCfg3, rows_off_);
  write_table(niu, kXIdTranslateTable0, x_);
  write_table(niu, kYIdTranslateTable0, y_);
  const Node node = niu.place().node();
  std::uint32_t logical = static_cast<std::uint32_t>(node.x | node.y << 6);
  if (translate_) {
    logical = static_cast<std::uint32_t>(translated(x_, first_translated_, node.x)) |
              static_cast<std::uint32_t>(translated(y_, first_translated_, node.y)) << 6;
  }
  niu.poke(kNocIdLogical, logical);
  niu.poke(kNiuCfg0, translate_ ? kNiuCfgIdTranslateEnable : 0);
}

void boot_niu(Niu& niu, std::uint32_t harvested_rows, bool translate) {
  NiuBoot(niu.place().grid, niu.place().noc, harvested_rows, translate).start(niu);
}

}  // namespace tvp::noc
