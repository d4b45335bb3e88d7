#include "platform/checks/memory/unread_counts.h"

#include <algorithm>

#include "foundation/regs/overlay.h"

namespace tvp::checks {

namespace overlay = regs::overlay;
using Kind = ProbeEvent::Kind;

namespace {

bool is_core(BusMaster agent) { return static_cast<unsigned>(agent) <= 4; }
std::uint32_t bit(BusMaster core) { return 1U << static_cast<unsigned>(core); }

/// Pages in the buffer.
std::int32_t held(const ProbeEvent& event) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(event.pushed - event.popped));
}

}  // namespace

Probe::Kinds UnreadCounts::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kBuffer) |
         Probe::bit(Kind::kStreamRead) | Probe::bit(Kind::kStreamWritten);
}

void UnreadCounts::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) {
    buffers_ = {};
    return;
  }
  if (event.kind == Kind::kBuffer) {
    if (event.index < kBuffers)
      buffers_.at(event.index) = {
          .pages = event.packets, .is_tensor = event.is_own, .pushes = {}, .pops = {}};
    return;
  }
  if (event.stream >= kBuffers) return;
  Buffer& buffer = buffers_.at(event.stream);
  if (buffer.pages == 0) return;
  if (event.kind == Kind::kStreamRead) return read(buffer, event);
  if (event.index == overlay::kRemoteDestBufSize) return pushed(buffer, event);
  if (event.index == overlay::kRemoteDestBufStart) return popped(buffer, event);
}

/// A thread's instructions change the counts later than its core reads them. The count that the
/// core compares is its own, so the register gives it at least as many pages as it has.
void UnreadCounts::read(Buffer& buffer, const ProbeEvent& event) {
  if (!is_core(event.agent)) return;
  const auto core = static_cast<unsigned>(event.agent);
  if (event.index == overlay::kRemoteDestBufStart)
    buffer.pushes.allowed.at(core) = static_cast<std::int32_t>(buffer.pages) - held(event);
  else if (event.index == overlay::kRemoteDestBufSize)
    buffer.pops.allowed.at(core) = held(event);
}

std::int32_t UnreadCounts::take(Side& side, std::uint32_t now, BusMaster core) {
  const auto count = static_cast<std::uint16_t>(now);
  const auto pages = static_cast<std::uint16_t>(count - side.count);
  side.count = count;
  side.users |= bit(core);
  std::int32_t& allowed = side.allowed.at(static_cast<unsigned>(core));
  allowed -= pages;
  return allowed < 0 ? std::min<std::int32_t>(-allowed, pages) : 0;
}

void UnreadCounts::pushed(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster core = event.agent == BusMaster::kThcon ? BusMaster::kT2 : event.agent;
  if (!is_core(core)) return;
  if (event.pushed == 0) {  // firmware has reset the counts
    buffer.pushes = {};
    buffer.packed_at = 0;
    return;
  }
  const std::int32_t unseen = take(buffer.pushes, event.pushed, core);
  if (unseen == 0 || buffer.is_tensor || (buffer.pops.users & bit(core)) != 0) return;
  if ((buffer.pushes.blind & bit(core)) == 0) {
    buffer.pushes.blind |= bit(core);
    return;
  }
  if (core != BusMaster::kT2 || (buffer.pops.users & ~bit(BusMaster::kT0)) != 0)
    return warn_of(buffer.pushes, core, event.pc, event.stream, unseen);
  if (buffer.packed_at != 0) return;
  buffer.packed_at = event.pc;
  buffer.packed = unseen;
}

void UnreadCounts::popped(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster core = event.agent == BusMaster::kThcon ? BusMaster::kT0 : event.agent;
  if (!is_core(core)) return;
  if (event.popped == 0) {
    buffer.pops = {};
    return;
  }
  if (buffer.packed_at != 0 && core != BusMaster::kT0)
    warn_of(buffer.pushes, BusMaster::kT2, buffer.packed_at, event.stream, buffer.packed);
  const std::int32_t unseen = take(buffer.pops, event.popped, core);
  const std::uint32_t pushers = buffer.pushes.users;
  if (unseen == 0 || pushers == 0 || (pushers & bit(core)) != 0) return;
  if (core == BusMaster::kT0 && pushers == bit(BusMaster::kT2)) return;
  warn_of(buffer.pops, core, event.pc, event.stream, unseen);
}

/// Once for each core and buffer.
void UnreadCounts::warn_of(Side& side, BusMaster core, std::uint32_t pc, unsigned buffer,
                           std::int32_t unseen) {
  if ((side.reported & bit(core)) != 0) return;
  side.reported |= bit(core);
  const bool pushes = &side == &buffers_.at(buffer).pushes;
  const std::string call = pushes ? "cb_reserve_back" : "cb_wait_front";
  warn(core, std::string(pushes ? "pushes " : "pops ") + std::to_string(unseen) +
                 (unseen == 1 ? " page" : " pages") + " of circular buffer " +
                 std::to_string(buffer) + " without a " + call + ". Expected a " + call +
                 " before each of these pages. Add one, or let it ask for more pages." +
                 at(core, pc));
}

}  // namespace tvp::checks
