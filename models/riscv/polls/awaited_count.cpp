#include "models/riscv/polls/awaited_count.h"

#include "models/riscv/core.h"

namespace tvp::riscv {

namespace {

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((1U << (high - low + 1)) - 1);
}

constexpr std::uint32_t kLoad = 0x03, kOpImmediate = 0x13, kOp = 0x33, kBranch = 0x63;
constexpr std::uint32_t kLess = 4;         // funct3 of BLT
constexpr std::uint32_t kSubtract = 0x20;  // funct7 of SUB
constexpr std::uint32_t kMostBefore = 2;   // instructions in front of the load: its address

}  // namespace

std::optional<std::uint32_t> awaited_count(Core& core) {
  const std::uint32_t pc = core.pc();
  std::uint32_t words[3] = {};
  if (!core.debug_read(pc, words, sizeof words)) return {};
  const auto [load, difference, branch] = words;
  const std::uint32_t loaded = bits(load, 11, 7);
  if (bits(load, 6, 0) != kLoad || bits(difference, 19, 15) != loaded) return {};
  std::uint32_t count = 0;
  if (bits(difference, 6, 0) == kOp && bits(difference, 31, 25) == kSubtract &&
      bits(difference, 14, 12) == 0 && bits(difference, 24, 20) != loaded) {
    count = core.reg(bits(difference, 24, 20));
  } else if (bits(difference, 6, 0) == kOpImmediate && bits(difference, 14, 12) == 0) {
    count = -static_cast<std::uint32_t>(static_cast<std::int32_t>(difference) >> 20);
  } else {
    return {};
  }
  if (bits(branch, 6, 0) != kBranch || bits(branch, 14, 12) != kLess ||
      bits(branch, 19, 15) != bits(difference, 11, 7) || bits(branch, 24, 20) != 0)
    return {};
  const std::uint32_t back =
      -(((branch & 0x80000000) != 0 ? ~0U << 12 : 0) | bits(branch, 7, 7) << 11 |
        bits(branch, 30, 25) << 5 | bits(branch, 11, 8) << 1);
  if (back < 8 || back > 8 + 4 * kMostBefore) return {};
  return count;
}

}  // namespace tvp::riscv
