#include "models/riscv/core_generation.h"

#include "models/riscv/decode/disassembler.h"

namespace tvp::riscv {

namespace {

using support::BusMaster;

bool is_of_blackhole_alone(Code code) {
  return is_bit_manipulation(code) || is_csr_access(code) || is_atomic(code);
}

// ISA WormholeB0/TensixTile/BabyRISCV/InstructionCache.md.
constexpr std::uint32_t kLargeCache = 2048;
constexpr std::uint32_t kSmallCache = 512;
bool has_large_cache(BusMaster master) {
  return master == BusMaster::kB || master == BusMaster::kT0 || master == BusMaster::kT2;
}

// mesham/tt-sim docs/bh_arch.md 1.1: loops of 4096 bytes never miss. 61 % of the lines miss in
// loops of 5120 bytes, and 100 % in loops of 6144 bytes. Two ways give 60 % and 100 %. One way
// gives 40 % and 67 %, and full associativity 100 % of both.
constexpr std::uint32_t kBlackholeCache = 4096;
constexpr std::uint32_t kBlackholeWays = 2;

}  // namespace

Op CoreGeneration::decode(std::uint32_t word, std::uint32_t pc) const {
  const Op op = riscv::decode(word, pc);
  if (is_blackhole_ || !is_of_blackhole_alone(static_cast<Code>(op.code))) return op;
  return {.code = static_cast<std::uint8_t>(Code::kInvalid), .rd = Op::kSink};
}

std::string CoreGeneration::why_invalid(std::uint32_t word) const {
  if (!is_blackhole_ && is_of_blackhole_alone(static_cast<Code>(riscv::decode(word, 0).code))) {
    return ": " + disassemble(word, 0) +
           " is an instruction of Blackhole's cores, and this is a core of Wormhole";
  }
  return riscv::why_invalid(word);
}

CoreGeneration::Cache CoreGeneration::instruction_cache(BusMaster master,
                                                        const CoreConfig& config) const {
  // tt-metal runs the kernels of E from its instruction RAM (wh_hal.cpp, ENABLE_IRAM); ours in L1
  // stand for these.
  const bool cached = config.instruction_cache != "off" && master != BusMaster::kE;
  if (is_blackhole_) {
    return {cached ? kBlackholeCache : 0, kBlackholeWays, config.instruction_fetch};
  }
  const bool large = has_large_cache(master);
  return {!cached ? 0
          : large ? kLargeCache
                  : kSmallCache,
          1, large ? config.instruction_fetch : config.small_cache_instruction_fetch};
}

}  // namespace tvp::riscv
