#include "platform/checks/record/hand_overs.h"

#include <algorithm>
#include <utility>

#include "foundation/regs/overlay.h"
#include "platform/checks/record/unseen_arrivals.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

namespace overlay = regs::overlay;

/// The core behind a step or a look at a count: the scalar unit pushes for PACK and pops for
/// UNPACK. kCores: none of the tile.
unsigned core_of(const ProbeEvent& event) {
  const bool pushes = event.index == overlay::kRemoteDestBufSize;
  if (event.agent == BusMaster::kThcon)
    return static_cast<unsigned>(pushes ? BusMaster::kT2 : BusMaster::kT0);
  return std::min(static_cast<unsigned>(event.agent), HandOvers::kCores);
}

bool counts_pages(const ProbeEvent& event) {
  return event.stream < HandOvers::kBuffers &&
         (event.index == overlay::kRemoteDestBufSize ||
          event.index == overlay::kRemoteDestBufStart) &&
         core_of(event) < HandOvers::kCores;
}

}  // namespace

void HandOvers::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kStreamRead:
      return look(event);
    case Kind::kStreamWritten:
      return count(event);
    case Kind::kRequest:
      return signal(event);
    case Kind::kCommand:
      if (static_cast<unsigned>(event.core) < kCores)
        last_commands_[static_cast<unsigned>(event.core)] = {.pc = event.pc, .cycle = event.cycle};
      return;
    case Kind::kKernel:
      if (static_cast<unsigned>(event.core) >= kCores) return;
      kernels_ |= 1U << static_cast<unsigned>(event.core);
      arguments_[static_cast<unsigned>(event.core)].clear();
      return;
    case Kind::kArgument:
      if (static_cast<unsigned>(event.core) < kCores)
        arguments_[static_cast<unsigned>(event.core)].push_back(event.value);
      return;
    case Kind::kProgramEnds:
      parties_ = {};
      if (!signallers_.empty()) last_signallers_ = std::exchange(signallers_, {});
      kernels_ = 0;
      return;
    default:
      return;
  }
}

void HandOvers::look(const ProbeEvent& event) {
  if (!counts_pages(event)) return;
  auto& looks = parties_[event.stream][core_of(event)].looks;
  for (std::uint32_t& pc : looks) {
    if (pc == event.pc) return;
    if (pc != 0) continue;
    pc = event.pc;
    return;
  }
}

void HandOvers::count(const ProbeEvent& event) {
  if (!counts_pages(event)) return;
  auto& buffer = parties_[event.stream];
  const bool pushes = event.index == overlay::kRemoteDestBufSize;
  std::uint32_t before = 0;
  for (const Party& party : buffer) before += pushes ? party.pushes.pages : party.pops.pages;
  Party& party = buffer[core_of(event)];
  Steps& steps = pushes ? party.pushes : party.pops;
  // The registers count modulo 2^16. Firmware sets them to 0 before a kernel starts.
  const std::uint32_t total = pushes ? event.pushed : event.popped;
  if (total == 0 && before % 0x10000 != 0) {
    for (Party& each : buffer) (pushes ? each.pushes : each.pops) = {};
    return;
  }
  steps.pages += static_cast<std::uint16_t>(total - before);
  steps.pc = event.pc;
  steps.cycle = event.cycle;
}

void HandOvers::signal(const ProbeEvent& event) {
  const bool is_signal =
      event.request != ProbeEvent::Request::kWrite || event.bytes <= UnseenArrivals::kMostOfSignal;
  if (!event.is_local || !is_signal) return;
  auto& known = signallers_[static_cast<std::uint32_t>(event.address) & ~3U];
  auto found = std::find_if(known.begin(), known.end(), [&](const Signaller& each) {
    return each.x == event.x0 && each.y == event.y0 && each.core == event.core;
  });
  if (found == known.end()) {
    known.push_back({.x = event.x0, .y = event.y0, .core = event.core});
    found = known.end() - 1;
  }
  found->pc = event.pc;
  found->cycle = event.cycle;
  const bool adds = event.request == ProbeEvent::Request::kAtomic;
  const bool as_before = found->count == 0 || found->increment == event.value;
  found->increment = adds && as_before ? event.value : 0;
  ++found->count;
}

namespace {

const std::vector<HandOvers::Signaller>& found_in(
    const std::map<std::uint32_t, std::vector<HandOvers::Signaller>>& signallers,
    std::uint32_t address) {
  static const std::vector<HandOvers::Signaller> kNone;
  const auto found = signallers.find(address);
  return found == signallers.end() ? kNone : found->second;
}

}  // namespace

const std::vector<HandOvers::Signaller>& HandOvers::signallers(std::uint32_t address) const {
  return found_in(signallers_, address);
}

const std::vector<HandOvers::Signaller>& HandOvers::earlier_signallers(
    std::uint32_t address) const {
  return found_in(last_signallers_, address);
}

std::vector<HandOvers::Signaller> HandOvers::all_signallers() const {
  std::vector<Signaller> all;
  for (const auto& [address, those] : signallers_.empty() ? last_signallers_ : signallers_)
    for (const Signaller& each : those) {
      const bool is_known = std::ranges::any_of(all, [&](const Signaller& known) {
        return known.x == each.x && known.y == each.y && known.core == each.core;
      });
      if (!is_known && each.core != BusMaster::kDebug) all.push_back(each);
    }
  return all;
}

}  // namespace tvp::checks
