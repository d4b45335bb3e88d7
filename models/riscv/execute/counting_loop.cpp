#include "models/riscv/execute/counting_loop.h"

#include <algorithm>
#include <cstring>

namespace tvp::riscv {

namespace {

bool is_arithmetic(Code c) { return c >= Code::kAddi && c <= Code::kRemu; }
static_assert(Code::kSlti < Code::kSrai && Code::kSrai < Code::kAdd && Code::kAnd < Code::kMul);

}  // namespace

std::uint8_t* CountingLoop::Memory::at(std::uint32_t address, std::uint32_t bytes) const {
  const std::uint32_t offset = address - local_base;
  if (offset < local_bytes && bytes <= local_bytes - offset) return local + offset;
  if (address < l1_bytes && bytes <= l1_bytes - address) return l1 + address;
  return nullptr;
}

void CountingLoop::begin(std::uint32_t pc, const Registers& regs, const Memory& memory,
                         unsigned most) {
  target_ = pc;
  most_ = most;
  followed_ = 0;
  executed_ = ~0ULL;
  is_new_ = false;
  memory_ = memory;
  began_ = regs;
  for (unsigned i = 0; i < kRegisters; ++i) {
    regs_[i] = Value{};
    regs_[i].terms.set(i);
  }
  places_.clear();
  decides_.reset();
}

CountingLoop::Value CountingLoop::of(const Set& sources) {
  Value value;
  value.others = sources;
  return value;
}

CountingLoop::Value CountingLoop::sum(const Value& a, const Value& b) {
  if ((a.terms & b.terms).any()) return of(a.sources() | b.sources());
  return {a.terms | b.terms, a.others | b.others, std::min(a.bits, b.bits)};
}

CountingLoop::Value CountingLoop::difference(const Value& a, const Value& b) {
  return {a.terms, a.others | b.sources(), std::min(a.bits, b.bits)};
}

std::uint32_t CountingLoop::read(const Place& place) const {
  std::uint32_t value = 0;
  std::memcpy(&value, memory_.at(place.address, place.bytes), place.bytes);
  return value;
}

/// Null if there are too many places.
CountingLoop::Place* CountingLoop::place(std::uint32_t address, std::uint32_t bytes) {
  for (Place& p : places_) {
    if (p.address == address && p.bytes == bytes) return &p;
  }
  if (places_.size() == kPlaces) return nullptr;
  places_.push_back({address, bytes, 0, kNowhere, {}});
  Place& added = places_.back();
  added.began = read(added);
  added.value.terms.set(kRegisters + places_.size() - 1);
  added.value.bits = 8 * bytes;
  is_new_ = true;
  return &added;
}

bool CountingLoop::note(std::uint32_t pc, const Op& op, std::uint64_t executed,
                        const Registers& regs) {
  if (executed == executed_) {
    // Other agents may have stored there before the access could be made.
    if (is_new_) places_.back().began = read(places_.back());
    return true;
  }
  executed_ = executed;
  is_new_ = false;
  ++followed_;
  const auto code = static_cast<Code>(op.code);
  if (is_load(code) || is_store(code)) return note_access(pc, op, code, regs);
  if (is_arithmetic(code)) return note_arithmetic(op, code);
  if (is_branch(code)) {
    decides_ |= reg(op.rs1).sources() | reg(op.rs2).sources();
    return true;
  }
  switch (code) {
    case Code::kNop:
      return true;
    case Code::kJalr:
      decides_ |= reg(op.rs1).sources();
      [[fallthrough]];
    case Code::kJal:
    case Code::kConstant:
      set(op.rd, Value{});
      return true;
    default:
      return false;
  }
}

bool CountingLoop::note_access(std::uint32_t pc, const Op& op, Code code, const Registers& regs) {
  const std::uint32_t address = regs[op.rs1] + static_cast<std::uint32_t>(op.imm);
  const std::uint32_t bytes = access_bytes(code);
  if (address % bytes != 0) return false;
  decides_ |= reg(op.rs1).sources();
  if (memory_.at(address, bytes) == nullptr) {
    // A register on the bus: its value is watched, and a store has effects.
    if (is_load(code)) set(op.rd, Value{});
    return is_load(code);
  }
  Place* const at = place(address, bytes);
  if (at == nullptr) return false;
  if (is_load(code)) {
    set(op.rd, at->value);
    return true;
  }
  if (memory_.stop_store >= address && memory_.stop_store < std::uint64_t{address} + bytes) {
    return false;
  }
  at->value = reg(op.rs2);
  at->value.bits = std::min(at->value.bits, 8 * bytes);
  at->stored_at = pc;
  return true;
}

bool CountingLoop::note_arithmetic(const Op& op, Code code) {
  const Value a = reg(op.rs1);
  if (is_immediate(code)) {
    set(op.rd, code == Code::kAddi ? a : of(a.sources()));
    return true;
  }
  const Value b = reg(op.rs2);
  if (is_division(code)) decides_ |= a.sources() | b.sources();
  if (code == Code::kAdd) {
    set(op.rd, sum(a, b));
  } else if (code == Code::kSub) {
    set(op.rd, difference(a, b));
  } else {
    set(op.rd, of(a.sources() | b.sources()));
  }
  return true;
}

// ---- The proof ----------------------------------------------------------------------------------

bool CountingLoop::stores_overlap() const {
  for (const Place& a : places_) {
    if (!a.is_stored()) continue;
    for (const Place& b : places_) {
      if (&a != &b && a.address < b.address + b.bytes && b.address < a.address + a.bytes) {
        return true;
      }
    }
  }
  return false;
}

const CountingLoop::Value& CountingLoop::value_of(unsigned variable) const {
  return variable < kRegisters ? regs_[variable] : places_[variable - kRegisters].value;
}

unsigned CountingLoop::bits_of(unsigned variable) const {
  return variable < kRegisters ? 32 : 8 * places_[variable - kRegisters].bytes;
}

/// Variables that may have changed: those that differ, and those computed from them.
CountingLoop::Set CountingLoop::changing(const Registers& regs) const {
  Set changing;
  for (unsigned i = 1; i < kRegisters; ++i) changing.set(i, regs[i] != began_[i]);
  for (unsigned i = 0; i < places_.size(); ++i) {
    changing.set(kRegisters + i, read(places_[i]) != places_[i].began);
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (unsigned i = 1; i < variables(); ++i) {
      if (changing[i] || !(value_of(i).sources() & changing).any()) continue;
      changing.set(i);
      grown = true;
    }
  }
  return changing;
}

/// True if every turn adds the same amount to the variable.
bool CountingLoop::counts(unsigned variable, const Set& changing) const {
  const Value& value = value_of(variable);
  Set rest = value.terms;
  rest.reset(variable);
  return value.terms[variable] && value.bits >= bits_of(variable) &&
         !((rest | value.others) & changing).any();
}

bool CountingLoop::proves(const Registers& regs) {
  if (stores_overlap()) return false;
  const Set all = changing(regs);
  if ((decides_ & all).any()) return false;
  counters_.clear();
  Set anew = all;  // computed again in each turn from the counters
  for (unsigned i = 1; i < variables(); ++i) {
    if (!all[i] || !counts(i, all)) continue;
    anew.reset(i);
    const std::uint32_t step = i < kRegisters
                                   ? regs[i] - began_[i]
                                   : read(places_[i - kRegisters]) - places_[i - kRegisters].began;
    counters_.push_back({i, step});
  }
  for (unsigned i = 1; i < variables(); ++i) {
    // Depends on a value that the previous turn left there.
    if ((value_of(i).sources() & anew).any()) return false;
  }
  counts_.clear();
  for (unsigned i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (all[kRegisters + i]) counts_.push_back({place.address, place.bytes, place.stored_at});
  }
  return true;
}

void CountingLoop::advance(std::uint64_t turns, Registers& regs) const {
  for (const Counter& c : counters_) {
    const auto by = static_cast<std::uint32_t>(turns * c.step);
    if (c.variable < kRegisters) {
      regs[c.variable] += by;
      continue;
    }
    const Place& place = places_[c.variable - kRegisters];
    const std::uint32_t value = read(place) + by;
    std::memcpy(memory_.at(place.address, place.bytes), &value, place.bytes);
  }
}

std::vector<support::WatchHub::L1Range> CountingLoop::stored() const {
  std::vector<support::WatchHub::L1Range> ranges;
  for (const Place& place : places_) {
    if (place.is_stored() && place.address < memory_.l1_bytes) {
      ranges.push_back({place.address, place.address + place.bytes - 1});
    }
  }
  return ranges;
}

}  // namespace tvp::riscv
