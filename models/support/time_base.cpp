#include "models/support/time_base.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>
#include <map>
#include <utility>

#include "foundation/fault.h"

namespace tvp::support {

using sc_core::sc_time;

const sc_time& TimeBase::never() {
  static const sc_time never = sc_core::sc_max_time();
  return never;
}

/// Never destroyed: a kernel keeps the process until the program ends.
TimeBase& TimeBase::current() {
  static auto& bases = *new std::map<sc_core::sc_simcontext*, TimeBase*>();
  TimeBase*& base = bases[sc_core::sc_get_curr_simcontext()];
  if (base == nullptr) base = new TimeBase();
  return *base;
}

TimeBase::TimeBase() {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&due_);
  options.dont_initialize();
  sc_core::sc_spawn([this] { step(); }, sc_core::sc_gen_unique_name("time_base"), &options);
}

void TimeBase::add(Block& block) { blocks_.push_back(&block); }

void TimeBase::remove(Block& block) { std::erase(blocks_, &block); }

void TimeBase::schedule(const sc_time& at) {
  const sc_time now = sc_core::sc_time_stamp();
  due_.notify(at > now ? at - now : sc_core::SC_ZERO_TIME);
}

void TimeBase::woken() {
  if (running_ != nullptr) return;
  sc_time first = never();
  for (const Block* block : blocks_) first = std::min(first, block->next_time());
  if (first != never()) schedule(first);
}

void TimeBase::called_out(const sc_time& at) {
  if (running_ != nullptr) running_->cut(at);
}

/// SystemC would wrap an exception that leaves a process: a fault becomes a report of its own. Its
/// block stops.
void TimeBase::step() {
  try {
    run_blocks();
  } catch (const foundation::Fault& fault) {
    remove(*std::exchange(running_, nullptr));
    woken();
    SC_REPORT_ERROR("/tensix_vp", fault.what());
  }
}

void TimeBase::run_blocks() {
  while (true) {
    Block* first = nullptr;
    sc_time at = never();
    sc_time others = never();
    for (Block* block : blocks_) {
      const sc_time next = block->next_time();
      if (next < at) {
        others = at;
        at = next;
        first = block;
      } else {
        others = std::min(others, next);
      }
    }
    if (first == nullptr) return;
    const sc_time now = sc_core::sc_time_stamp();
    const bool busy = sc_core::sc_pending_activity_at_current_time();
    // The kernel does not report when sc_start() will end, so blocks cannot run ahead without a
    // limit.
    const sc_time furthest = now + longest_run();
    const sc_time pending = busy ? now
                            : sc_core::sc_pending_activity_at_future_time()
                                ? now + sc_core::sc_time_to_pending_activity()
                                : never();
    // An action at the time of a pending process waits for it, and then for its delta cycles.
    if (busy || at >= std::min(pending, furthest)) return schedule(at);
    const sc_time beyond = at + sc_core::sc_get_time_resolution();
    running_ = first;
    first->run_before(std::min({pending, furthest, std::max(others, beyond)}));
    running_ = nullptr;
  }
}

}  // namespace tvp::support
