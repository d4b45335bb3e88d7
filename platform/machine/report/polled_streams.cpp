#include "platform/machine/report/polled_streams.h"

#include <algorithm>
#include <optional>

#include "foundation/regs/overlay.h"
#include "foundation/regs/tensix_tile.h"
#include "models/riscv/core.h"

namespace tvp::platform {
namespace {

/// Bytes around the pc in which both ends of a poll loop are searched.
constexpr std::uint32_t kReach = 32 * 4;

std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2U << (high - low)) - 1);
}
std::uint32_t sign_extended(std::uint32_t value, unsigned sign_bit) {
  return value - (bits(value, sign_bit, sign_bit) << sign_bit << 1);
}
/// Target of a branch or a jump at `pc`.
std::optional<std::uint32_t> target(std::uint32_t pc, std::uint32_t word) {
  constexpr std::uint32_t kBranch = 0x63, kJal = 0x6F;
  if (bits(word, 6, 0) == kBranch)
    return pc + sign_extended(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                                  bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                              12);
  if (bits(word, 6, 0) == kJal)
    return pc + sign_extended(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                                  bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                              20);
  return std::nullopt;
}

}  // namespace

std::vector<PolledStream> polled_streams(riscv::Core& core) {
  constexpr std::uint32_t kLoad = 0x03;
  std::vector<PolledStream> streams;
  std::uint32_t word = 0;
  std::uint32_t begin = 0, end = core.pc();
  for (; end < core.pc() + kReach; end += 4) {
    if (!core.debug_read(end, &word, sizeof word)) return streams;
    const auto to = target(end, word);
    if (!to || *to > core.pc() || *to + kReach < core.pc()) continue;
    begin = *to;
    break;
  }
  if (begin == 0) return streams;
  for (std::uint32_t pc = begin; pc <= end; pc += 4) {
    if (!core.debug_read(pc, &word, sizeof word) || bits(word, 6, 0) != kLoad) continue;
    const std::uint32_t address =
        core.reg(bits(word, 19, 15)) + sign_extended(bits(word, 31, 20), 11);
    if (address < regs::tensix_tile::kOverlay || address >= regs::tensix_tile::kOverlayEnd)
      continue;
    const std::uint32_t offset = address - regs::tensix_tile::kOverlay;
    const PolledStream stream{offset / regs::overlay::kStreamStride,
                              offset % regs::overlay::kStreamStride / 4};
    if (std::find(streams.begin(), streams.end(), stream) == streams.end())
      streams.push_back(stream);
  }
  return streams;
}

}  // namespace tvp::platform
