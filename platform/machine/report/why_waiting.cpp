#include "platform/machine/report/why_waiting.h"

#include "foundation/hex.h"

namespace tvp::platform {

namespace {

/// "at 0x00000040 in beat (idle.c:7), at 0xFFB00010"
std::string places(const std::vector<riscv::CountingLoop::Count>& counts,
                   const std::function<std::string(std::uint32_t pc)>& describe) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < counts.size() && i < kMost; ++i) {
    const std::string in = describe(counts[i].pc);
    text += (i == 0 ? "at " : ", at ") + foundation::hex(counts[i].address, 8) +
            (in.empty() ? "" : " in " + in);
  }
  if (counts.size() > kMost) text += " and " + std::to_string(counts.size() - kMost) + " more";
  return text.empty() ? "in registers" : text;
}

}  // namespace

std::string why_waiting(const riscv::Core& core, riscv::CoreState state,
                        const std::string& waits_for,
                        const std::function<std::string(std::uint32_t pc)>& describe) {
  const riscv::PollSleep& waiting = core.waiting();
  const bool spins = state == riscv::CoreState::kSpinning;
  if (!waiting.is_counting()) {
    if (spins) return riscv::kSpinsForEver;
    return waits_for.empty() ? "" : "waits for " + waits_for;
  }
  const std::string counts = "counts " + places(waiting.counts(), describe);
  if (spins) return "its loop only " + counts + " and reads nothing that could end it";
  return "waits for " + waits_for + "; meanwhile it only " + counts;
}

}  // namespace tvp::platform
