#include "platform/machine/chip.h"

#include <algorithm>

#include "foundation/hex.h"
#include "foundation/regs/noc.h"
#include "models/noc/boot.h"
#include "models/noc/torus/make_torus.h"

namespace tvp::platform {

namespace noc_regs = tvp::regs::noc;
using foundation::Fault;
using foundation::FaultKind;

namespace {

std::string place(const char* kind, unsigned x, unsigned y) {
  return std::string(kind) + "(" + std::to_string(x) + "," + std::to_string(y) + ")";
}

noc::Grid grid_of(const ChipDescription& description, const std::set<ForeignParts::Node>& foreign) {
  noc::Grid grid(*description.spec, description.spec->harvested(description.harvest_mask));
  for (const auto& [chip, x, y] : foreign) {
    if (chip == description.id)
      grid.occupy({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)});
  }
  return grid;
}

}  // namespace

Chip::Chip(const sc_core::sc_module_name& name, const ChipDescription& description,
           const PlatformConfig& config, foundation::FaultPolicy& faults)
    : sc_module(name),
      description_(description),
      foreign_places_(config.foreign.nodes),
      grid_(grid_of(description_, foreign_places_)),
      where_("chip" + std::to_string(description.id)),
      cycle_(sc_core::sc_time::from_value(1'000'000 / config.chip.aiclk_mhz)),
      calendar_(noc::lookahead(config.noc)),
      arc_(where_ + ".arc", config.chip.aiclk_mhz, spec().clocks.refclk_mhz, faults) {
  if (config.foreign.shared_kernel) {
    block_ = std::make_unique<support::CalendarBlock>(
        calendar_, foundation::Period::of_mhz(config.chip.aiclk_mhz));
  }
  for (unsigned noc = 0; noc < 2; ++noc) {
    torus_[noc] =
        noc::make_torus(("noc" + std::to_string(noc)).c_str(), config.noc, grid_, noc, calendar_);
  }
  make_tensix(config, faults);
  make_ethernet(config, faults);
  make_dram(config, faults);
  make_foreign(config, faults);
  pcie_ =
      std::make_unique<host::PcieTile>("pcie", config.pcie, grid_, config.noc,
                                       config.chip.aiclk_mhz, calendar_, faults, where_ + ".pcie");
  for (const auto& torus : torus_) pcie_->attach(*torus);
  if (config.foreign.host_memory && description_.pci_device)
    pcie_->use_foreign_memory(*block_, config.foreign.timing);
  bars_ =
      std::make_unique<host::PcieBars>(where_ + ".pcie", spec().bars, *this, arc_, pcie_->iatu());
  boot_nius();
  // Code that inspects these tiles from outside must settle them first.
  for (const auto& tile : tensix_) tile->set_counting_sleep(true);
  for (const auto& tile : ethernet_) tile->set_counting_sleep(true);
}

void Chip::make_tensix(const PlatformConfig& config, foundation::FaultPolicy& faults) {
  const tensix::TileEnvironment environment{
      grid_,           config.noc, config.riscv, config.coprocessor,
      config.movement, cycle_,     calendar_,    faults};
  for (const unsigned y : spec().worker_rows(description_.harvest_mask)) {
    for (const unsigned x : spec().worker_columns(description_.harvest_mask)) {
      if (is_foreign(x, y)) continue;
      const std::string name = "tensix_" + std::to_string(x) + "_" + std::to_string(y);
      tensix_.push_back(std::make_unique<tensix::TensixTile>(
          name.c_str(), where_ + "." + place("tensix", x, y), x, y,
          static_cast<unsigned>(tensix_.size()), environment));
      for (unsigned noc = 0; noc < 2; ++noc) torus_[noc]->attach(tensix_.back()->niu(noc));
    }
  }
  for (const ForeignParts::Devices& devices : config.foreign.devices) {
    if (devices.tile.chip != id()) continue;
    tensix_at(devices.tile.x, devices.tile.y)->add_devices(devices.base, devices.bytes, *block_);
  }
}

void Chip::make_ethernet(const PlatformConfig& config, foundation::FaultPolicy& faults) {
  for (unsigned channel = 0; channel < spec().ethernet.size(); ++channel) {
    const auto [x, y] = spec().ethernet[channel];
    const std::string name = "ethernet_" + std::to_string(channel);
    ethernet_.push_back(std::make_unique<ethernet::EthernetTile>(
        name.c_str(),
        ethernet::EthernetTile::Environment{.where = where_ + "." + place("ethernet", x, y),
                                            .x = x,
                                            .y = y,
                                            .index = channel,
                                            .grid = grid_,
                                            .noc = config.noc,
                                            .riscv = config.riscv,
                                            .ethernet = config.ethernet,
                                            .aiclk_mhz = config.chip.aiclk_mhz,
                                            .calendar = calendar_,
                                            .faults = faults}));
    for (unsigned noc = 0; noc < 2; ++noc) torus_[noc]->attach(ethernet_.back()->niu(noc));
  }
}

void Chip::make_dram(const PlatformConfig& config, foundation::FaultPolicy& faults) {
  for (unsigned group = 0; group < spec().dram.size(); ++group) {
    const std::string name = "dram_" + std::to_string(group);
    dram::ForeignChannels foreign{
        block_.get(), {}, config.foreign.timing, config.foreign.dram_burst_bytes};
    for (const ForeignParts::DramChannel& at : config.foreign.dram) {
      if (at.chip == id() && at.group == group) foreign.channels.push_back(at.channel);
    }
    dram_.push_back(std::make_unique<dram::DramTile>(
        name.c_str(), config.dram, grid_, config.noc, group, calendar_, faults,
        where_ + ".dram" + std::to_string(group), dram::Period::of_mhz(config.chip.aiclk_mhz),
        foreign));
    for (const auto& torus : torus_) dram_.back()->attach(*torus);
  }
}

void Chip::make_foreign(const PlatformConfig& config, foundation::FaultPolicy& faults) {
  for (const auto& [chip, x, y] : foreign_places_) {
    if (chip != id()) continue;
    const std::string name = "foreign_" + std::to_string(x) + "_" + std::to_string(y);
    foreign_nodes_.push_back(std::make_unique<noc::ForeignNode>(
        name.c_str(), config.noc, grid_,
        noc::Node{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)}, *block_, faults,
        where_ + "." + place("foreign", x, y), config.foreign.timing));
    for (const auto& torus : torus_) foreign_nodes_.back()->attach(*torus);
  }
}

void Chip::boot_nius() {
  for (unsigned noc = 0; noc < 2; ++noc) {
    const noc::NiuBoot boot(grid_, noc, true);
    for (const auto& tile : tensix_) boot.start(tile->niu(noc));
    for (const auto& tile : ethernet_) boot.start(tile->niu(noc));
    for (const auto& tile : dram_) {
      for (unsigned endpoint = 0; endpoint < tile->endpoints(); ++endpoint) {
        boot.start(tile->niu(endpoint, noc));
      }
    }
    boot.start(pcie_->niu(noc));
    for (const auto& node : foreign_nodes_) boot.start(node->niu(noc));
  }
}

noc::Node Chip::noc0_node(unsigned noc, unsigned x, unsigned y) const {
  if (!grid_.names_column(x) || !grid_.names_row(y)) return noc::kNowhere;
  const noc::Node written{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  // All NIUs of a NoC hold the same tables; a DRAM tile is always there.
  return grid_.to_noc(noc, dram_[0]->niu(0, noc).translated(written));
}

tensix::TensixTile* Chip::tensix_at(unsigned x, unsigned y) {
  for (const auto& tile : tensix_) {
    if (tile->x() == x && tile->y() == y) return tile.get();
  }
  return nullptr;
}

ethernet::EthernetTile* Chip::ethernet_at(unsigned x, unsigned y) {
  for (unsigned channel = 0; channel < ethernet_.size(); ++channel) {
    if (spec().ethernet[channel] == foundation::ChipNode{x, y}) return ethernet_[channel].get();
  }
  return nullptr;
}

void Chip::access(unsigned noc, unsigned x, unsigned y, std::uint64_t address, std::uint8_t* data,
                  std::uint32_t bytes, bool write) {
  const noc::Node at = noc0_node(noc, x, y);
  const host::AccessListener::Access heard{address, data, bytes, write};
  bool served = false;
  if (grid_.has(at)) {
    if (listener_ != nullptr && write) listener_->tile_accessed(at.x, at.y, heard);
    if (tensix::TensixTile* tile = tensix_at(at.x, at.y)) {
      calendar_.settle(tile->calendar_index());
      served = tile->debug_access(address, data, bytes, write);
      if (write) calendar_.tile_woken(tile->calendar_index());
    } else if (ethernet::EthernetTile* eth = ethernet_at(at.x, at.y)) {
      calendar_.settle(eth->calendar_index());
      served = eth->debug_access(address, data, bytes, write);
      if (write) calendar_.tile_woken(eth->calendar_index());
    } else if (spec().pcie == foundation::ChipNode{at.x, at.y}) {
      served = pcie_->debug_access(noc, address, data, bytes, write);
    } else if (is_foreign(at.x, at.y)) {
      for (const auto& node : foreign_nodes_) {
        if (node->at() == at) served = node->debug_access(noc, address, data, bytes, write);
      }
    } else {
      served = access_dram(noc, {at.x, at.y}, address, data, bytes, write);
    }
  }
  if (!served) {
    throw Fault(FaultKind::kDescription, where_,
                std::string("host ") + (write ? "write of " : "read of ") + std::to_string(bytes) +
                    " bytes at " + place("tile", x, y) + " " + foundation::hex(address) +
                    ": nothing is there");
  }
  if (listener_ != nullptr && !write) listener_->tile_accessed(at.x, at.y, heard);
}

bool Chip::access_dram(unsigned noc, foundation::ChipNode at, std::uint64_t address,
                       std::uint8_t* data, std::uint32_t bytes, bool write) {
  for (const auto& tile : dram_) {
    const auto& nodes = spec().dram[tile->group()].endpoints;
    const auto found = std::find(nodes.begin(), nodes.end(), at);
    if (found == nodes.end()) continue;
    const auto endpoint = static_cast<unsigned>(found - nodes.begin());
    if (tile->debug_registers(endpoint, noc, address, data, bytes, write)) return true;
    const auto kind =
        write ? support::ProbeEvent::Kind::kWritten : support::ProbeEvent::Kind::kRead;
    if (probe_ != nullptr && probe_->wants(kind))
      probe_->report({.kind = kind,
                      .memory = support::MemoryKind::kDram,
                      .x0 = static_cast<std::uint8_t>(at.x),
                      .y0 = static_cast<std::uint8_t>(at.y),
                      .bytes = bytes,
                      .address = address,
                      .cycle = calendar_.now(),
                      .done = calendar_.now()});
    return write ? tile->debug_write(address, data, bytes) : tile->debug_read(address, data, bytes);
  }
  return false;
}

void Chip::multicast(unsigned noc, unsigned x_start, unsigned y_start, unsigned x_end,
                     unsigned y_end, std::uint64_t address, const std::uint8_t* data,
                     std::uint32_t bytes) {
  const noc::Node corners[] = {noc0_node(noc, x_start, y_start), noc0_node(noc, x_end, y_end)};
  if (!grid_.has(corners[0]) || !grid_.has(corners[1])) {
    throw Fault(FaultKind::kDescription, where_,
                "host multicast to " + place("tiles", x_start, y_start) + " to " +
                    place("", x_end, y_end) + ": no such nodes");
  }
  const noc::Node start = grid_.to_noc(noc, corners[0]);
  const noc::Node end = grid_.to_noc(noc, corners[1]);
  // Inside the interval from a to b in the direction of the NoC, wrapping when a > b.
  const auto inside = [](unsigned a, unsigned v, unsigned b) {
    return a <= b ? a <= v && v <= b : v >= a || v <= b;
  };
  std::vector<std::uint8_t> copy(data, data + bytes);
  for (const auto& tile : tensix_) {
    const noc::Node node = grid_.to_noc(
        noc, {static_cast<std::uint8_t>(tile->x()), static_cast<std::uint8_t>(tile->y())});
    if (!inside(start.x, node.x, end.x) || !inside(start.y, node.y, end.y)) continue;
    calendar_.settle(tile->calendar_index());
    if (listener_ != nullptr) {
      listener_->tile_accessed(tile->x(), tile->y(), {address, data, bytes, true});
    }
    if (!tile->debug_access(address, copy.data(), bytes, true)) {
      throw Fault(FaultKind::kDescription, tile->where(),
                  "host multicast at " + foundation::hex(address) + ": nothing is there");
    }
    calendar_.tile_woken(tile->calendar_index());
  }
}

void Chip::check_conservation() const {
  for (const auto& torus : torus_) torus->check_conservation();
}

void Chip::describe_waiting(std::vector<std::string>& lines) const {
  describe_packets(lines);
  for (const auto& tile : tensix_) tile->describe_waiting(lines);
}

void Chip::describe_packets(std::vector<std::string>& lines) const {
  for (const auto& torus : torus_) {
    const std::size_t first = lines.size();
    torus->describe_in_flight(lines);
    for (std::size_t i = first; i < lines.size(); ++i) lines[i] = where_ + " " + lines[i];
  }
}

}  // namespace tvp::platform
