#include "platform/machine/count_polls.h"

#include <algorithm>

#include "foundation/regs/overlay.h"
#include "models/riscv/core.h"
#include "models/riscv/decode/instruction_meanings.h"

namespace tvp::platform {

namespace overlay = regs::overlay;
using riscv::Code;
using riscv::Op;

namespace {

Code code_of(const Op& op) { return static_cast<Code>(op.code); }

std::optional<Op> op_at(riscv::Core& core, std::uint32_t pc) {
  std::uint32_t word = 0;
  if (!core.debug_read(pc, &word, sizeof word)) return {};
  return riscv::decode(word, pc);
}

/// The instruction reads memory or registers and changes registers only.
bool is_plain(Code code) {
  return code == Code::kNop || code == Code::kConstant || riscv::is_load(code) ||
         (code >= Code::kAddi && code <= Code::kRor);
}
bool reads_second(Code code) { return code >= Code::kAdd && code <= Code::kRor; }

}  // namespace

/// Executes the steps of a path on copies of the core's registers.
class CountPolls::Turn {
 public:
  Turn(riscv::Core& core, const checks::ProbeEvent& read) : core_(core), read_(read) {
    for (unsigned i = 0; i < 32; ++i) regs_[i].now = core.reg(i);
  }

  /// How far the count is beyond its limit, if the branch at the end leaves the loop for all counts
  /// from the limit on.
  std::optional<std::int32_t> beyond(const Path& path) {
    const Op& load = path.steps.front();
    set(load, {read_.value, Value::By::kCount});
    for (std::size_t i = 1; i + 1 < path.steps.size(); ++i)
      if (!step(path.steps[i])) return {};
    return at_branch(path.steps.back(), path.loops_if_taken);
  }

 private:
  using By = Value::By;

  void set(const Op& op, const Value& value) {
    if (op.rd != Op::kSink && op.rd != 0) regs_[op.rd] = value;
  }
  static By negated(By by) {
    return by == By::kCount ? By::kMinusCount : by == By::kMinusCount ? By::kCount : by;
  }
  static By sum(By a, By b) {
    if (a == By::kNothing) return b == By::kComparison ? By::kUnknown : b;
    if (b == By::kNothing && a != By::kComparison) return a;
    return By::kUnknown;
  }
  bool step(const Op& op);
  bool load(const Op& op);
  By dependence(const Op& op, const Value& a, const Value& b);
  std::optional<std::int32_t> at_branch(const Op& op, bool loops_if_taken) const;

  riscv::Core& core_;
  const checks::ProbeEvent& read_;
  std::array<Value, 33> regs_{};
  Comparison compared_{};
  bool is_inverted_ = false;
};

bool CountPolls::Turn::load(const Op& op) {
  const Value& base = regs_[op.rs1];
  if (base.by != By::kNothing) return false;
  const std::uint32_t address = base.now + static_cast<std::uint32_t>(op.imm);
  const auto count = [&](unsigned index) {
    return (address & ~3U) == overlay::stream_reg(read_.stream, index);
  };
  std::uint32_t word = 0;
  if (count(read_.index)) return false;  // the count may have changed
  if (count(overlay::kRemoteDestBufSize))
    word = read_.pushed;
  else if (count(overlay::kRemoteDestBufStart))
    word = read_.popped;
  else if (!core_.debug_read(address & ~3U, &word, sizeof word))
    return false;
  word >>= 8 * (address & 3);
  switch (code_of(op)) {
    case Code::kLw:
      break;
    case Code::kLhu:
      word &= 0xFFFF;
      break;
    case Code::kLbu:
      word &= 0xFF;
      break;
    default:
      return false;
  }
  set(op, {word, By::kNothing});
  return true;
}

CountPolls::Value::By CountPolls::Turn::dependence(const Op& op, const Value& a, const Value& b) {
  switch (code_of(op)) {
    case Code::kAddi:
      return sum(a.by, By::kNothing);
    case Code::kAdd:
      return sum(a.by, b.by);
    case Code::kSub:
      return sum(a.by, negated(b.by));
    case Code::kSlli:
    case Code::kSrli:
    case Code::kZexth:
    case Code::kAndi:
    case Code::kAnd:
      // The lower bits, which are the count.
      return sum(a.by, b.by);
    case Code::kSltiu:
    case Code::kSltu:
    case Code::kSlti:
    case Code::kSlt:
      compared_ = {a, b};
      is_inverted_ = false;
      return a.by == By::kNothing && b.by == By::kNothing ? By::kNothing : By::kComparison;
    case Code::kXori:
      if (a.by != By::kComparison || op.imm != 1) break;
      is_inverted_ = !is_inverted_;
      return By::kComparison;
    default:
      break;
  }
  return a.by == By::kNothing && b.by == By::kNothing ? By::kNothing : By::kUnknown;
}

bool CountPolls::Turn::step(const Op& op) {
  const Code code = code_of(op);
  if (riscv::is_load(code)) return load(op);
  const Value first = regs_[op.rs1];
  const Value second =
      reads_second(code) ? regs_[op.rs2] : Value{static_cast<std::uint32_t>(op.imm), By::kNothing};
  const std::uint32_t a = first.now, b = second.now, imm = b;
  std::uint32_t now = imm;
#define TVP_RESULT(name, expression)              \
  case Code::k##name:                             \
    now = static_cast<std::uint32_t>(expression); \
    break;
#define TVP_NONE(...)
  switch (code) {
    TVP_RISCV_MEANINGS(TVP_RESULT, TVP_RESULT, TVP_NONE, TVP_NONE, TVP_NONE, TVP_NONE, TVP_NONE)
    case Code::kNop:
      return true;
    case Code::kConstant:
      set(op, {now, By::kNothing});
      return true;
    default:
      return false;
  }
#undef TVP_NONE
#undef TVP_RESULT
  Value result{now, dependence(op, first, second)};
  const bool clears_upper_bits = code == Code::kSrli && first.shifted == imm;
  if ((first.shifted != 0 && !clears_upper_bits) || second.shifted != 0) result.by = By::kUnknown;
  if (code == Code::kSlli && result.by != By::kNothing) result.shifted = imm;
  set(op, result);
  return true;
}

std::optional<std::int32_t> CountPolls::Turn::at_branch(const Op& op, bool loops_if_taken) const {
  Value left = regs_[op.rs1], right = regs_[op.rs2];
  Code code = code_of(op);
  bool leaves_if = !loops_if_taken;  // the comparison of `code` holds
  const bool is_equality = code == Code::kBeq || code == Code::kBne;
  if (is_equality && right.by == By::kNothing && right.now == 0 && left.by == By::kComparison) {
    if ((code == Code::kBeq) != is_inverted_) leaves_if = !leaves_if;
    left = compared_.left;
    right = compared_.right;
    code = Code::kBlt;
  } else if (is_equality) {
    // A count below 1 is 0.
    if (right.by != By::kNothing || right.now != 0) return {};
    if (code == Code::kBne) leaves_if = !leaves_if;
    if (leaves_if) return {};
    right.now = 1;
    code = Code::kBlt;
  }
  if (code == Code::kBge || code == Code::kBgeu) leaves_if = !leaves_if;
  // The branch leaves the loop if `leaves_if` is the value of left < right.
  if (left.shifted != 0 || right.shifted != 0) return {};
  const By by = sum(left.by, negated(right.by));
  const auto difference = static_cast<std::int32_t>(left.now - right.now);
  if (!leaves_if && by == By::kCount) return difference;
  if (leaves_if && by == By::kMinusCount) return -difference - 1;
  return {};
}

riscv::Core* CountPolls::core_of(checks::BusMaster master) const {
  for (riscv::Core* const core : cores_)
    if (core->master() == master) return core;
  return nullptr;
}

std::uint32_t CountPolls::awaited(const checks::ProbeEvent& read) {
  riscv::Core* const core = core_of(read.agent);
  if (core == nullptr) return 0;
  const Path& path = path_of(*core, core->pc());
  if (path.steps.empty()) return 0;
  const std::optional<std::int32_t> beyond = Turn(*core, read).beyond(path);
  if (!beyond) return 0;
  return 1 + ((read.value - static_cast<std::uint32_t>(*beyond)) & 0xFFFF);
}

const CountPolls::Path& CountPolls::path_of(riscv::Core& core, std::uint32_t pc) {
  Path& path = paths_[(pc / 4 ^ pc / (4 * kPaths)) % kPaths];
  if (path.pc != pc || path.core != &core) path = follow(core, pc);
  return path;
}

CountPolls::Path CountPolls::follow(riscv::Core& core, std::uint32_t pc) {
  Path path{.pc = pc, .core = &core};
  std::vector<Op> steps;
  std::array<bool, 33> depends{};
  for (std::uint32_t at = pc; steps.size() < kMostSteps;) {
    const std::optional<Op> op = op_at(core, at);
    if (!op) return path;
    const Code code = code_of(*op);
    if (code == Code::kJal && (op->rd == 0 || op->rd == Op::kSink)) {
      at = static_cast<std::uint32_t>(op->imm);
      continue;
    }
    steps.push_back(*op);
    if (riscv::is_branch(code)) {
      const std::optional<bool> loops = loops_if_taken(core, pc, at, *op);
      if (!loops || (!depends[op->rs1] && !depends[op->rs2])) return path;
      path.loops_if_taken = *loops;
      path.steps = std::move(steps);
      return path;
    }
    if (!is_plain(code)) return path;
    if (steps.size() == 1) {
      if (code != Code::kLw && code != Code::kLhu) return path;
      depends[op->rd] = true;
    } else if (op->rd != Op::kSink) {
      depends[op->rd] = !riscv::is_load(code) && code != Code::kConstant &&
                        (depends[op->rs1] || (reads_second(code) && depends[op->rs2]));
    }
    at += 4;
  }
  return path;
}

/// A loop goes back to its load, or before it.
std::optional<bool> CountPolls::loops_if_taken(riscv::Core& core, std::uint32_t begin,
                                               std::uint32_t branch, const Op& op) {
  const auto target = static_cast<std::uint32_t>(op.imm);
  if (target <= begin) return true;
  std::uint32_t at = branch + 4;
  for (unsigned i = 0; i < kMostSteps; ++i, at += 4) {
    const std::optional<Op> next = op_at(core, at);
    if (!next || (!is_plain(code_of(*next)) && code_of(*next) != Code::kJal)) return {};
    if (code_of(*next) != Code::kJal) continue;
    if (static_cast<std::uint32_t>(next->imm) <= begin) return false;
    return {};
  }
  return {};
}

}  // namespace tvp::platform
