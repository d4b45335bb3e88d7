#include "models/riscv/polls/awaited_count.h"

#include "models/riscv/core.h"
#include "models/riscv/decode/decoder.h"

namespace tvp::riscv {

std::optional<std::uint32_t> AwaitedCount::get() {
  const std::uint32_t pc = core_.pc();
  Loop& loop = loops_[pc / 4 % loops_.size()];
  if (loop.pc != pc) loop = read(pc);
  if (!loop.waits) return {};
  return core_.reg(loop.reg) + loop.constant;
}

AwaitedCount::Loop AwaitedCount::read(std::uint32_t pc) const {
  constexpr std::uint32_t kMostBefore = 8;  // bytes in front of the load: its address
  Loop loop{.pc = pc};
  std::uint32_t words[3] = {};
  if (!core_.debug_read(pc, words, sizeof words)) return loop;
  const Op load = decode(words[0], pc), difference = decode(words[1], pc + 4),
           branch = decode(words[2], pc + 8);
  const auto is = [](const Op& op, Code code) { return static_cast<Code>(op.code) == code; };
  if (!is_load(static_cast<Code>(load.code)) || difference.rs1 != load.rd) return loop;
  if (is(difference, Code::kSub) && difference.rs2 != load.rd) {
    loop.reg = difference.rs2;
  } else if (is(difference, Code::kAddi)) {
    loop.constant = -static_cast<std::uint32_t>(difference.imm);
  } else {
    return loop;
  }
  const auto target = static_cast<std::uint32_t>(branch.imm);
  loop.waits = is(branch, Code::kBlt) && branch.rs1 == difference.rd && branch.rs2 == 0 &&
               target <= pc && pc - target <= kMostBefore;
  return loop;
}

}  // namespace tvp::riscv
