#include "models/tensix/coprocessor/register_windows.h"

namespace tvp::tensix::coprocessor {

using support::BusMaster;
using support::MmioAccess;
using support::Watch;

namespace {

constexpr unsigned kNotAThread = 3;

/// Thread of a T core; kNotAThread for other masters.
unsigned thread_of(BusMaster master) {
  switch (master) {
    case BusMaster::kT0:
      return 0;
    case BusMaster::kT1:
      return 1;
    case BusMaster::kT2:
      return 2;
    default:
      return kNotAThread;
  }
}

}  // namespace

RegisterWindows::RegisterWindows(SharedState& state, Backend& backend, IssueStage& issue,
                                 support::WatchHub& watch_hub)
    : state_(state), backend_(backend), issue_(issue), watch_hub_(watch_hub) {}

void RegisterWindows::access_push(MmioAccess& access) {
  const unsigned window = (access.offset >> 16) - 0xE4U;
  const unsigned own = thread_of(access.master);
  if (!access.write || window >= kThreads || (own != kNotAThread && window != 0)) {
    access.unmapped = true;
    return;
  }
  const bool pushed = own != kNotAThread
                          ? issue_.push(own, access.data, access.now, access.order)
                          : issue_.push_from_b(window, access.data, access.now, access.order);
  if (!pushed) {
    access.blocked = true;
    access.watch = Watch::kCoprocessor;
  }
}

void RegisterWindows::access_mop_config(MmioAccess& access) {
  const unsigned t = thread_of(access.master);
  const unsigned index = access.offset / 4;
  if (t == kNotAThread || index >= MopExpander::kConfigWords || !access.write) {
    access.unmapped = true;
    return;
  }
  issue_.configure_mop(t, index, access.data);
}

void RegisterWindows::access_gprs(MmioAccess& access) {
  const unsigned own = thread_of(access.master);
  unsigned index = access.offset / 4;
  if (index >= (own != kNotAThread ? 1U : kThreads) * Gprs::kCount) {
    access.unmapped = true;
    return;
  }
  const unsigned t = own != kNotAThread ? own : index / Gprs::kCount;
  index %= Gprs::kCount;
  if (!access.write) {
    access.data = state_.gprs[t][index];
    access.watch = Watch::kGpr;
    return;
  }
  state_.gprs[t][index] = access.data;
  watch_hub_.changed(Watch::kGpr, access.now, access.order);
}

void RegisterWindows::access_config(MmioAccess& access) {
  const unsigned word = access.offset / 4;
  if (!access.write) {
    access.unmapped = !backend_.configuration().read_window(word, access.data);
    access.watch = Watch::kConfig;
    return;
  }
  access.unmapped = !backend_.configuration().write_window(word, access.data, access.now);
  if (access.unmapped) return;
  watch_hub_.changed(Watch::kConfig, access.now, access.order);
  issue_.touched(access.now, access.order);
}

void RegisterWindows::access_semaphore(unsigned i, MmioAccess& access) {
  if (i >= SyncUnit::kSemaphores) {
    access.unmapped = true;
    return;
  }
  if (!access.write) {
    access.data = backend_.sync().semaphore(i).value;
    access.watch = Watch::kSemaphore;
    return;
  }
  backend_.access_semaphore(i, access.data, access.now);
  issue_.show_semaphore(i, access.now);
  watch_hub_.changed(Watch::kSemaphore, access.now, access.order);
  issue_.touched(access.now, access.order);
}

}  // namespace tvp::tensix::coprocessor
