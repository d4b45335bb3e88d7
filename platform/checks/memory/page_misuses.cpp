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

std::string place_text(const PageUses::User& user) {
  return std::to_string(user.bytes) + " bytes of L1 from " + foundation::hex(user.address);
}

/// "sends page 1 of circular buffer 16 (2048 bytes of L1 from 0x2b800)".
std::string does(const PageUses::Misuse& misuse) {
  using Misused = PageUses::Misuse::Kind;
  const PageUses::User& user = misuse.user;
  const std::string buffer = buffer_text(misuse.buffer),
                    page = "page " + std::to_string(misuse.page) + " of " + buffer;
  switch (misuse.kind) {
    case Misused::kOverwritten:
      return "writes for another tile into " + page + " (" + place_text(user) + ")";
    case Misused::kEmptyResult:
      return "pushes " + page + " in a tensor";
    case Misused::kNeverFilled:
      return "pushes " + page;
    case Misused::kPopsUnseen:
      return "pops " + page;
    case Misused::kNothing:
      return "unpacks " + place_text(user);
    default: {
      const bool by_niu = user.core == BusMaster::kB || user.core == BusMaster::kNc;
      const char* const reads = by_niu ? "sends " : "unpacks ";
      const char* const writes = by_niu ? "reads into " : "packs into ";
      return (user.writes ? writes : reads) + (misuse.kind == Misused::kBehindEnd ? buffer : page) +
             " (" + place_text(user) + ")";
    }
  }
}

/// The rest of the message: the mistake, the expected use, and the remedy.
std::string wrong(const PageUses::Misuse& misuse) {
  using Misused = PageUses::Misuse::Kind;
  const std::string other = name_of(misuse.other);
  switch (misuse.kind) {
    case Misused::kNotPushed:
      return " before " + other +
             " pushes it. Expected a cb_wait_front for this page. Add one, wait for more pages, or "
             "pop the page later.";
    case Misused::kNeverPushed:
      return ", which no core pushes before the program ends. Expected a pushed page. Check the "
             "number of the buffer, or add a cb_wait_front.";
    case Misused::kBehindEnd:
      return " and goes on behind its end" +
             (misuse.behind == PageUses::kNone ? std::string()
                                               : ", into " + buffer_text(misuse.behind)) +
             ". Expected an access within the buffer. Check its address and its size.";
    case Misused::kUnseenPush:
    case Misused::kPopsUnseen:
      return ", which " + other +
             " has pushed in time only by luck. Expected a cb_wait_front for this page. Add one, "
             "or wait for more pages.";
    case Misused::kUnseenPop:
      return ", which " + other +
             " has popped in time only by luck. Expected a cb_reserve_back for this page. Add one, "
             "or reserve more pages.";
    case Misused::kNotArrived:
      return " and pushes it to " + other +
             " before the data has arrived. Expected a noc_async_read_barrier before the "
             "cb_push_back. Add one.";
    case Misused::kNotSent:
      return " and pops it for " + other +
             " to fill before the data has left. Expected a noc_async_writes_flushed before the "
             "cb_pop_front. Add one.";
    case Misused::kOverwritten:
      return ", which " + other +
             " has pushed and no core has popped. Expected a free page. Let the sender wait until "
             "a page is free.";
    case Misused::kEmptyResult:
      return ", and packs nothing into it before the program ends. Expected a pack_tile into this "
             "page. Add one, or check its page and buffer.";
    case Misused::kNeverFilled:
      return ", which " + other +
             " reads and nothing has written since the program began. Expected data in the page. "
             "Add a noc_async_read, or check the buffer and the page of its address "
             "(get_write_ptr).";
    case Misused::kNothing:
      return ", which are in no circular buffer of the program and which nothing has written. "
             "Expected a tile of a circular buffer. Check the index of the tile.";
    case Misused::kNeverPacked:
      return ", which PACK has pushed and never packed into. Expected a pack_tile into this page. "
             "Add one, or check its page and buffer.";
    default:
      return ", which " + other +
             " fills and pushes. Expected no other writer. Check the number of the buffer and the "
             "size of the buffer before it.";
  }
}

}  // namespace

void PageMisuses::report(const PageUses::Misuse& misuse) {
  const PageUses::User& user = misuse.user;
  const Place place{misuse.kind, user.core, user.pc, misuse.buffer};
  if (std::find(reported_.begin(), reported_.end(), place) != reported_.end()) return;
  reported_.push_back(place);
  if (user.core == BusMaster::kNoc0 || user.core == BusMaster::kNoc1) {
    const std::string niu = tile_.where + (user.core == BusMaster::kNoc1 ? ".niu1" : ".niu0");
    tile_.warnings.warn(
        foundation::Fault(foundation::FaultKind::kFirmware, niu,
                          does(misuse) + tile_.record->l1.sender_text() + wrong(misuse)));
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
