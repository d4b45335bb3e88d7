#include "platform/checks/memory/unreserved_pushes.h"

#include <algorithm>
#include <string>
#include <utility>

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

Probe::Kinds UnreservedPushes::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kBuffer) |
         Probe::bit(Kind::kStreamRead) | Probe::bit(Kind::kStreamWritten);
}

void UnreservedPushes::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) {
    buffers_ = {};
    looks_ = {};
    return;
  }
  if (event.kind == Kind::kBuffer) {
    if (event.index < kBuffers) {
      buffers_.at(event.index) = {};
      if (!event.is_own) buffers_.at(event.index).pages = event.packets;
    }
    return;
  }
  if (event.stream >= kBuffers) return;
  const bool looks = event.kind == Kind::kStreamRead &&
                     event.index == overlay::kRemoteDestBufStart && is_core(event.agent);
  if (looks) ++looks_.at(static_cast<unsigned>(event.agent));
  Buffer& buffer = buffers_.at(event.stream);
  if (buffer.pages == 0) return;
  if (looks) {
    // The instructions of a thread change the counts later than its core reads them. The core
    // compares with its own count, so the register shows at least as much room.
    buffer.room.at(static_cast<unsigned>(event.agent)) =
        static_cast<std::int32_t>(buffer.pages) - held(event);
  } else if (event.kind == Kind::kStreamRead) {
    return;
  } else if (event.index == overlay::kRemoteDestBufSize) {
    pushed(buffer, event);
  } else if (event.index == overlay::kRemoteDestBufStart) {
    popped(buffer, event);
  }
}

void UnreservedPushes::pushed(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster core = event.agent == BusMaster::kThcon ? BusMaster::kT2 : event.agent;
  if (!is_core(core)) return;
  if (event.pushed == 0) {  // firmware has reset the counts
    buffer = {.pages = buffer.pages};
    return;
  }
  const auto count = static_cast<std::uint16_t>(event.pushed);
  const auto pages = static_cast<std::uint16_t>(count - buffer.pushed);
  buffer.pushed = count;
  std::int32_t& room = buffer.room.at(static_cast<unsigned>(core));
  room -= pages;
  const std::uint32_t looks = looks_.at(static_cast<unsigned>(core));
  const bool has_looked =
      std::exchange(buffer.looks.at(static_cast<unsigned>(core)), looks) != looks;
  if (room >= 0 || has_looked || (buffer.poppers & bit(core)) != 0) return;
  const std::int32_t unseen = std::min<std::int32_t>(-room, pages);
  if ((buffer.blind & bit(core)) == 0) {
    buffer.blind |= bit(core);
  } else if (core != BusMaster::kT2 || (buffer.poppers & ~bit(BusMaster::kT0)) != 0) {
    report(buffer, core, event.pc, event.stream, unseen);
  } else if (buffer.packed_at == 0) {
    buffer.packed_at = event.pc;
    buffer.packed = unseen;
  }
}

void UnreservedPushes::popped(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster core = event.agent == BusMaster::kThcon ? BusMaster::kT0 : event.agent;
  if (!is_core(core) || event.popped == 0) return;
  buffer.poppers |= bit(core);
  if (buffer.packed_at != 0 && core != BusMaster::kT0)
    report(buffer, BusMaster::kT2, buffer.packed_at, event.stream, buffer.packed);
}

/// Once for each core and buffer.
void UnreservedPushes::report(Buffer& buffer, BusMaster core, std::uint32_t pc, unsigned number,
                              std::int32_t pages) {
  if ((buffer.reported & bit(core)) != 0) return;
  buffer.reported |= bit(core);
  warn(core, "pushes " + std::to_string(pages) + (pages == 1 ? " page" : " pages") +
                 " of circular buffer " + std::to_string(number) +
                 " without a cb_reserve_back. Expected one for each of these pages. Add it, or let "
                 "it ask for more pages." +
                 at(core, pc));
}

}  // namespace tvp::checks
