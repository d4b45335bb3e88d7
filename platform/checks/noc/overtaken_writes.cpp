#include "platform/checks/noc/overtaken_writes.h"

#include <algorithm>
#include <string>

#include "foundation/regs/noc.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

namespace {

bool same_way(const ProbeEvent& a, const ProbeEvent& b) {
  return a.agent == b.agent && a.vc == b.vc && a.vc != ProbeEvent::kDynamicVc;
}
bool meet(const ProbeEvent& a, const ProbeEvent& b) {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}
bool is_like(const ProbeEvent& a, const ProbeEvent& b) {
  return a.core == b.core && a.agent == b.agent && a.vc == b.vc && a.x0 == b.x0 && a.y0 == b.y0 &&
         a.x1 == b.x1 && a.y1 == b.y1;
}

std::string way_text(const ProbeEvent& command) {
  return std::string("on NoC ") + (command.agent == BusMaster::kNoc1 ? "1" : "0") +
         (command.vc == ProbeEvent::kDynamicVc ? ", any virtual channel"
                                               : ", channel " + std::to_string(command.vc >> 1));
}

}  // namespace

Probe::Kinds OvertakenWrites::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kCommand) | Probe::bit(Kind::kCounterRead) |
         Probe::bit(Kind::kProgramEnds);
}

void OvertakenWrites::on(const ProbeEvent& event) {
  namespace noc = regs::noc;
  if (event.kind == Kind::kCommand) return command(event);
  if (event.kind == Kind::kProgramEnds) return program_ends();
  const bool counts_answers =
      event.index == noc::kMstWrAckReceived ||
      (event.index >= noc::kMstReqsOutstandingId && event.index < noc::kMstWriteReqsOutgoingId);
  if (counts_answers && !writes_.empty()) know_arrived(event.agent);
}

/// Looks at writes of data with answers, and at small writes and atomics that may announce them.
void OvertakenWrites::command(const ProbeEvent& event) {
  if (event.request == ProbeEvent::Request::kRead) return;
  const bool is_data = event.bytes > kMostOfSignal;
  if (is_data && event.is_posted) return;
  if (event.remote != ProbeEvent::Place::kTensix) return;
  if (!event.is_broadcast && event.x1 == tile_.x && event.y1 == tile_.y) return;
  if (is_data) return writes(event);
  signals(event);
}

void OvertakenWrites::writes(const ProbeEvent& event) {
  for (Write& known : writes_) {
    if (!is_like(known.command, event)) continue;
    if (known.is_overtaken) report(known);
    known = {.command = event};
    return;
  }
  if (writes_.size() == kMost) writes_.erase(writes_.begin());
  writes_.push_back({.command = event});
}

void OvertakenWrites::signals(const ProbeEvent& event) {
  for (std::size_t i = writes_.size(); i-- > 0;) {
    Write& write = writes_[i];
    if (write.command.core != event.core || !meet(write.command, event)) continue;
    if (write.has_arrived || same_way(write.command, event)) {
      writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (!write.is_overtaken) {
      write.is_overtaken = true;
      write.signal = event;
    }
  }
}

/// A core has read that counter of the NIU, so its writes have arrived. Signals after this point
/// cannot overtake them.
void OvertakenWrites::know_arrived(BusMaster niu) {
  for (Write& write : writes_)
    if (write.command.agent == niu) write.has_arrived = true;
  std::erase_if(writes_,
                [](const Write& write) { return write.has_arrived && !write.is_overtaken; });
}

void OvertakenWrites::program_ends() {
  for (const Write& write : writes_)
    if (write.is_overtaken) report(write);
  writes_.clear();
}

/// Warns once for each pair of places in the code.
void OvertakenWrites::report(const Write& write) {
  const ProbeEvent& signal = write.signal;
  const std::pair place{std::uint64_t{static_cast<unsigned>(signal.core)} << 32 | signal.pc,
                        write.command.pc};
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  warn(signal.core, "signals to tile (" + std::to_string(write.command.x1) + "," +
                        std::to_string(write.command.y1) + ") of NoC 0 " + way_text(signal) +
                        ", which may arrive before the data that it has written there " +
                        way_text(write.command) +
                        ". Expected a noc_async_write_barrier before the signal. Add one." +
                        at(signal.core, signal.pc) +
                        "\n  The write:" + at(write.command.core, write.command.pc));
}

}  // namespace tvp::checks
