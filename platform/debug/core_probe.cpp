#include "platform/debug/core_probe.h"

#include <algorithm>

namespace tvp::debug {

using riscv::Commit;
using riscv::Core;

CoreProbe::CoreProbe(Core& core, unsigned number, StopListener& stops)
    : core_(core), number_(number), stops_(stops) {
  core_.hooks().set_breakpoint_listener(this);
}

CoreProbe::~CoreProbe() {
  clear();
  core_.hooks().set_breakpoint_listener(nullptr);
}

bool CoreProbe::insert(Trap trap, std::uint32_t address, std::uint32_t bytes) {
  if (trap != Trap::kSoftwareBreakpoint && trap != Trap::kHardwareBreakpoint) {
    return insert_watch(trap, address, bytes);
  }
  if (address % 4 != 0) return false;  // no instruction begins there
  breakpoints_.push_back({address, trap});
  core_.insert_breakpoint(address);
  wake_ = true;
  return true;
}

bool CoreProbe::remove(Trap trap, std::uint32_t address, std::uint32_t bytes) {
  if (trap != Trap::kSoftwareBreakpoint && trap != Trap::kHardwareBreakpoint) {
    return remove_watch(trap, address, bytes);
  }
  const auto found = std::find_if(breakpoints_.begin(), breakpoints_.end(), [&](const auto& b) {
    return b.address == address && b.trap == trap;
  });
  if (found == breakpoints_.end()) return false;
  breakpoints_.erase(found);
  const bool another = std::any_of(breakpoints_.begin(), breakpoints_.end(),
                                   [&](const auto& b) { return b.address == address; });
  if (!another) core_.remove_breakpoint(address);
  return true;
}

bool CoreProbe::insert_watch(Trap trap, std::uint32_t address, std::uint32_t bytes) {
  if (bytes == 0 || bytes - 1 > ~address) return false;
  watches_.push_back(std::make_unique<MemoryWatch>(*this, trap, address, bytes));
  if (trap != Trap::kRead) {
    core_.watches().sleep(*watches_.back(), 0, {{address, address + (bytes - 1)}});
  }
  wake_ = wake_ || trap != Trap::kWrite;
  observe();
  return true;
}

bool CoreProbe::remove_watch(Trap trap, std::uint32_t address, std::uint32_t bytes) {
  const auto found = std::find_if(watches_.begin(), watches_.end(), [&](const auto& w) {
    return w->trap == trap && w->address == address && w->bytes == bytes;
  });
  if (found == watches_.end()) return false;
  core_.watches().cancel(**found);
  watches_.erase(found);
  observe();
  return true;
}

void CoreProbe::step(std::uint32_t from, std::uint32_t to) {
  stepping_ = true;
  wake_ = true;
  step_from_ = from;
  step_to_ = to;
  step_began_ = core_.executed_instructions();
  observe();
}

void CoreProbe::cancel_step() {
  if (!stepping_) return;
  stepping_ = false;
  observe();
}

void CoreProbe::follow(bool on) {
  if (following_ == on) return;
  following_ = on;
  wake_ = wake_ || on;
  observe();
}

void CoreProbe::watch_for_neighbor(bool on) {
  neighbors_ += on ? 1U : -1U;
  observe();
}

void CoreProbe::clear() {
  for (const Breakpoint& b : breakpoints_) core_.remove_breakpoint(b.address);
  breakpoints_.clear();
  for (const auto& watch : watches_) core_.watches().cancel(*watch);
  watches_.clear();
  neighbors_ = 0;
  stepping_ = false;
  following_ = false;
  observe();
}

void CoreProbe::stop_was_told(unsigned instructions) {
  told_below_ = core_.executed_instructions() + instructions + 1;
}

std::uint32_t CoreProbe::next_pc() {
  const std::uint32_t pc = core_.pc();
  std::uint32_t word = 0;
  if (!core_.debug_read(pc, &word, sizeof word)) return pc;
  const riscv::Op op = riscv::decode(word, pc);
  const auto code = static_cast<riscv::Code>(op.code);
  const std::uint32_t a = core_.reg(op.rs1);
  const std::uint32_t b = core_.reg(op.rs2);
  const auto target = static_cast<std::uint32_t>(op.imm);
  bool taken = false;
  switch (code) {
    case riscv::Code::kJal:
      return target;
    case riscv::Code::kJalr:
      return (a + target) & ~1U;
    case riscv::Code::kBeq:
      taken = a == b;
      break;
    case riscv::Code::kBne:
      taken = a != b;
      break;
    case riscv::Code::kBlt:
      taken = static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
      break;
    case riscv::Code::kBge:
      taken = static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b);
      break;
    case riscv::Code::kBltu:
      taken = a < b;
      break;
    case riscv::Code::kBgeu:
      taken = a >= b;
      break;
    default:
      break;
  }
  return taken ? target : pc + 4;
}

bool CoreProbe::take_wake() {
  const bool wake = wake_;
  wake_ = false;
  return wake;
}

/// Observes each instruction only while a watch or a step needs it.
void CoreProbe::observe() {
  const bool wanted = stepping_ || following_ || neighbors_ != 0 || !watches_.empty();
  const bool observes = core_.hooks().observer() == this;
  if (wanted && !observes) {
    next_ = core_.hooks().observer();
    core_.hooks().set_observer(this);
  } else if (!wanted && observes) {
    core_.hooks().set_observer(next_);
    next_ = nullptr;
  }
}

void CoreProbe::MemoryWatch::location_changed(support::Cycle when, unsigned order) {
  if (order == probe.core_.order()) return;
  probe.stops_.at_watchpoint(
      probe, {.trap = trap, .address = address, .bytes = bytes, .when = when, .writer = order});
}

void CoreProbe::committed(const Core& core, const Commit& commit) {
  if (next_ != nullptr) next_->committed(core, commit);
  if (following_) stops_.followed(*this);
  // A stop may take watches away, this one included.
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const MemoryWatch& watch = *watches_[i];
    const bool stored = watch.trap != Trap::kRead && commit.store_bytes != 0 &&
                        watch.covers(commit.address, commit.store_bytes);
    const bool loaded = watch.trap != Trap::kWrite && commit.load_bytes != 0 &&
                        watch.covers(commit.address, commit.load_bytes);
    if (!stored && !loaded) continue;
    stops_.at_watchpoint(*this, {.trap = watch.trap,
                                 .address = watch.address,
                                 .bytes = watch.bytes,
                                 .when = core_.time(),
                                 .writer = core_.order()});
    return;
  }
}

bool CoreProbe::stop_before(const Core& core, std::uint32_t pc) {
  if (next_ != nullptr && next_->stop_before(core, pc)) return true;
  if (following_) stops_.followed(*this);
  if (!stepping_ || core.executed_instructions() == step_began_) return false;
  if (pc >= step_from_ && pc < step_to_) return false;
  stops_.stepped(*this);
  return false;
}

bool CoreProbe::handles_break(const Core& core, std::uint32_t pc) {
  return next_ != nullptr && next_->handles_break(core, pc);
}

bool CoreProbe::wants_polls() const {
  const bool reads = std::any_of(watches_.begin(), watches_.end(),
                                 [](const auto& watch) { return watch->trap != Trap::kWrite; });
  return stepping_ || following_ || reads || (next_ != nullptr && next_->wants_polls());
}

void CoreProbe::at_breakpoint(Core& core) {
  if (core.executed_instructions() < told_below_) return;
  stop_was_told();
  const auto found = std::find_if(breakpoints_.begin(), breakpoints_.end(),
                                  [&](const auto& b) { return b.address == core.pc(); });
  if (found != breakpoints_.end()) stops_.at_breakpoint(*this, found->trap);
}

}  // namespace tvp::debug
