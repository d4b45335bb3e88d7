#include "platform/machine/report/poll_condition.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>

#include "models/riscv/core.h"
#include "models/riscv/decode/multiply_divide.h"

namespace tvp::platform {
namespace {

using Relation = PollCondition::Relation;
using Load = PollCondition::Load;

constexpr unsigned kMostInstructions =
    4096;  ///< most for a turn; polls of many words have loops inside

std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2U << (high - low)) - 1);
}
std::uint32_t sign_extended(std::uint32_t value, unsigned sign_bit) {
  return value - (bits(value, sign_bit, sign_bit) << sign_bit << 1);
}

struct Comparison;

/// A register's value and the loads that it depends on.
struct Value {
  std::uint32_t now = 0;
  std::vector<Load> loads;
  bool is_sum = true;
  unsigned shifted_left = 0;               ///< to clear the upper bits by another shift
  std::shared_ptr<Comparison> comparison;  ///< the value is its result

  bool is_constant() const { return loads.empty(); }
};

/// `is_less` (else: is equal), of the left and the right value.
struct Comparison {
  Value left, right;
  bool is_less = false;
  bool is_signed = false;
  bool is_inverted = false;
};

Value constant(std::uint32_t now) {
  Value value;
  value.now = now;
  return value;
}

Value sum(const Value& a, const Value& b, int sign) {
  Value value = a;
  value.now = sign > 0 ? a.now + b.now : a.now - b.now;
  value.is_sum = a.is_sum && b.is_sum && a.shifted_left == 0 && b.shifted_left == 0;
  value.shifted_left = 0;
  value.comparison = nullptr;
  for (const Load& load : b.loads) {
    value.loads.push_back(load);
    value.loads.back().sign *= sign;
  }
  return value;
}

/// A value that depends on the same loads in an unknown way.
Value mixed(const Value& a, const Value& b, std::uint32_t now) {
  Value value = sum(a, b, 1);
  value.now = now;
  value.is_sum = a.is_constant() && b.is_constant();
  return value;
}

Value shifted(const Value& a, unsigned funct3, unsigned amount, bool arithmetic) {
  constexpr unsigned kLeft = 1;
  const auto is_signed = static_cast<std::int32_t>(a.now);
  Value value = a;
  value.comparison = nullptr;
  value.now = funct3 == kLeft ? a.now << amount
              : arithmetic    ? static_cast<std::uint32_t>(is_signed >> amount)
                              : a.now >> amount;
  if (a.is_constant()) return value;
  const bool clears_upper_bits = funct3 != kLeft && amount == a.shifted_left && amount != 0;
  value.is_sum = a.is_sum && (clears_upper_bits || (funct3 == kLeft && a.shifted_left == 0));
  value.shifted_left = funct3 == kLeft ? amount : 0;
  return value;
}

Value compared(const Value& a, const Value& b, bool is_less, bool is_signed) {
  Value value = mixed(a, b, 0);
  const bool less = is_signed ? static_cast<std::int32_t>(a.now) < static_cast<std::int32_t>(b.now)
                              : a.now < b.now;
  value.now = (is_less ? less : a.now == b.now) ? 1 : 0;
  if (!value.is_constant())
    value.comparison = std::make_shared<Comparison>(Comparison{a, b, is_less, is_signed, false});
  return value;
}

Value operation(unsigned funct3, bool alternative, const Value& a, const Value& b) {
  constexpr unsigned kAdd = 0, kShiftLeft = 1, kLess = 2, kLessUnsigned = 3, kXor = 4,
                     kShiftRight = 5, kOr = 6;
  switch (funct3) {
    case kAdd:
      return sum(a, b, alternative ? -1 : 1);
    case kShiftLeft:
    case kShiftRight:
      if (b.is_constant()) return shifted(a, funct3, b.now & 31, alternative);
      return mixed(a, b, shifted(a, funct3, b.now & 31, alternative).now);
    case kLess:
      return compared(a, b, true, true);
    case kLessUnsigned: {
      // seqz and snez.
      if (b.is_constant() && b.now == 1) return compared(a, constant(0), false, false);
      if (a.is_constant() && a.now == 0) {
        Value value = compared(b, a, false, false);
        value.now ^= 1;
        if (value.comparison) value.comparison->is_inverted = true;
        return value;
      }
      return compared(a, b, true, false);
    }
    case kXor: {
      if (b.is_constant() && b.now == 1 && a.comparison) {
        Value value = a;
        value.now ^= 1;
        value.comparison = std::make_shared<Comparison>(*a.comparison);
        value.comparison->is_inverted = !value.comparison->is_inverted;
        return value;
      }
      Value value = mixed(a, b, a.now ^ b.now);
      // A difference in another form: it is 0 for equal values.
      if (!value.is_constant() && a.is_sum && b.is_sum)
        value.comparison = std::make_shared<Comparison>(Comparison{a, b, false, false, true});
      return value;
    }
    case kOr:
      return mixed(a, b, a.now | b.now);
    default: {  // AND
      const std::uint32_t mask = b.is_constant() ? b.now : a.now;
      const Value& masked = b.is_constant() ? a : b;
      Value value = mixed(a, b, a.now & b.now);
      if ((a.is_constant() || b.is_constant()) && (mask & (mask + 1)) == 0)
        value.is_sum = masked.is_sum && masked.shifted_left == 0;
      return value;
    }
  }
}

/// Instructions of the M extension.
Value product(unsigned funct3, const Value& a, const Value& b) {
  const std::uint32_t x = a.now, y = b.now;
  const std::uint32_t results[] = {x * y,
                                   riscv::high_signed(x, y),
                                   riscv::high_mixed(x, y),
                                   riscv::high_unsigned(x, y),
                                   riscv::divide_signed(x, y),
                                   y == 0 ? ~0U : x / y,
                                   riscv::remainder_signed(x, y),
                                   y == 0 ? x : x % y};
  return mixed(a, b, results[funct3]);
}

/// The condition that ends a loop in which the comparison has the value `holds`.
PollCondition ends(const Comparison& of, bool holds) {
  PollCondition condition;
  const bool is_true = holds != of.is_inverted;
  const Value difference = sum(of.left, of.right, -1);
  condition.loads = difference.loads;
  condition.is_sum = difference.is_sum;
  // The constant goes to the right, unless both sides have loads.
  const bool mirrored = of.left.is_constant();
  const Value& value = mirrored ? of.right : of.left;
  const Value& limit = mirrored ? of.left : of.right;
  if (mirrored)
    for (Load& load : condition.loads) load.sign = -load.sign;
  const bool both = !limit.is_constant();
  condition.now = both ? value.now - limit.now : value.now;
  condition.awaited = both ? 0 : limit.now;
  if (!of.is_less) {
    condition.relation = is_true ? Relation::kNotEqual : Relation::kEqual;
    return condition;
  }
  // value < limit, or limit < value.
  const bool needs_less = !is_true;
  if (needs_less != mirrored) {
    condition.relation = Relation::kAtMost;
    if (needs_less) --condition.awaited;
  } else {
    condition.relation = Relation::kAtLeast;
    if (needs_less) ++condition.awaited;
  }
  return condition;
}

class Turn {
 public:
  explicit Turn(riscv::Core& core) : core_(core), pc_(core.pc()) {
    for (unsigned i = 0; i < regs_.size(); ++i) regs_[i] = constant(core.reg(i));
  }

  std::vector<PollCondition> conditions() {
    const std::uint32_t begin = pc_;
    for (unsigned i = 0; i < kMostInstructions; ++i) {
      executed_.insert(pc_);
      if (!step()) return {};
      if (pc_ == begin) return found();
    }
    return {};
  }

 private:
  struct Branch {
    Comparison comparison;
    bool holds = false;
    std::uint32_t other = 0;  ///< the pc of the other way
  };

  bool step();
  void branch(std::uint32_t word);
  bool load(std::uint32_t word);
  std::vector<PollCondition> found() const;
  void set(unsigned index, Value value) {
    if (index != 0) regs_[index] = std::move(value);
  }

  riscv::Core& core_;
  std::uint32_t pc_;
  std::array<Value, 32> regs_;
  std::set<std::uint32_t> executed_;
  std::vector<Branch> branches_;
};

void Turn::branch(std::uint32_t word) {
  const Value &a = regs_[bits(word, 19, 15)], &b = regs_[bits(word, 24, 20)];
  const unsigned funct3 = bits(word, 14, 12);
  const bool is_less = funct3 >= 4, inverts = (funct3 & 1) != 0, is_signed = funct3 < 6;
  const std::uint32_t target =
      pc_ + sign_extended(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                              bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                          12);
  const Value result = compared(a, b, is_less, is_signed);
  const bool taken = (result.now != 0) != inverts;
  Comparison comparison{a, b, is_less, is_signed, false};
  bool holds = result.now != 0;
  // A branch on the result of an earlier comparison.
  if (!is_less && b.is_constant() && b.now == 0 && a.comparison) {
    comparison = *a.comparison;
    holds = a.now != 0;
  }
  if (!result.is_constant()) branches_.push_back({comparison, holds, taken ? pc_ + 4 : target});
  pc_ = taken ? target : pc_ + 4;
}

bool Turn::load(std::uint32_t word) {
  constexpr unsigned kUnsigned = 4;
  const unsigned funct3 = bits(word, 14, 12), bytes = 1U << (funct3 & 3);
  const Value& base = regs_[bits(word, 19, 15)];
  const std::uint32_t address = base.now + sign_extended(bits(word, 31, 20), 11);
  std::uint32_t now = 0;
  const std::uint32_t word_address = address & ~3U;
  if (bytes > 4 || !core_.debug_read(word_address, &now, sizeof now)) return false;
  now >>= 8 * (address & 3);
  if (bytes < 4) {
    now &= (1U << 8 * bytes) - 1;
    if ((funct3 & kUnsigned) == 0) now = sign_extended(now, 8 * bytes - 1);
  }
  Value value = constant(now);
  // Only this core changes the variables in its own memory.
  const bool is_own =
      address >= riscv::Core::kLocalBase && address - riscv::Core::kLocalBase < core_.local_bytes();
  if (!is_own) value.loads.push_back({address, now, 1});
  set(bits(word, 11, 7), value);
  return true;
}

bool Turn::step() {
  constexpr unsigned kLoad = 0x03, kFence = 0x0F, kOpImmediate = 0x13, kAuipc = 0x17, kStore = 0x23,
                     kOp = 0x33, kLui = 0x37, kBranch = 0x63, kJalr = 0x67, kJal = 0x6F;
  constexpr unsigned kMultiply = 1;
  std::uint32_t word = 0;
  if (!core_.debug_read(pc_, &word, sizeof word)) return false;
  const unsigned rd = bits(word, 11, 7), funct3 = bits(word, 14, 12);
  const Value a = regs_[bits(word, 19, 15)];
  const std::uint32_t immediate = sign_extended(bits(word, 31, 20), 11);
  const bool alternative = bits(word, 30, 30) != 0;
  const std::uint32_t next = pc_ + 4;
  switch (bits(word, 6, 0)) {
    case kLoad:
      if (!load(word)) return false;
      break;
    case kOpImmediate:
      set(rd, operation(funct3, alternative && funct3 == 5, a,
                        constant(funct3 == 1 || funct3 == 5 ? immediate & 31 : immediate)));
      break;
    case kOp: {
      const Value b = regs_[bits(word, 24, 20)];
      set(rd, bits(word, 31, 25) == kMultiply ? product(funct3, a, b)
                                              : operation(funct3, alternative, a, b));
      break;
    }
    case kLui:
      set(rd, constant(word & 0xFFFFF000));
      break;
    case kAuipc:
      set(rd, constant(pc_ + (word & 0xFFFFF000)));
      break;
    case kBranch:
      branch(word);
      return true;
    case kJal:
      set(rd, constant(next));
      pc_ += sign_extended(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                               bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                           20);
      return true;
    case kJalr:
      set(rd, constant(next));
      pc_ = (a.now + immediate) & ~1U;
      return true;
    case kStore:
    case kFence:
      break;  // a poll changes nothing
    default:
      if ((word & 3) == 3) return false;  // else an instruction for the coprocessor
  }
  pc_ = next;
  return true;
}

std::vector<PollCondition> Turn::found() const {
  std::vector<PollCondition> conditions;
  for (const Branch& branch : branches_)
    if (executed_.count(branch.other) == 0)
      conditions.push_back(ends(branch.comparison, branch.holds));
  return conditions;
}

}  // namespace

std::string relation_text(const PollCondition& condition) {
  const std::string value = std::to_string(static_cast<std::int32_t>(condition.awaited));
  switch (condition.relation) {
    case Relation::kEqual:
      return " to be " + value;
    case Relation::kNotEqual:
      return condition.awaited == 0 ? " to be at least 1" : " to be other than " + value;
    case Relation::kAtLeast:
      return " to be at least " + value;
    case Relation::kAtMost:
      return condition.awaited == 0 ? " to be 0" : " to be at most " + value;
  }
  return "";
}

PollCondition by_loads(PollCondition condition) {
  if (!condition.is_sum || condition.loads.empty()) return condition;
  std::uint32_t total = 0;
  for (const PollCondition::Load& load : condition.loads)
    total += load.sign > 0 ? load.value : 0U - load.value;
  std::uint32_t missing = condition.awaited - condition.now;
  if (condition.loads[0].sign < 0) {
    for (PollCondition::Load& load : condition.loads) load.sign = -load.sign;
    total = 0U - total;
    missing = 0U - missing;
    if (condition.relation == Relation::kAtLeast)
      condition.relation = Relation::kAtMost;
    else if (condition.relation == Relation::kAtMost)
      condition.relation = Relation::kAtLeast;
  }
  condition.now = total;
  condition.awaited = total + missing;
  return condition;
}

std::vector<PollCondition> poll_conditions(riscv::Core& core) { return Turn(core).conditions(); }

}  // namespace tvp::platform
