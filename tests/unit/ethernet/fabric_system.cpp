#include "tests/unit/ethernet/fabric_system.h"

#include <algorithm>
#include <cstring>

#include "foundation/elf_image.h"
#include "foundation/regs/noc.h"
#include "foundation/regs/tensix_tile.h"
#include "models/noc/boot.h"
#include "models/noc/torus/make_torus.h"
#include "tests/unit/ethernet/firmware/bare_map.h"
#include "tests/unit/noc/wormhole_grid.h"

namespace tvp::ethernet::test {

namespace {
constexpr std::uint32_t kSoftReset = regs::tensix_tile::kControl + regs::tensix_tile::kSoftReset0;
}  // namespace

FabricSystem::FabricSystem(const sc_core::sc_module_name& name, unsigned chips, bool ring,
                           unsigned hop_cycles, unsigned receive_cycles)
    : sc_module(name), ring_(ring) {
  if (hop_cycles != 0) noc.hop_cycles.set(std::to_string(hop_cycles));
  if (receive_cycles != 0) ethernet.receive_cycles.set(std::to_string(receive_cycles));
  for (unsigned i = 0; i < chips; ++i) make_chip(i);
  for (unsigned i = 0; i + (ring ? 0 : 1) < chips; ++i) {
    links_.push_back(std::make_unique<Link>("link" + std::to_string(i),
                                            static_cast<std::uint16_t>(i), ethernet));
    tile(i, kEast).attach(links_.back()->end(0));
    tile((i + 1) % chips, kWest).attach(links_.back()->end(1));
  }
}

void FabricSystem::make_chip(unsigned index) {
  chips_.push_back(std::make_unique<Chip>(noc));
  Chip& chip = *chips_.back();
  const std::string where = "chip" + std::to_string(index);
  for (unsigned n = 0; n < 2; ++n) {
    chip.torus[n] = noc::make_torus((where + "_noc" + std::to_string(n)).c_str(), noc,
                                    noc::wormhole_grid(), n, chip.calendar);
  }
  for (unsigned channel = 0; channel < kTiles; ++channel) {
    const std::string name = where + "_eth" + std::to_string(channel);
    chip.tiles.push_back(std::make_unique<EthernetTile>(
        name.c_str(), EthernetTile::Environment{.where = where + ".eth" + std::to_string(channel),
                                                .x = tests::wormhole().ethernet[channel].x,
                                                .y = tests::wormhole().ethernet[channel].y,
                                                .index = channel,
                                                .grid = noc::wormhole_grid(),
                                                .noc = noc,
                                                .riscv = riscv,
                                                .ethernet = ethernet,
                                                .aiclk_mhz = 1000,
                                                .calendar = chip.calendar,
                                                .faults = faults_}));
    for (unsigned n = 0; n < 2; ++n) {
      chip.torus[n]->attach(chip.tiles.back()->niu(n));
      noc::boot_niu(chip.tiles.back()->niu(n), true);
    }
  }
}

void FabricSystem::load(unsigned chip, TileUse use, const std::string& program,
                        const std::vector<std::uint32_t>& arguments) {
  EthernetTile& t = tile(chip, use);
  const auto image =
      foundation::ElfImage::from_file(std::string(TVP_BARE_DIR) + "/" + program + ".elf");
  for (const auto& segment : image.segments()) {
    if (segment.data.empty()) continue;
    const auto bytes = static_cast<std::uint32_t>(segment.data.size());
    if (segment.address >= riscv::Core::kLocalBase) {
      t.core().debug_write(segment.address, segment.data.data(), bytes);
    } else {
      t.debug_write(segment.address, segment.data.data(), bytes);
    }
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    set_word(chip, use, bare::kArguments + 4 * static_cast<std::uint32_t>(i), arguments[i]);
  }
  loaded_.emplace_back(chip, use);
}

void FabricSystem::load_routers(const std::vector<std::string>& programs) {
  for (unsigned i = 0; i < chips(); ++i) {
    const bool east = ring_ || i + 1 < chips();
    const bool west = ring_ || i > 0;
    const std::uint32_t both = east && west ? 1 : 0;
    const std::string& to_east = programs[i % programs.size()];
    const std::string& to_west = programs[(i + chips() - 1) % chips() % programs.size()];
    if (east) load(i, kEast, to_east, {both, x(i, kWest), y(i, kWest)});
    if (west) load(i, kWest, to_west, {both, x(i, kEast), y(i, kEast)});
  }
}

void FabricSystem::release() {
  for (const auto& [chip, use] : loaded_) {
    set_word(chip, use, kSoftReset, 0);
    calendar(chip).tile_woken(tile(chip, use).calendar_index());
    run(now_ + 7);
  }
  loaded_.clear();
}

void FabricSystem::hold() {
  for (unsigned chip = 0; chip < chips(); ++chip) {
    for (unsigned use = 0; use < kTiles; ++use) {
      set_word(chip, static_cast<TileUse>(use), kSoftReset, regs::tensix_tile::kResetB);
    }
  }
}

void FabricSystem::run(Cycle end) {
  Cycle window = support::kNever;
  for (const auto& link : links_) window = std::min(window, link->min_latency_cycles());
  while (now_ < end) {
    now_ = std::min(now_ + window, end);
    for (const auto& chip : chips_) chip->calendar.run_until(now_);
  }
}

bool FabricSystem::run_until_done(unsigned chip, TileUse use, Cycle limit) {
  while (word(chip, use, bare::kDone) == 0) {
    if (now_ >= limit) return false;
    run(now_ + 500);
  }
  return true;
}

void FabricSystem::set_lockstep(bool on) {
  for (const auto& chip : chips_) {
    chip->calendar.set_lockstep(on);
    for (const auto& t : chip->tiles) t->set_poll_sleep(!on);
  }
}

std::uint32_t FabricSystem::word(unsigned chip, TileUse use, std::uint32_t address) {
  std::uint32_t value = 0;
  tile(chip, use).debug_read(address, reinterpret_cast<std::uint8_t*>(&value), 4);
  return value;
}

void FabricSystem::set_word(unsigned chip, TileUse use, std::uint32_t address,
                            std::uint32_t value) {
  tile(chip, use).debug_write(address, reinterpret_cast<const std::uint8_t*>(&value), 4);
}

unsigned FabricSystem::x(unsigned chip, TileUse use) {
  return tile(chip, use).niu(0).peek(regs::noc::kNocIdLogical) & regs::noc::kCoordinateMask;
}
unsigned FabricSystem::y(unsigned chip, TileUse use) {
  return tile(chip, use).niu(0).peek(regs::noc::kNocIdLogical) >> regs::noc::kNodeIdYShift &
         regs::noc::kCoordinateMask;
}
std::uint64_t FabricSystem::noc_address(unsigned chip, TileUse use, std::uint32_t address) {
  return std::uint64_t{y(chip, use)} << 42 | std::uint64_t{x(chip, use)} << 36 | address;
}

void FabricSystem::check_conservation() const {
  for (const auto& chip : chips_) {
    for (const auto& torus : chip->torus) torus->check_conservation();
  }
}

}  // namespace tvp::ethernet::test
