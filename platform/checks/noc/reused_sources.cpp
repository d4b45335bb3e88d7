#include "platform/checks/noc/reused_sources.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "foundation/hex.h"
#include "foundation/regs/noc.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

bool counts_writes(std::uint32_t index) {
  namespace noc = regs::noc;
  return index == noc::kMstWrAckReceived || index == noc::kMstNonpostedWrReqSent ||
         index == noc::kMstPostedWrReqSent || index == noc::kMstNonpostedWrDataWordSent ||
         index == noc::kMstPostedWrDataWordSent || index >= noc::kMstReqsOutstandingId;
}

bool is_core(BusMaster agent) { return agent <= BusMaster::kT2; }

}  // namespace

Probe::Kinds ReusedSources::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kCounterRead) | Probe::bit(Kind::kWritten) |
         Probe::bit(Kind::kProgramEnds);
}

void ReusedSources::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      return command(event);
    case Kind::kCounterRead:
      if (writes_.empty() || !counts_writes(event.index)) return;
      std::erase_if(writes_, [&](const ProbeEvent& write) { return write.agent == event.agent; });
      return ask();
    case Kind::kProgramEnds:
      writes_.clear();
      return ask();
    default:
      if (is_core(event.agent) && range_.touches(event.address, event.bytes)) stored(event);
  }
}

void ReusedSources::command(const ProbeEvent& event) {
  if (event.request != ProbeEvent::Request::kWrite || !event.is_local || event.bytes == 0) return;
  if (writes_.size() == kMost) writes_.erase(writes_.begin());
  writes_.push_back(event);
  ask();
}

/// Requests the accesses of cores around the sources.
void ReusedSources::ask() {
  range_.clear();
  for (const ProbeEvent& write : writes_) {
    const auto address = static_cast<std::uint32_t>(write.address);
    range_.add(address, address + write.bytes);
  }
  range_.ask();
}

void ReusedSources::stored(const ProbeEvent& event) {
  for (const ProbeEvent& write : writes_) {
    if (event.address >= write.address + write.bytes ||
        event.address + event.bytes <= write.address)
      continue;
    if (event.cycle - write.cycle <= kLongest && changes(event)) report(write, event);
    return;
  }
}

/// The event precedes the store, unless L1 has an observer.
bool ReusedSources::changes(const ProbeEvent& store) const {
  std::uint32_t before = 0;
  const std::size_t bytes = std::min<std::size_t>(store.bytes, sizeof before);
  if (store.address + bytes > tile_.l1.size()) return true;
  std::memcpy(&before, tile_.l1.data() + store.address, bytes);
  return std::memcmp(&before, &store.value, bytes) != 0;
}

void ReusedSources::report(const ProbeEvent& write, const ProbeEvent& store) {
  const std::uint64_t place = std::uint64_t{write.pc} << 32 | store.pc;
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  warn(write.core,
       "a store in cycle " + std::to_string(store.cycle) + " at " + foundation::hex(store.address) +
           " of L1 changes the source of a write of " + std::to_string(write.bytes) +
           " bytes, which may not be sent yet: no core has read the write counters of NIU " +
           (write.agent == BusMaster::kNoc1 ? "1" : "0") + " since cycle " +
           std::to_string(write.cycle) +
           ". Expected noc_async_writes_flushed or a barrier in between. Add it behind the write." +
           at(write.core, write.pc) + "\n  The store:" + at(store.agent, store.pc));
}

}  // namespace tvp::checks
