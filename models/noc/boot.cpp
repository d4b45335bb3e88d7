#include "models/noc/boot.h"

#include <algorithm>

#include "models/noc/niu/niu.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names

namespace {

using foundation::Coordinates;

void write_table(Niu& niu, std::uint32_t offset, const Coordinates::Table& table) {
  const std::uint32_t bits = niu.place().grid.map().table_entry_bits;
  const unsigned in_word = 32 / bits;
  const unsigned raw = niu.place().grid.spec().first_translated;
  for (unsigned first = 0; first < table.size(); first += in_word) {
    std::uint32_t value = 0;
    for (unsigned i = first; i < std::min<std::size_t>(first + in_word, table.size()); ++i) {
      const std::uint32_t unused = i < raw ? i : 0;
      const std::uint32_t entry = table[i] == Coordinates::kUnused ? unused : table[i];
      value |= entry << bits * (i - first);
    }
    niu.poke(offset + first / in_word * 4, value);
  }
}

/// Bit i is set if coordinate i of the NoC is not among the NoC 0 coordinates `tensix`, or is
/// turned off.
std::uint32_t all_but(const std::vector<unsigned>& tensix, std::uint32_t off, unsigned noc,
                      unsigned size) {
  std::uint32_t mask = (1U << size) - 1;
  for (const unsigned i : tensix) {
    if ((off >> i & 1) == 0) mask &= ~(1U << (noc == 0 ? i : size - 1 - i));
  }
  return mask;
}

}  // namespace

NiuBoot::NiuBoot(const Grid& grid, unsigned noc, bool translate)
    : grid_(grid),
      noc_(noc),
      translate_(translate),
      columns_off_(
          all_but(grid.spec().tensix_columns, grid.harvested().columns, noc, grid.columns())),
      rows_off_(all_but(grid.spec().tensix_rows, grid.harvested().rows, noc, grid.rows())),
      columns_(grid.coordinates().columns(noc)),
      rows_(grid.coordinates().rows(noc)) {}

void NiuBoot::start(Niu& niu) const {
  const regs::noc::Map& map = grid_.map();
  niu.poke(map.RouterCfg1, columns_off_);
  niu.poke(map.RouterCfg3, rows_off_);
  write_table(niu, map.XIdTranslateTable0, columns_);
  write_table(niu, map.YIdTranslateTable0, rows_);
  const Node node = niu.place().node();
  std::uint32_t logical = to_unicast(node.x, node.y);
  if (translate_) {
    const Node noc0 = grid_.to_noc(noc_, node);
    const foundation::ChipNode name = grid_.coordinates().translated({noc0.x, noc0.y});
    logical = to_unicast(name.x, name.y);
  }
  niu.poke(map.NocIdLogical, logical);
  niu.poke(map.NiuCfg0, translate_ ? kNiuCfgIdTranslateEnable : 0);
}

void boot_niu(Niu& niu, bool translate) {
  NiuBoot(niu.place().grid, niu.place().noc, translate).start(niu);
}

}  // namespace tvp::noc
