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

/// The counts have 16 bits.
std::int32_t distance(std::uint16_t from, std::uint16_t to) {
  return static_cast<std::int16_t>(to - from);
}

std::string pages_text(std::int32_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
}

}  // namespace

Probe::Kinds UnreservedPushes::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kBuffer) | Probe::bit(Kind::kCommand) |
         Probe::bit(Kind::kStreamRead) | Probe::bit(Kind::kStreamWritten);
}

void UnreservedPushes::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) {
    for (unsigned i = 0; i < kBuffers; ++i) report_unused(buffers_.at(i), i);
    buffers_ = {};
    signallers_ = 0;
    return;
  }
  if (event.kind == Kind::kCommand) {
    if (event.request == ProbeEvent::Request::kAtomic && is_core(event.core))
      signallers_ |= bit(event.core);
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
  if (event.kind == Kind::kStreamRead) {
    if (event.index == overlay::kRemoteDestBufStart && is_core(event.agent)) looked(event);
    return;
  }
  Buffer& buffer = buffers_.at(event.stream);
  if (buffer.pages == 0) return;
  if (event.index == overlay::kRemoteDestBufSize) {
    pushed(buffer, event);
  } else if (event.index == overlay::kRemoteDestBufStart) {
    popped(buffer, event);
  }
}

void UnreservedPushes::looked(const ProbeEvent& event) {
  const auto core = static_cast<unsigned>(event.agent);
  for (Buffer& each : buffers_) each.looks.at(core) |= 1U << event.stream;
  Buffer& buffer = buffers_.at(event.stream);
  if (buffer.pages == 0) return;
  // The instructions of a thread change the counts later than its core reads them. The core
  // compares with its own count, so the register shows at least as much room.
  buffer.room.at(core) = static_cast<std::int32_t>(buffer.pages) - held(event);
  ask(buffer, event);
  const Buffer::Push& blind = buffer.blind.at(core);
  if (blind.pages == 0 || buffer.doubted.at(core).pages != 0) return;
  buffer.doubted.at(core) = blind;
  decide(buffer, core, event.stream);
}

void UnreservedPushes::ask(Buffer& buffer, const ProbeEvent& event) {
  // A core that moves data also reads this count when it waits for pages.
  if (event.packets == 0) return;
  Buffer::Asked& asked = buffer.asked.at(static_cast<unsigned>(event.agent));
  const auto end = static_cast<std::uint16_t>(event.packets - 1 + buffer.pages);
  if (asked.is_known && distance(asked.end, end) <= 0) return;
  asked.is_known = true;
  asked.end = end;
  asked.pc = event.pc;
}

/// The loops before a push ask for fewer pages, although there is room for more.
void UnreservedPushes::report_beyond(Buffer& buffer, unsigned core, const ProbeEvent& event) {
  const auto master = static_cast<BusMaster>(core);
  const Buffer::Asked& asked = buffer.asked.at(core);
  const std::int32_t beyond = distance(asked.end, static_cast<std::uint16_t>(event.pushed));
  if (!asked.is_known || asked.has_matched || beyond <= 0 || (buffer.reported & bit(master)) != 0)
    return;
  if ((buffer.poppers &
       bit(core == static_cast<unsigned>(BusMaster::kT2) ? BusMaster::kT0 : master)) != 0)
    return;
  buffer.reported |= bit(master);
  warn(master,
       "pushes " + pages_text(beyond) + " of circular buffer " + std::to_string(event.stream) +
           " more than its cb_reserve_back asks for. Expected a cb_reserve_back for each "
           "of these pages. Let it ask for more pages." +
           at(master, event.pc) + "\n  The last cb_reserve_back was" + at(master, asked.pc));
}

/// A core has waited for room that it does not use. A core that pushes no page uses the buffer as
/// scratch memory.
void UnreservedPushes::report_unused(Buffer& buffer, unsigned number) {
  for (unsigned core = 0; core < kCores; ++core) {
    const auto master = static_cast<BusMaster>(core);
    const Buffer::Asked& asked = buffer.asked.at(core);
    const std::int32_t unused = distance(buffer.pushed, asked.end);
    if (!asked.is_known || !asked.has_pushed || asked.has_matched || unused <= 0) continue;
    if (((buffer.reported | signallers_) & bit(master)) != 0) continue;
    buffer.reported |= bit(master);
    warn(master, "reserves " + pages_text(unused) + " of circular buffer " +
                     std::to_string(number) +
                     " more than it pushes. Expected as many pushed pages as its cb_reserve_back "
                     "asks for. Check the numbers of pages." +
                     at(master, asked.pc));
  }
}

void UnreservedPushes::pushed(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster master = event.agent == BusMaster::kThcon ? BusMaster::kT2 : event.agent;
  if (!is_core(master)) return;
  if (event.pushed == 0) {  // firmware has reset the counts
    report_unused(buffer, event.stream);
    buffer = {.pages = buffer.pages};
    return;
  }
  const auto core = static_cast<unsigned>(master);
  const auto count = static_cast<std::uint16_t>(event.pushed);
  const auto pages = static_cast<std::uint16_t>(count - buffer.pushed);
  buffer.pushed = count;
  report_beyond(buffer, core, event);
  // Kernels whose last block is shorter or longer than others know what they do.
  Buffer::Asked& asked = buffer.asked.at(core);
  asked.has_pushed = true;
  asked.has_matched = asked.has_matched || (asked.is_known && asked.end == count);
  std::int32_t& room = buffer.room.at(core);
  room -= pages;
  const std::uint32_t looks = std::exchange(buffer.looks.at(core), 0);
  const bool has_looked = (looks & 1U << event.stream) != 0;
  if (room >= 0 || has_looked || (buffer.poppers & 1U << core) != 0) return;
  const Buffer::Push push{
      .pc = event.pc, .pages = std::min<std::int32_t>(-room, pages), .looks = looks};
  if (buffer.blind.at(core).pages == 0) {
    buffer.blind.at(core) = push;
  } else if (buffer.doubted.at(core).pages == 0 || looks == 0) {
    buffer.doubted.at(core) = push;
    decide(buffer, core, event.stream);
  }
}

void UnreservedPushes::popped(Buffer& buffer, const ProbeEvent& event) {
  const BusMaster core = event.agent == BusMaster::kThcon ? BusMaster::kT0 : event.agent;
  if (!is_core(core) || event.popped == 0) return;
  const std::uint32_t before = std::exchange(buffer.poppers, buffer.poppers | bit(core));
  if (before != buffer.poppers) decide_all();
}

void UnreservedPushes::decide_all() {
  for (unsigned number = 0; number < kBuffers; ++number)
    for (unsigned core = 0; core < kCores; ++core)
      if (buffers_.at(number).doubted.at(core).pages != 0)
        decide(buffers_.at(number), core, number);
}

/// Reports a push if it is known that no core pops both this buffer and another one at which the
/// core has looked.
void UnreservedPushes::decide(Buffer& buffer, unsigned core, unsigned number) {
  const Buffer::Push& push = buffer.doubted.at(core);
  const std::uint32_t foreign = core == static_cast<unsigned>(BusMaster::kT2)
                                    ? buffer.poppers & ~bit(BusMaster::kT0)
                                    : buffer.poppers;
  if (push.looks == 0 && core != static_cast<unsigned>(BusMaster::kT2))
    return report(buffer, core, push, number);
  if (foreign == 0) return;
  for (unsigned other = 0; other < kBuffers; ++other) {
    if ((push.looks & 1U << other) == 0) continue;
    const std::uint32_t poppers = buffers_.at(other).poppers;
    if (poppers == 0 || (poppers & buffer.poppers) != 0) return;
  }
  report(buffer, core, push, number);
}

/// Once for each core and buffer.
void UnreservedPushes::report(Buffer& buffer, unsigned core, const Buffer::Push& push,
                              unsigned number) {
  const auto master = static_cast<BusMaster>(core);
  if ((buffer.reported & bit(master)) != 0) return;
  buffer.reported |= bit(master);
  warn(master, "pushes " + std::to_string(push.pages) + (push.pages == 1 ? " page" : " pages") +
                   " of circular buffer " + std::to_string(number) +
                   " without a cb_reserve_back. Expected one for each of these pages. Add it, or "
                   "let it ask for more pages." +
                   at(master, push.pc));
}

}  // namespace tvp::checks
