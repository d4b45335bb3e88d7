#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "foundation/chip/chip_spec.h"
#include "models/riscv/core.h"
#include "models/riscv/execute/l1_arbiter.h"
#include "models/tensix/coprocessor/coprocessor_client.h"

namespace tvp::tensix {

/// Cores of a tile, in the order in which agents and reports list them.
enum class TileCore : std::uint8_t { kB, kNc, kT0, kT1, kT2 };
inline constexpr unsigned kTileCores = 5;

/// The five RISC-V cores of a Tensix tile.
class TileCores : public coprocessor::CoprocessorClient {
 public:
  TileCores(const std::string& where, const foundation::ChipSpec& chip,
            const riscv::CoreConfig& config, support::WatchHub& watch_hub,
            foundation::FaultPolicy& faults);

  riscv::Core& operator[](TileCore core) { return *cores_[static_cast<unsigned>(core)]; }
  auto begin() { return cores_.begin(); }
  auto end() { return cores_.end(); }

  /// The effect of their stores on other agents at L1.
  support::L1Holders& l1_holders() { return l1_arbiter_; }

  /// Bit of SOFT_RESET_0.
  static std::uint32_t reset_bit(TileCore core);

  // CoprocessorClient
  void invalidate_instruction_caches(std::uint32_t mask, support::Cycle now) override;
  void write_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                             support::Cycle now) override;

 private:
  riscv::L1Arbiter l1_arbiter_;
  std::array<std::unique_ptr<riscv::Core>, kTileCores> cores_;
};

}  // namespace tvp::tensix
