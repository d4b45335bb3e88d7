#include "models/tensix/tile/tile_cores.h"

#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
using support::BusMaster;
using support::Cycle;

namespace {

struct CoreFacts {
  BusMaster master;
  const char* name;  ///< name in tt-metal's tools
  std::uint32_t reset_bit;
};
constexpr CoreFacts kCores[kTileCores] = {
    {BusMaster::kB, "BRISC", regs::kResetB},    {BusMaster::kNc, "NCRISC", regs::kResetNc},
    {BusMaster::kT0, "TRISC0", regs::kResetT0}, {BusMaster::kT1, "TRISC1", regs::kResetT1},
    {BusMaster::kT2, "TRISC2", regs::kResetT2},
};

}  // namespace

TileCores::TileCores(const std::string& where, const foundation::ChipSpec& chip,
                     const riscv::CoreConfig& config, support::WatchHub& watch_hub,
                     foundation::FaultPolicy& faults) {
  for (unsigned i = 0; i < kTileCores; ++i) {
    const CoreFacts& facts = kCores[i];
    const auto core = static_cast<TileCore>(i);
    const bool computes = core >= TileCore::kT0;
    cores_[i] = std::make_unique<riscv::Core>(
        facts.name,
        riscv::Identity{.master = facts.master,
                        .where = where + "." + facts.name,
                        .local_bytes = computes ? chip.memories.compute_local_bytes
                                                : chip.memories.data_local_bytes,
                        .iram_bytes = core == TileCore::kNc ? chip.memories.instruction_bytes : 0,
                        .generation = chip.generation},
        config, watch_hub, faults);
    cores_[i]->share_l1(l1_arbiter_);
  }
}

std::uint32_t TileCores::reset_bit(TileCore core) {
  return kCores[static_cast<unsigned>(core)].reset_bit;
}

void TileCores::invalidate_instruction_caches(std::uint32_t mask, Cycle now) {
  // Bit order of RISCV_IC_INVALIDATE: B, T0, T1, T2, NC.
  constexpr TileCore kOrder[] = {TileCore::kB, TileCore::kT0, TileCore::kT1, TileCore::kT2,
                                 TileCore::kNc};
  for (unsigned bit = 0; bit < kTileCores; ++bit) {
    if ((mask >> bit) & 1U) (*this)[kOrder[bit]].invalidate_instruction_cache(now);
  }
}

void TileCores::write_instruction_ram(std::uint32_t offset, const std::uint8_t* data, Cycle) {
  (*this)[TileCore::kNc].write_iram(offset, data, 16);
}

}  // namespace tvp::tensix
