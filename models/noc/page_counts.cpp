#include "models/noc/page_counts.h"

namespace tvp::noc {

using support::BusMaster;

namespace {

/// Pages in a buffer; below zero when more were popped than pushed.
std::int32_t held(std::uint32_t pushed, std::uint32_t popped) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(pushed - popped));
}

std::string name_of(BusMaster core) {
  switch (core) {
    case BusMaster::kB:
      return "BRISC";
    case BusMaster::kNc:
      return "NCRISC";
    default:
      return "UNPACK";  // by the scalar unit, behind what the unpackers have to do
  }
}

std::string name_of(unsigned buffer) { return "circular buffer " + std::to_string(buffer); }

std::string counted(std::uint32_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
}

}  // namespace

std::string PageCounts::pushed(unsigned buffer, std::uint32_t pushed, std::uint32_t popped) {
  if (pushed == 0) return {};  // software counts anew
  Buffer& at = buffers_[buffer];
  if (at.popped_ahead != kNobody) {
    const BusMaster who = at.popped_ahead;
    at.popped_ahead = kNobody;
    return "a push of pages of " + name_of(buffer) + " that " + name_of(who) +
           " has popped before: a cb_wait_front is missing there, or waits for fewer pages than "
           "are popped";
  }
  const std::int32_t in = held(pushed, popped);
  if (in < 0 || static_cast<std::uint32_t>(in) <= at.pages) return {};
  return name_of(buffer) + " holds " + counted(at.pages) + ", and " + std::to_string(in) +
         " are pushed that nobody has popped: a cb_reserve_back is missing, or reserves fewer "
         "pages than are pushed";
}

void PageCounts::popped(unsigned buffer, std::uint32_t pushed, std::uint32_t popped, BusMaster by) {
  if (popped == 0) return;
  Buffer& at = buffers_[buffer];
  at.popped_ahead = held(pushed, popped) < 0 ? by : kNobody;
}

}  // namespace tvp::noc
