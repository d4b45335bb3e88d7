#include "platform/checks/memory/page_counts.h"

#include <utility>

#include "foundation/regs/overlay.h"

namespace tvp::checks {

namespace overlay = regs::overlay;
using Kind = ProbeEvent::Kind;

namespace {

/// Pages in a buffer; below zero when more were popped than pushed.
std::int32_t held(std::uint32_t pushed, std::uint32_t popped) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(pushed - popped));
}

/// `scalar_unit`: name of the thread that counts with the scalar unit, after its unpackers or
/// packers have finished.
std::string name_of(BusMaster core, const char* scalar_unit) {
  switch (core) {
    case BusMaster::kB:
      return "BRISC";
    case BusMaster::kNc:
      return "NCRISC";
    default:
      return scalar_unit;
  }
}

std::string name_of(unsigned buffer) { return "circular buffer " + std::to_string(buffer); }

std::string counted(std::uint32_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
}

}  // namespace

Probe::Kinds PageCounts::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramEnds) | Probe::bit(Kind::kBuffer) |
         Probe::bit(Kind::kStreamWritten);
}

void PageCounts::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) {
    buffers_ = {};
  } else if (event.kind == Kind::kBuffer) {
    if (event.index < kBuffers)
      buffers_.at(event.index) = {.pages = event.packets, .page_bytes = event.bytes};
  } else if (event.stream < kBuffers && buffers_.at(event.stream).pages != 0) {
    const std::string wrong = event.index == overlay::kRemoteDestBufStart  ? popped(event)
                              : event.index == overlay::kRemoteDestBufSize ? pushed(event)
                                                                           : std::string();
    check_page_size(event);
    if (!wrong.empty())
      tile_.faults.raise({foundation::FaultKind::kFirmware, tile_.where + ".overlay", wrong});
  }
}

/// Compute cores keep addresses in units of 16 bytes, so their pointers never move by a smaller
/// page.
void PageCounts::check_page_size(const ProbeEvent& event) {
  Buffer& buffer = buffers_.at(event.stream);
  const bool counts_thread = event.agent == BusMaster::kThcon;
  if (!counts_thread || buffer.page_bytes % kAddressUnit == 0 || buffer.has_warned) return;
  buffer.has_warned = true;
  const BusMaster core =
      event.index == overlay::kRemoteDestBufStart ? BusMaster::kT0 : BusMaster::kT2;
  warn(core, "counts pages of " + std::to_string(buffer.page_bytes) + " bytes of " +
                 name_of(event.stream) + ", but compute cores address L1 in units of " +
                 std::to_string(kAddressUnit) +
                 " bytes, so they use wrong pages. Expected a multiple of " +
                 std::to_string(kAddressUnit) + " bytes. Make the pages larger." +
                 at(core, event.pc));
}

std::string PageCounts::too_many(unsigned buffer, std::int32_t in, BusMaster by) const {
  return name_of(buffer) + " holds " + counted(buffers_[buffer].pages) + ", and " +
         std::to_string(in) + " are pushed and not popped. Expected a cb_reserve_back in " +
         name_of(by, "PACK") + " for each pushed page. Add one, or reserve more pages.";
}

std::string PageCounts::pushed(const ProbeEvent& event) {
  const unsigned buffer = event.stream;
  const std::uint32_t pushed = event.pushed, popped = event.popped;
  const BusMaster by = event.agent;
  Buffer& of = buffers_.at(buffer);
  const auto count = static_cast<std::uint16_t>(pushed - of.last_pushed);
  of.last_pushed = pushed;
  if (pushed == 0) {  // firmware has reset the counts
    of = {.pages = of.pages};
    return {};
  }
  if (of.popped_ahead != kNobody) {
    const BusMaster who = std::exchange(of.popped_ahead, kNobody);
    if (who == BusMaster::kThcon && by == BusMaster::kThcon) return {};
    return name_of(who, "UNPACK") + " has popped a page of " + name_of(buffer) +
           " that is pushed only now. Expected a cb_wait_front before the pop. Add one, or wait "
           "for as many pages as are popped." +
           at(who == BusMaster::kThcon ? BusMaster::kT0 : who, of.popped_at) +
           "\n  It is pushed here";
  }
  const std::int32_t in = held(pushed, popped);
  if (in < 0 || static_cast<std::uint32_t>(in) <= of.pages) {
    of.pushed_over = kNobody;
    return {};
  }
  const bool at_once = count > of.pages;
  of.over = in;
  of.pushed_over_at = event.pc;
  if (std::exchange(of.pushed_over, by) == kNobody && !at_once) return {};
  return too_many(buffer, in, by);
}

std::string PageCounts::popped(const ProbeEvent& event) {
  if (event.popped == 0) return {};
  const unsigned buffer = event.stream;
  Buffer& at = buffers_.at(buffer);
  at.popped_ahead = held(event.pushed, event.popped) < 0 ? event.agent : kNobody;
  at.popped_at = event.pc;
  const BusMaster over = std::exchange(at.pushed_over, kNobody);
  if (over == kNobody) return {};
  const BusMaster pusher = over == BusMaster::kThcon ? BusMaster::kT2 : over;
  return "a core pops although " + too_many(buffer, at.over, over) + "\n  The last push was" +
         this->at(pusher, at.pushed_over_at) + "\n  The pop is here";
}

}  // namespace tvp::checks
