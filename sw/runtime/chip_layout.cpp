#include "sw/runtime/chip_layout.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

/// Bits of a harvest mask name rows in this order (tt-umd wormhole_implementation.hpp).
constexpr std::uint32_t kFuseRows[] = {11, 1, 10, 2, 9, 3, 8, 4, 7, 5};
constexpr std::uint32_t kWorkerColumns[] = {1, 2, 3, 4, 6, 7, 8, 9};
constexpr std::uint32_t kEthernetColumns[] = {9, 1, 8, 2, 7, 3, 6, 4};  // channel modulo 8
/// Two banks a group of three endpoints; each bank through an endpoint of its own.
constexpr CoreCoord kDramBanks[] = {{0, 0}, {0, 1}, {0, 5}, {0, 6}, {5, 0}, {5, 1},
                                    {5, 2}, {5, 9}, {5, 3}, {5, 4}, {5, 5}, {5, 6}};
static_assert(std::size(kDramBanks) == contract::kDramBanks);

constexpr std::uint32_t kColumns = 10;
constexpr std::uint32_t kRows = 12;
constexpr std::uint32_t kTranslatedX = 18;  // of NoC 0 column 1; columns 0 and 5 are 16 and 17
constexpr std::uint32_t kTranslatedY = 18;  // of the first worker row; rows 0 and 6 are 16 and 17

std::uint32_t column_index(std::uint32_t noc0_x) {
  return static_cast<std::uint32_t>(
      std::find(std::begin(kWorkerColumns), std::end(kWorkerColumns), noc0_x) -
      std::begin(kWorkerColumns));
}

std::uint16_t encode(CoreCoord c) { return static_cast<std::uint16_t>(c.y << 6 | c.x); }
CoreCoord mirrored(CoreCoord c) { return {kColumns - 1 - c.x, kRows - 1 - c.y}; }

}  // namespace

ChipLayout::ChipLayout(std::uint32_t harvested_rows, bool translated) : translated_(translated) {
  for (std::uint32_t bit = 0; bit < std::size(kFuseRows); ++bit)
    if (((harvested_rows >> bit) & 1U) == 0) worker_rows_.push_back(kFuseRows[bit]);
  std::sort(worker_rows_.begin(), worker_rows_.end());
}

CoreCoord ChipLayout::worker_noc0(CoreCoord logical) const {
  if (logical.x >= grid_size().x || logical.y >= grid_size().y)
    bad_use("core " + logical.str(), "is outside the chip's grid of " +
                                         std::to_string(grid_size().x) + " x " +
                                         std::to_string(grid_size().y) + " workers");
  return {kWorkerColumns[logical.x], worker_rows_[logical.y]};
}

CoreCoord ChipLayout::worker_virtual(CoreCoord logical) const {
  const CoreCoord noc0 = worker_noc0(logical);
  return translated_ ? CoreCoord{kTranslatedX + logical.x, kTranslatedY + logical.y} : noc0;
}

CoreCoord ChipLayout::ethernet_noc0(std::uint32_t channel) const {
  if (channel >= kEthernetChannels)
    bad_use("ethernet channel " + std::to_string(channel), "a chip has channels 0 to 15");
  return {kEthernetColumns[channel % 8], channel < 8 ? 0U : 6U};
}

CoreCoord ChipLayout::ethernet_virtual(std::uint32_t channel) const {
  const CoreCoord noc0 = ethernet_noc0(channel);
  if (!translated_) return noc0;
  return {kTranslatedX + column_index(noc0.x), noc0.y == 0 ? 16U : 17U};
}

CoreCoord ChipLayout::dram_noc0(std::uint32_t bank) {
  if (bank >= contract::kDramBanks)
    bad_use("DRAM bank " + std::to_string(bank), "a chip has banks 0 to 11");
  return kDramBanks[bank];
}

contract::BankTables ChipLayout::bank_tables() const {
  contract::BankTables tables{};
  for (std::uint32_t bank = 0; bank < contract::kDramBanks; ++bank) {
    tables.dram_bank_to_noc_xy[0][bank] = encode(dram_noc0(bank));
    tables.dram_bank_to_noc_xy[1][bank] = encode(mirrored(dram_noc0(bank)));
    tables.bank_to_dram_offset[bank] = static_cast<std::int32_t>(dram_offset(bank));
  }
  for (std::uint32_t bank = 0; bank < workers(); ++bank) {
    const CoreCoord logical{bank % grid_size().x, bank / grid_size().x};
    const CoreCoord core = worker_virtual(logical);
    tables.l1_bank_to_noc_xy[0][bank] = encode(core);
    tables.l1_bank_to_noc_xy[1][bank] = encode(translated_ ? core : mirrored(core));
  }
  for (std::uint32_t x = 0; x < grid_size().x; ++x)
    tables.worker_logical_col_to_virtual_col[x] =
        static_cast<std::uint8_t>(worker_virtual({x, 0}).x);
  for (std::uint32_t y = 0; y < grid_size().y; ++y)
    tables.worker_logical_row_to_virtual_row[y] =
        static_cast<std::uint8_t>(worker_virtual({0, y}).y);
  return tables;
}

}  // namespace tvp::runtime
