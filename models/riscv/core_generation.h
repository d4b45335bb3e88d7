#pragma once

#include <cstdint>
#include <string>

#include "foundation/regs/generation.h"
#include "models/riscv/core_config.h"
#include "models/riscv/decode/decoder.h"
#include "models/support/bus_access.h"

namespace tvp::riscv {

/// The policy of a generation's baby cores: instructions, instruction cache, and order of
/// execution. Times that differ are settings of the chip. No other code of the cores asks for the
/// generation.
/// Spec: ISA WormholeB0 and BlackholeA0, TensixTile/BabyRISCV.
class CoreGeneration {
 public:
  constexpr CoreGeneration() = default;
  explicit constexpr CoreGeneration(Generation generation)
      : is_blackhole_(generation == Generation::kBlackhole) {}

  /// The instruction of the word; kInvalid if these cores lack it.
  Op decode(std::uint32_t word, std::uint32_t pc) const;
  /// The reason for kInvalid, as the end of a message.
  std::string why_invalid(std::uint32_t word) const;

  struct Cache {
    std::uint32_t bytes = 0;  ///< 0: it holds everything
    std::uint32_t ways = 1;
    double fetch_cycles = 0;  ///< time of a line
  };
  Cache instruction_cache(support::BusMaster master, const CoreConfig& config) const;

  /// The next instruction enters the integer unit while a product is computed.
  bool pipelines_products() const { return is_blackhole_; }
  /// The store queue combines neighboring stores to L1.
  bool merges_stores() const { return is_blackhole_; }

 private:
  bool is_blackhole_ = false;
};

}  // namespace tvp::riscv
