#include "platform/checks/memory/page_misuses.h"

#include <algorithm>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::checks {

namespace {

const char* name_of(BusMaster core) {
  switch (core) {
    case BusMaster::kB:
      return "BRISC";
    case BusMaster::kNc:
      return "NCRISC";
    case BusMaster::kT0:
      return "UNPACK";
    case BusMaster::kT1:
      return "MATH";
    default:
      return "PACK";
  }
}

std::string buffer_text(unsigned buffer) { return "circular buffer " + std::to_string(buffer); }

/// "sends page 1 of circular buffer 16, 2048 bytes of L1 from 0x2b800 on".
std::string does(const PageUses::Misuse& misuse) {
  if (misuse.kind == PageUses::Misuse::Kind::kOverwritten)
    return "writes for another tile into page " + std::to_string(misuse.page) + " of " +
           buffer_text(misuse.buffer) + ", " + std::to_string(misuse.user.bytes) +
           " bytes of L1 from " + foundation::hex(misuse.user.address) + " on, ";
  if (misuse.kind == PageUses::Misuse::Kind::kEmptyResult)
    return "pushes page " + std::to_string(misuse.page) + " of " + buffer_text(misuse.buffer) +
           ", which is a tensor's, ";
  if (misuse.kind == PageUses::Misuse::Kind::kNeverFilled)
    return "pushes page " + std::to_string(misuse.page) + " of " + buffer_text(misuse.buffer) +
           ", ";
  if (misuse.kind == PageUses::Misuse::Kind::kPopsUnseen)
    return "pops page " + std::to_string(misuse.page) + " of " + buffer_text(misuse.buffer) + ", ";
  const PageUses::User& user = misuse.user;
  if (misuse.kind == PageUses::Misuse::Kind::kNothing)
    return "unpacks " + std::to_string(user.bytes) + " bytes of L1 from " +
           foundation::hex(user.address) + " on, ";
  const bool by_niu = user.core == BusMaster::kB || user.core == BusMaster::kNc;
  const char* const reads = by_niu ? "sends" : "unpacks";
  const char* const writes = by_niu ? "reads into" : "packs into";
  const bool whole = misuse.kind == PageUses::Misuse::Kind::kBehindEnd;
  return std::string(user.writes ? writes : reads) + " " +
         (whole ? "" : "page " + std::to_string(misuse.page) + " of ") +
         buffer_text(misuse.buffer) + ", " + std::to_string(user.bytes) + " bytes of L1 from " +
         foundation::hex(user.address) + " on, ";
}

std::string wrong(const PageUses::Misuse& misuse) {
  using Misused = PageUses::Misuse::Kind;
  switch (misuse.kind) {
    case Misused::kNotPushed:
      return std::string("which ") + name_of(misuse.other) +
             " pushes only later: a cb_wait_front is missing, or waits for fewer pages than are "
             "read, or the page was popped before";
    case Misused::kNeverPushed:
      return "which nobody has pushed to the end of the program: another buffer is meant, or a "
             "cb_wait_front is missing";
    case Misused::kBehindEnd:
      return "and beyond its end" + (misuse.behind == PageUses::kNone
                                         ? std::string()
                                         : ", where " + buffer_text(misuse.behind) + " is");
    case Misused::kUnseenPush:
    case Misused::kPopsUnseen:
      return std::string("which ") + name_of(misuse.other) +
             " happened to have pushed by then: a cb_wait_front is missing, or waits for fewer "
             "pages";
    case Misused::kUnseenPop:
      return std::string("which ") + name_of(misuse.other) +
             " happened to have popped by then: a cb_reserve_back is missing, or waits for fewer "
             "pages";
    case Misused::kNotArrived:
      return std::string("which was pushed before that had arrived, for ") + name_of(misuse.other) +
             " to read: a noc_async_read_barrier is missing before the cb_push_back";
    case Misused::kNotSent:
      return std::string("which was popped before that had left, for ") + name_of(misuse.other) +
             " to fill: a noc_async_writes_flushed is missing before the cb_pop_front";
    case Misused::kOverwritten:
      return std::string("which ") + name_of(misuse.other) +
             " has pushed and nobody has popped: the sender did not wait until there was room";
    case Misused::kEmptyResult:
      return "and nothing was packed into it to the end of the program: a pack_tile is missing, or "
             "packs into another page or buffer";
    case Misused::kNeverFilled:
      return std::string("which nobody has written since the program began, for ") +
             name_of(misuse.other) +
             " to read: a noc_async_read is missing, or reads into another place";
    case Misused::kNothing:
      return "which is in no circular buffer of its program, and nobody has written it: the index "
             "of a tile is larger than its buffer";
    case Misused::kNeverPacked:
      return "which PACK has pushed and never packed anything into: a pack_tile is missing, or "
             "packs into another page or buffer";
    default:
      return std::string("which ") + name_of(misuse.other) +
             " fills and pushes: it lies behind a buffer that is too small, or another one is "
             "meant";
  }
}

}  // namespace

void PageMisuses::report(const PageUses::Misuse& misuse) {
  const PageUses::User& user = misuse.user;
  const Told place{misuse.kind, user.core, user.pc, misuse.buffer};
  if (std::find(told_.begin(), told_.end(), place) != told_.end()) return;
  told_.push_back(place);
  if (user.core == BusMaster::kNoc0 || user.core == BusMaster::kNoc1) {
    const std::string niu = tile_.where + (user.core == BusMaster::kNoc1 ? ".niu1" : ".niu0");
    tile_.warnings.warn(
        foundation::Fault(foundation::FaultKind::kFirmware, niu,
                          does(misuse) + wrong(misuse) + tile_.record->l1.sender_text()));
    return;
  }
  const TileContext::Core* const pusher = tile_.core(misuse.other);
  const std::string pushed = pusher == nullptr || misuse.pushed_at == 0
                                 ? std::string()
                                 : tile_.names.describe(tile_.owner(*pusher), misuse.pushed_at);
  warn(user.core, does(misuse) + wrong(misuse) + at(user.core, user.pc) +
                      (pushed.empty() ? pushed : "\n  pushed in " + pushed));
}

}  // namespace tvp::checks
