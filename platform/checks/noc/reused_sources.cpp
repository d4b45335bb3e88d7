#include "platform/checks/noc/reused_sources.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "foundation/hex.h"
#include "foundation/regs/noc.h"
#include "platform/checks/record/unseen_arrivals.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

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
         Probe::bit(Kind::kRequest) | Probe::bit(Kind::kProgramEnds);
}

void ReusedSources::on(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kCommand:
      return command(event);
    case Kind::kRequest:
      if (!writes_.empty() && !event.is_own) requested(event);
      return;
    case Kind::kCounterRead:
      if (writes_.empty() || !counts_writes(event.index)) return;
      std::erase_if(writes_, [&](const Source& each) { return each.write.agent == event.agent; });
      return ask();
    case Kind::kProgramEnds:
      writes_.clear();
      return ask();
    default:
      if (is_core(event.agent) && range_.touches(event.address, event.bytes)) stored(event);
  }
}

void ReusedSources::command(const ProbeEvent& event) {
  signals(event);
  if (event.request != Request::kWrite || !event.is_local || event.bytes == 0) return;
  if (writes_.size() == kMost) writes_.erase(writes_.begin());
  writes_.push_back({.write = event});
  ask();
}

/// A signal to the target of the write itself follows the write.
void ReusedSources::signals(const ProbeEvent& event) {
  const bool is_signal =
      event.request == Request::kAtomic || event.request == Request::kInlineWrite ||
      (event.request == Request::kWrite && event.bytes <= UnseenArrivals::kMostOfSignal);
  if (!is_signal || event.is_broadcast) return;
  const Place place(event.x0, event.y0);
  for (Source& each : writes_) {
    const bool is_of_target =
        each.write.is_broadcast || Place(each.write.x0, each.write.y0) == place;
    if (each.write.core == event.core && !each.has_arrived && !is_of_target &&
        std::find(each.given.begin(), each.given.end(), place) == each.given.end())
      each.given.push_back(place);
  }
}

void ReusedSources::requested(const ProbeEvent& event) {
  const Place sender(event.x0, event.y0);
  for (Source& each : writes_) {
    const ProbeEvent& write = each.write;
    if (Place(write.x0, write.y0) == sender) each.has_arrived = true;
    const bool meets = event.request == Request::kWrite && event.is_local &&
                       event.bytes > UnseenArrivals::kMostOfSignal &&
                       event.address < write.address + write.bytes &&
                       write.address < event.address + event.bytes;
    if (meets && std::find(each.given.begin(), each.given.end(), sender) != each.given.end())
      report_request(write, event);
  }
}

/// Requests the accesses of cores around the sources.
void ReusedSources::ask() {
  range_.clear();
  for (const Source& each : writes_) {
    const auto address = static_cast<std::uint32_t>(each.write.address);
    range_.add(address, address + each.write.bytes);
  }
  range_.ask();
}

void ReusedSources::stored(const ProbeEvent& event) {
  for (const Source& each : writes_) {
    const ProbeEvent& write = each.write;
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

bool ReusedSources::is_reported(std::uint32_t write, std::uint32_t second) {
  const std::uint64_t place = std::uint64_t{write} << 32 | second;
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return true;
  reported_.push_back(place);
  return false;
}

void ReusedSources::warn_of(const ProbeEvent& write, const std::string& what,
                            const std::string& line) {
  warn(write.core,
       what + " changes the source of a write of " + std::to_string(write.bytes) +
           " bytes, which may not be sent yet: no core has read the write counters of NIU " +
           (write.agent == BusMaster::kNoc1 ? "1" : "0") + " since cycle " +
           std::to_string(write.cycle) +
           ". Expected noc_async_writes_flushed or a barrier in between. Add it behind the write." +
           at(write.core, write.pc) + line);
}

void ReusedSources::report(const ProbeEvent& write, const ProbeEvent& store) {
  if (is_reported(write.pc, store.pc)) return;
  warn_of(write,
          "a store in cycle " + std::to_string(store.cycle) + " at " +
              foundation::hex(store.address) + " of L1",
          "\n  The store:" + at(store.agent, store.pc));
}

/// The other tile's code is reported only by its place.
void ReusedSources::report_request(const ProbeEvent& write, const ProbeEvent& request) {
  if (is_reported(write.pc, request.pc)) return;
  warn_of(write,
          "a write of tile (" + std::to_string(request.x0) + "," + std::to_string(request.y0) +
              ") of NoC 0, which this tile has signalled, in cycle " +
              std::to_string(request.cycle) + " at " + foundation::hex(request.address) + " of L1",
          "");
}

}  // namespace tvp::checks
