#include "models/riscv/core.h"

#include <algorithm>
#include <utility>

#include "models/support/tile_scheduler.h"

namespace tvp::riscv {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::kNever;

Core::Core(const sc_core::sc_module_name& name, Identity identity, const CoreConfig& config,
           support::WatchHub& watches, foundation::FaultPolicy& faults)
    : sc_core::sc_module(name),
      bus("bus"),
      identity_(std::move(identity)),
      config_(config),
      watches_(watches),
      status_(*this, identity_.where, s_, faults),
      sleep_(*this, s_, status_, watches),
      memory_(identity_, s_, status_, sleep_, watches, bus),
      fetch_(identity_.iram_bytes, CoreGeneration(identity_.generation)),
      hooks_(*this, s_),
      interpreter_(s_, fetch_, memory_, sleep_, status_, hooks_, watches) {
  set_asks();
  bus.register_invalidate_direct_mem_ptr(this, &Core::invalidate_direct_mem_ptr);
}

void Core::set_memory_observer(support::Probe::Listener* observer) {
  memory_.local().set_observer(observer);
  sleep_.set_memory_observer(observer);
}

void Core::set_poll_sleep(bool on) {
  sleep_.set_on(on);
  set_blocks();
}

/// In lockstep the core executes everything that could be skipped.
void Core::set_blocks() {
  using Blocks = BlockRunner::Blocks;
  const foundation::Choice& chosen = config_.block_timing;
  interpreter_.set_blocks(!sleep_.is_on() || chosen == "off" ? Blocks::kOff
                          : chosen == "interpreted"          ? Blocks::kInterpreted
                          : chosen == "always"               ? Blocks::kAlways
                                                             : Blocks::kTranslated);
}

void Core::set_counting_sleep(bool on) {
  sleep_.set_counting(on, {.local_base = kLocalBase,
                           .local_bytes = memory_.local().size(),
                           .local = memory_.local().data()});
}

void Core::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64) {
  if (first < memory_.l1_size()) memory_.unmap_l1();
}

// ISA SoftReset.md: leaving reset finds the registers cleared, and the instruction cache and the
// branch predictor empty.
void Core::release_reset(Cycle now, std::uint32_t pc) {
  if (s_.state != CoreState::kInReset) assert_reset(now);
  s_.scheduler = &scheduler();
  s_.order = order();
  memory_.map_l1();
  s_.deferred = nullptr;
  s_.node = nullptr;
  const CoreGeneration cores = fetch_.cores();
  s_.pipeline.configure(config_, identity_.master, cores);
  s_.pipeline.clear();
  s_.branches.configure(config_);
  s_.csrs.reset(now);
  const CoreGeneration::Cache cache = cores.instruction_cache(identity_.master, config_);
  fetch_.reset(memory_.l1_size(), cache);
  s_.fetches.configure(cache.fetch_cycles);
  s_.fetches.clear(now);
  s_.leave = 0;
  s_.regs.fill(0);
  s_.set_pc(pc);
  s_.time = now;
  s_.ahead_until = now + kRunAhead;
  released_at_ = now;
  hooks_.reset();
  set_blocks();
  status_.enter(CoreState::kRunning, now);
  scheduler().wake(*this, now);
}

void Core::assert_reset(Cycle now) {
  const support::Agent* by = s_.scheduler == nullptr ? nullptr : s_.scheduler->running();
  sleep_.reset(now, by == nullptr ? 0 : by->order());
  s_.activity = 0;
  if (s_.state != CoreState::kInReset) status_.enter(CoreState::kInReset, now);
  set_next(kNever);
}

void Core::write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  if (fetch_.write_iram(offset, data, bytes)) return;
  throw Fault(FaultKind::kInternal, identity_.where,
              "write of " + std::to_string(bytes) + " bytes behind the end of instruction RAM");
}

void Core::halt(Cycle now) {
  sleep_.execute_poll(now);
  if (s_.state != CoreState::kRunning) return;
  s_.time = std::max(s_.time, now);
  status_.enter(CoreState::kPaused, s_.time);
  set_next(kNever);
}

void Core::resume(Cycle now) {
  if (s_.state != CoreState::kPaused) return;
  hooks_.skip_next_stop();
  s_.time = std::max(s_.time, now);
  status_.enter(CoreState::kRunning, s_.time);
  scheduler().wake(*this, s_.time);
}

void Core::invalidate_instruction_cache(Cycle now) {
  const support::Agent* by = s_.scheduler == nullptr ? nullptr : s_.scheduler->running();
  if (sleep_.refetch(now, by == nullptr ? 0 : by->order())) return;
  fetch_.invalidate();
}

bool Core::debug_read(std::uint32_t address, void* data, std::uint32_t bytes) {
  return fetch_.read_iram(address, data, bytes) || memory_.debug_read(address, data, bytes);
}

bool Core::debug_write(std::uint32_t address, const void* data, std::uint32_t bytes) {
  const std::uint32_t in_iram = address - PredecodedCode::kIramBase;
  if (fetch_.write_iram(in_iram, static_cast<const std::uint8_t*>(data), bytes)) return true;
  if (!memory_.is_local(address)) fetch_.forget(address, bytes);
  return memory_.debug_write(address, data, bytes);
}

void Core::run() {
  if (s_.state != CoreState::kRunning) {
    set_next(kNever);
    return;
  }
  if (s_.guarded) sleep_.end_guard();
  s_.woken = false;
  if (s_.l1_free != s_.l1_below_left()) [[unlikely]]
    memory_.remapped();
  sleep_.hunt_now_and_then();
  set_next(interpreter_.execute());
  if ((s_.activity & (ExecutionState::kRefetching | ExecutionState::kReplaying)) ==
      ExecutionState::kRefetching) {
    fetch_.invalidate();
    s_.activity &= ~ExecutionState::kRefetching;
  }
  set_hot(&s_, sizeof s_, s_.op);
  // An interrupted recording must see later changes.
  if ((s_.activity & ExecutionState::kRecording) && s_.state == CoreState::kRunning) {
    sleep_.guard_recording();
  }
}

}  // namespace tvp::riscv
