#include "models/tensix/tile/tensix_tile.h"

#include "models/regs/tensix_config.h"
#include "models/regs/tensix_tile.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
namespace config = tvp::regs::config::global;
using support::BusMaster;
using support::Cycle;

namespace {

constexpr std::uint32_t kDataMovementLocalBytes = 4096;
constexpr std::uint32_t kComputeLocalBytes = 2048;

struct CoreFacts {
  BusMaster master;
  const char* name;  ///< as tt-metal's tools print it
  std::uint32_t local_bytes;
  std::uint32_t iram_bytes;
  std::uint32_t reset_bit;
};
constexpr CoreFacts kCores[kTileCores] = {
    {BusMaster::kB, "BRISC", kDataMovementLocalBytes, 0, regs::kResetB},
    {BusMaster::kNc, "NCRISC", kDataMovementLocalBytes, regs::kIramBytes, regs::kResetNc},
    {BusMaster::kT0, "TRISC0", kComputeLocalBytes, 0, regs::kResetT0},
    {BusMaster::kT1, "TRISC1", kComputeLocalBytes, 0, regs::kResetT1},
    {BusMaster::kT2, "TRISC2", kComputeLocalBytes, 0, regs::kResetT2},
};

noc::Place place(unsigned noc, unsigned x, unsigned y, unsigned index, unsigned tile,
                 const std::string& where) {
  return {.noc = noc,
          .x = x,
          .y = y,
          .type = noc::EndpointType::kTensix,
          .index = index,
          .tile = tile,
          .where = where + ".niu" + std::to_string(noc)};
}

}  // namespace

TensixTile::TensixTile(const sc_core::sc_module_name& name, const std::string& where, unsigned x,
                       unsigned y, unsigned endpoint_index, const TileEnvironment& environment)
    : sc_module(name),
      where_(where),
      x_(x),
      y_(y),
      calendar_(environment.calendar),
      faults_(environment.faults),
      calendar_index_(environment.calendar.add_tile(scheduler_)),
      l1_(regs::kL1Bytes, watch_hub_),
      bus_("bus", where, l1_, environment.cycle, environment.faults),
      niu0_("niu0", environment.noc, place(0, x, y, endpoint_index, calendar_index_, where),
            environment.calendar, watch_hub_, environment.faults),
      niu1_("niu1", environment.noc, place(1, x, y, endpoint_index, calendar_index_, where),
            environment.calendar, watch_hub_, environment.faults),
      overlay_("overlay", environment.noc, false, watch_hub_, environment.faults,
               where + ".overlay"),
      coprocessor_("coprocessor", where + ".coprocessor", l1_, watch_hub_, environment.faults,
                   *this, environment.movement, environment.coprocessor),
      mailboxes_(watch_hub_),
      pc_buffers_(*this, watch_hub_),
      sync_window_(pc_buffers_, coprocessor_),
      control_(where + ".control", regs::kResetCores, *this, watch_hub_, environment.faults),
      niu0_registers_("niu0_registers"),
      niu1_registers_("niu1_registers"),
      overlay_registers_("overlay_registers") {
  scheduler_.add(niu0_);
  scheduler_.add(niu1_);
  scheduler_.add(coprocessor_.mover());
  scheduler_.add(coprocessor_);
  for (unsigned i = 0; i < kTileCores; ++i) make_core(static_cast<TileCore>(i), environment);
  niu0_.memory.bind(bus_.master(BusMaster::kNoc0));
  niu1_.memory.bind(bus_.master(BusMaster::kNoc1));
  coprocessor_.thcon.bind(bus_.master(BusMaster::kThcon));
  niu0_registers_.socket.bind(niu0_.regs);
  niu1_registers_.socket.bind(niu1_.regs);
  overlay_registers_.socket.bind(overlay_.regs);
  map_windows();
}

void TensixTile::make_core(TileCore core, const TileEnvironment& environment) {
  const CoreFacts& facts = kCores[static_cast<unsigned>(core)];
  auto& slot = cores_[static_cast<unsigned>(core)];
  slot = std::make_unique<riscv::Core>(facts.name,
                                       riscv::Identity{.master = facts.master,
                                                       .where = where_ + "." + facts.name,
                                                       .local_bytes = facts.local_bytes,
                                                       .iram_bytes = facts.iram_bytes},
                                       environment.riscv, watch_hub_, environment.faults);
  slot->bus.bind(bus_.master(facts.master));
  if (core >= TileCore::kT0) slot->connect(*this);
  scheduler_.add(*slot);
}

void TensixTile::map_windows() {
  using Window = TileBus::Window;
  bus_.map(Window::kTdma, coprocessor_.tdma_window());
  bus_.map(Window::kControl, control_);
  bus_.map(Window::kNiu0, niu0_registers_);
  bus_.map(Window::kNiu1, niu1_registers_);
  bus_.map(Window::kOverlay, overlay_registers_);
  bus_.map(Window::kMopConfig, coprocessor_.mop_config_window());
  bus_.map(Window::kGprs, coprocessor_.gpr_window());
  bus_.map(Window::kPush, coprocessor_.push_window());
  bus_.map(Window::kPcBuf, sync_window_);
  bus_.map(Window::kMailbox, mailboxes_);
  bus_.map(Window::kConfig, coprocessor_.config_window());
}

bool TensixTile::debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                              bool write) {
  return bus_.debug_access(address, data, bytes, write, calendar_.now());
}

void TensixTile::set_poll_sleep(bool on) {
  for (const auto& core : cores_) core->set_poll_sleep(on);
}

std::uint32_t TensixTile::reset_pc(TileCore core) const {
  // Resets look at the state that both banks share, so either bank serves.
  const auto& words = coprocessor_.config().bank[0];
  const auto field = [&](const tvp::regs::config::Field& f) { return f.get(words); };
  const std::uint32_t override_bits = field(config::kTriscResetPcOverride);
  switch (core) {
    case TileCore::kB:
      break;
    case TileCore::kNc:
      return field(config::kNcriscResetPcOverride) != 0 ? field(config::kNcriscResetPc)
                                                        : regs::kResetPcNc;
    case TileCore::kT0:
      return (override_bits & 1U) != 0 ? field(config::trisc_reset_pc(0)) : regs::kResetPcT0;
    case TileCore::kT1:
      return (override_bits & 2U) != 0 ? field(config::trisc_reset_pc(1)) : regs::kResetPcT1;
    case TileCore::kT2:
      return (override_bits & 4U) != 0 ? field(config::trisc_reset_pc(2)) : regs::kResetPcT2;
  }
  return regs::kResetPcB;
}

void TensixTile::soft_reset_changed(std::uint32_t before, std::uint32_t after, Cycle now,
                                    unsigned order) {
  const std::uint32_t changed = before ^ after;
  if ((changed & ~regs::kResetCores & 0x7FFFFFU) != 0) {
    faults_.raise({foundation::FaultKind::kUnmodelled, where_,
                   "soft reset of a unit other than a RISC-V core is not modelled"});
  }
  for (unsigned i = 0; i < kTileCores; ++i) {
    if ((changed & kCores[i].reset_bit) == 0) continue;
    const auto core = static_cast<TileCore>(i);
    const bool enters = (after & kCores[i].reset_bit) != 0;
    if (enters) {
      cores_[i]->assert_reset(now);
      if (core == TileCore::kB) mailboxes_.reset_writer(0, now, order);
      if (core >= TileCore::kT0) {
        mailboxes_.reset_writer(1 + i - static_cast<unsigned>(TileCore::kT0), now, order);
      }
    } else {
      if (core >= TileCore::kT0) {
        pc_buffers_.reset_reader(i - static_cast<unsigned>(TileCore::kT0), now, order);
      }
      // The store that releases a core is over before the core fetches.
      cores_[i]->release_reset(now + 1, reset_pc(core));
    }
  }
}

void TensixTile::set_pc_buf_override(std::uint32_t value, Cycle now, unsigned order) {
  pc_buffers_.set_override(value, now, order);
}

void TensixTile::set_feature_disable(std::uint32_t value) {
  coprocessor_.registers().dst.set_dst16_in_dst32(((value >> 11) & 1U) != 0);
}

void TensixTile::invalidate_instruction_caches(std::uint32_t mask, Cycle) {
  // Bit order of RISCV_IC_INVALIDATE: B, T0, T1, T2, NC.
  constexpr TileCore kOrder[] = {TileCore::kB, TileCore::kT0, TileCore::kT1, TileCore::kT2,
                                 TileCore::kNc};
  for (unsigned bit = 0; bit < kTileCores; ++bit) {
    if ((mask >> bit) & 1U) core(kOrder[bit]).invalidate_instruction_cache();
  }
}

void TensixTile::write_instruction_ram(std::uint32_t offset, const std::uint8_t* data, Cycle) {
  core(TileCore::kNc).write_iram(offset, data, 16);
}

}  // namespace tvp::tensix
