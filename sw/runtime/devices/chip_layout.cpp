#include "sw/runtime/devices/chip_layout.h"

#include <algorithm>
#include <cstring>

#include "foundation/chip/chip_reader.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

std::uint16_t encode(CoreCoord c) { return static_cast<std::uint16_t>(c.y << 6 | c.x); }

}  // namespace

ChipLayout::ChipLayout(Spec spec, std::uint32_t harvest_mask, bool translated)
    : spec_(std::move(spec)),
      worker_columns_(spec_->worker_columns(harvest_mask)),
      worker_rows_(spec_->worker_rows(harvest_mask)),
      harvested_(spec_->harvested(harvest_mask)),
      coordinates_(*spec_, harvested_),
      translated_(translated) {}

ChipLayout::Spec ChipLayout::usual_spec() {
  return std::make_shared<const foundation::ChipSpec>(
      foundation::load_chip("wormhole_b0", foundation::chip_folder()));
}

CoreCoord ChipLayout::mirrored(CoreCoord core) const {
  return {spec_->columns - 1 - core.x, spec_->rows - 1 - core.y};
}

CoreCoord ChipLayout::translate(CoreCoord noc0) const {
  if (!translated_) return noc0;
  const foundation::ChipNode node = coordinates_.translated({noc0.x, noc0.y});
  return {node.x, node.y};
}

CoreCoord ChipLayout::worker_noc0(CoreCoord logical) const {
  if (workers() == 0) {
    const std::size_t lines = spec_->harvest_bits();
    bad_use("core " + logical.str(),
            "this chip has no workers, all of its " + std::to_string(lines) +
                (spec_->harvest_columns.empty() ? " rows" : " columns") + " are harvested");
  }
  if (logical.x >= grid_size().x || logical.y >= grid_size().y)
    bad_use("core " + logical.str(), "is outside the chip's grid of " +
                                         std::to_string(grid_size().x) + " x " +
                                         std::to_string(grid_size().y) + " workers");
  return {worker_columns_[logical.x], worker_rows_[logical.y]};
}

CoreCoord ChipLayout::worker_virtual(CoreCoord logical) const {
  return translate(worker_noc0(logical));
}

CoreCoord ChipLayout::ethernet_noc0(std::uint32_t channel) const {
  if (channel >= ethernet_channels())
    bad_use("ethernet channel " + std::to_string(channel),
            ethernet_channels() == 0
                ? "a chip of kind " + spec_->name + " has no ethernet"
                : "a chip has channels 0 to " + std::to_string(ethernet_channels() - 1));
  return {spec_->ethernet[channel].x, spec_->ethernet[channel].y};
}

CoreCoord ChipLayout::ethernet_virtual(std::uint32_t channel) const {
  return translate(ethernet_noc0(channel));
}

CoreCoord ChipLayout::dram_noc0(std::uint32_t bank) const {
  if (bank >= dram_banks())
    bad_use("DRAM bank " + std::to_string(bank),
            "a chip has banks 0 to " + std::to_string(dram_banks() - 1));
  const foundation::ChipNode node = spec_->dram_bank(bank).node;
  return {node.x, node.y};
}

CoreCoord ChipLayout::dram_virtual(std::uint32_t bank, unsigned noc) const {
  const foundation::ChipNode node = coordinates_.of_dram(spec_->dram_bank(bank, noc).node, noc);
  return {node.x, node.y};
}

contract::BankTableLayout ChipLayout::bank_table_layout() const {
  const auto names = [](const std::vector<unsigned>& lines) {
    return contract::logical_names(static_cast<std::uint32_t>(lines.size()));
  };
  return {dram_banks(), spec_->workers(), names(spec_->tensix_columns), names(spec_->tensix_rows)};
}

std::vector<std::uint8_t> ChipLayout::bank_tables() const {
  const contract::BankTableLayout layout = bank_table_layout();
  std::vector<std::uint8_t> bytes(layout.bytes());
  const auto put = [&](std::uint32_t at, auto value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  for (std::uint32_t bank = 0; bank < dram_banks(); ++bank) {
    for (unsigned noc = 0; noc < 2; ++noc)
      put(layout.dram_xy(noc) + 2 * bank, encode(dram_virtual(bank, noc)));
    put(layout.dram_offsets() + 4 * bank, static_cast<std::int32_t>(dram_offset(bank)));
  }
  for (std::uint32_t bank = 0; bank < workers(); ++bank) {
    const CoreCoord core = worker_virtual({bank % grid_size().x, bank / grid_size().x});
    put(layout.l1_xy(0) + 2 * bank, encode(core));
    put(layout.l1_xy(1) + 2 * bank, encode(translated_ ? core : mirrored(core)));
  }
  for (std::uint32_t x = 0; x < grid_size().x; ++x)
    put(layout.columns() + x, static_cast<std::uint8_t>(worker_virtual({x, 0}).x));
  for (std::uint32_t y = 0; y < grid_size().y; ++y)
    put(layout.rows() + y, static_cast<std::uint8_t>(worker_virtual({0, y}).y));
  return bytes;
}

}  // namespace tvp::runtime
