#include "platform/checks/record/page_uses.h"

#include <algorithm>

namespace tvp::checks {

namespace {

/// The scalar unit pushes for PACK and pops for UNPACK.
BusMaster pusher(BusMaster by) { return by == BusMaster::kThcon ? BusMaster::kT2 : by; }
BusMaster popper(BusMaster by) { return by == BusMaster::kThcon ? BusMaster::kT0 : by; }

}  // namespace

void PageUses::hold(std::span<const Buffer> buffers) {
  end();
  states_ = {};
  order_.forget();
  places_.clear();
  packed_in_ = nullptr;
  last_ = 0;
  unfilled_ = 0;
  if (probe_ != nullptr) probe_->await_first_writes(false);
  if (listener_ == nullptr) return;
  if (tile_ != nullptr) tile_->announced_otherwise();
  if (!buffers.empty()) {
    left_.clear();
    inputs_.clear();
    if (tile_ != nullptr) tile_->program_begins();
  }
  for (unsigned i = 0; i < std::min<std::size_t>(buffers.size(), kBuffers); ++i) {
    const Buffer& at = buffers[i];
    states_[i].place = at;
    const std::uint64_t end = at.address + std::uint64_t{at.pages} * at.page_bytes;
    if (at.pages == 0 || at.page_bytes == 0 || end > kNone) continue;
    states_[i].filled.assign(at.pages, false);
    states_[i].pushes.begin(at.pages);
    states_[i].pops.begin(at.pages);
    places_.push_back({at.address, static_cast<std::uint32_t>(end), i, at.is_tensor});
  }
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const Place& place : places_) {
    Place* const before = kept == 0 ? nullptr : &places_[kept - 1];
    if (before == nullptr || place.begin >= before->end) {
      places_[kept++] = place;
      continue;
    }
    before->end = std::max(before->end, place.end);
    before->is_tensor = before->is_tensor || place.is_tensor;
    states_[before->buffer].shared = states_[place.buffer].shared = true;
  }
  places_.resize(kept);
  await_first_writes();
}

/// Only buffers whose uses can be distinguished need the first write of each page.
void PageUses::await_first_writes() {
  if (probe_ == nullptr) return;
  for (Place& place : places_) {
    State& state = states_[place.buffer];
    if (!is_watched(state)) continue;
    const std::uint32_t bytes = state.place.page_bytes;
    for (std::uint32_t page = 0; page < state.place.pages; ++page) {
      state.filled[page] = is_foreign(place.begin + page * bytes, bytes);
      place.unfilled += state.filled[page] ? 0 : 1;
    }
    unfilled_ += place.unfilled;
  }
  if (unfilled_ != 0) probe_->await_first_writes(true);
}

void PageUses::note_foreign(std::uint32_t address, std::uint32_t bytes) {
  if (bytes == 0) return;
  const std::uint32_t first = address / kGranuleBytes, last = (address + bytes - 1) / kGranuleBytes;
  if (last >= foreign_.size()) foreign_.resize(last + 1);
  std::fill(foreign_.begin() + first, foreign_.begin() + last + 1, true);
}

bool PageUses::is_foreign(std::uint32_t address, std::uint32_t bytes) const {
  const auto first = std::min<std::size_t>(address / kGranuleBytes, foreign_.size());
  const auto end =
      std::min<std::size_t>((address + bytes - 1) / kGranuleBytes + 1, foreign_.size());
  const auto begin = foreign_.begin() + static_cast<std::ptrdiff_t>(first);
  return std::find(begin, foreign_.begin() + static_cast<std::ptrdiff_t>(end), true) !=
         foreign_.begin() + static_cast<std::ptrdiff_t>(end);
}

void PageUses::end() {
  if (on()) gather_left();
  for (unsigned i = 0; i < kBuffers; ++i) report_empty_result(i);
  for (const Doubt& doubt : doubts_) {
    const State& state = states_[doubt.buffer];
    if (doubt.user.writes || doubt.user.core != BusMaster::kT0) continue;
    if (doubt.page < state.pushed_in_all) continue;
    listener_->misused({.kind = Misuse::Kind::kNeverPushed,
                        .user = doubt.user,
                        .buffer = doubt.buffer,
                        .page = doubt.page});
  }
  doubts_.clear();
  without_effect_.clear();
  if (tile_ != nullptr) tile_->program_ends();
}

void PageUses::note_left(State& state) {
  if (!state.left && is_watched(state)) state.left = state.held;
}

void PageUses::gather_left() {
  left_.clear();
  inputs_.clear();
  pushed_.clear();
  for (unsigned i = 0; i < kBuffers; ++i) {
    State& state = states_[i];
    if (state.pushed_in_all != 0)
      pushed_.push_back({.place = state.place, .buffer = i, .last_push = state.last_push});
    if (state.unpacked_at)
      inputs_.push_back({.buffer = i, .address = *state.unpacked_at, .pc = state.unpacked_by});
    note_left(state);
    if (state.left.value_or(0) <= 0 || state.place.pages == 0) continue;
    left_.push_back({.buffer = i,
                     .pages = static_cast<std::uint32_t>(*state.left),
                     .last_push = state.last_push,
                     .popped = state.poppers != 0});
  }
}

/// If PACK's output page is a tensor in place, no core of the tile reads it. An unfilled page is
/// therefore reported at the end of the program.
void PageUses::report_empty_result(unsigned buffer) {
  State& state = states_[buffer];
  if (!state.place.is_tensor || state.shared || !state.counted) return;
  if (state.pushers != bit(BusMaster::kT2)) return;
  state.pushers = 0;
  for (std::uint32_t page = 0; page < std::min(state.pushed_in_all, state.place.pages); ++page) {
    if (state.filled[page]) continue;
    return listener_->misused({.kind = Misuse::Kind::kEmptyResult,
                               .user = state.last_push,
                               .buffer = buffer,
                               .page = page,
                               .other = BusMaster::kT2});
  }
}

PageUses::Place* PageUses::place_of(std::uint32_t address) {
  Place& last = places_[last_];
  if (address >= last.begin && address < last.end) return &last;
  const auto behind =
      std::upper_bound(places_.begin(), places_.end(), address,
                       [](std::uint32_t at, const Place& place) { return at < place.begin; });
  if (behind == places_.begin()) return nullptr;
  const auto found = behind - 1;
  if (address >= found->end) return nullptr;
  last_ = static_cast<std::size_t>(found - places_.begin());
  return &*found;
}

void PageUses::used(const User& user) {
  if (!on() || user.bytes == 0) return;
  use(user);
  const bool sends = !user.writes && (user.core == BusMaster::kB || user.core == BusMaster::kNc);
  if (sends && !without_effect_.empty()) [[unlikely]]
    report_given_away();
}

/// Results of undefined data are wrong when they leave the tile or when a tensor contains them.
void PageUses::report_given_away() {
  for (const Misuse& misuse : without_effect_) listener_->misused(misuse);
  without_effect_.clear();
}

void PageUses::use(const User& user) {
  Place* const place = place_of(user.address);
  if (place == nullptr) return use_behind(user);
  if (user.writes && user.core == BusMaster::kT2) {
    packed_in_ = place;
    packed_at_ = user.pc;
  }
  if (place->is_tensor) {
    // A page that UNPACK reads is an operand with earlier data: it counts as filled.
    if (user.writes || user.core == BusMaster::kT0)
      fill(*place, user.address, std::uint64_t{user.address} + user.bytes);
    if (user.writes && !without_effect_.empty()) report_given_away();
    if (!user.writes && user.core == BusMaster::kT0) note_input(states_[place->buffer], user);
    return;
  }
  // UNPACK reads a whole tile even if the page is smaller because the kernel uses only a part of
  // it, for example a scalar. So only the first byte counts.
  const bool unpacks = !user.writes && user.core >= BusMaster::kT0 && user.core <= BusMaster::kT2;
  const std::uint64_t end =
      unpacks ? std::uint64_t{user.address} + 1 : std::uint64_t{user.address} + user.bytes;
  if (end > place->end) [[unlikely]] {
    const auto next = static_cast<std::size_t>(place - places_.data()) + 1;
    const bool meets = next < places_.size() && places_[next].begin < end;
    listener_->misused({.kind = Misuse::Kind::kBehindEnd,
                        .user = user,
                        .buffer = place->buffer,
                        .behind = meets ? places_[next].buffer : kNone});
    return;
  }
  State& state = states_[place->buffer];
  if (state.shared || !state.counted) return;
  const std::uint32_t offset = user.address - place->begin;
  const auto last = static_cast<std::uint32_t>(end - 1 - place->begin) / state.place.page_bytes;
  for (std::uint32_t page = offset / state.place.page_bytes; page <= last; ++page)
    use_page(*place, page, user);
}

/// A use outside of all buffers. PACK is reported if it continues a tile that began in a buffer:
/// the buffer's pages are smaller than tiles of the format. UNPACK is reported if nothing has
/// written the memory. Otherwise kernels may use such memory as they like.
void PageUses::use_behind(const User& user) {
  if (!user.writes && user.core == BusMaster::kT0 && tile_ != nullptr &&
      tile_->is_unwritten(user.address, user.bytes)) [[unlikely]]
    return listener_->misused({.kind = Misuse::Kind::kNothing, .user = user});
  constexpr std::uint32_t kLargestTile = 4096;
  if (!user.writes || user.core != BusMaster::kT2 || packed_in_ == nullptr) return;
  if (packed_at_ != user.pc || user.pc == 0 || packed_in_->is_tensor) return;
  if (user.address < packed_in_->end || user.address - packed_in_->end >= kLargestTile) return;
  listener_->misused(
      {.kind = Misuse::Kind::kBehindEnd, .user = user, .buffer = packed_in_->buffer});
}

void PageUses::written(std::uint32_t address, std::uint32_t bytes) {
  const std::uint64_t end = std::uint64_t{address} + bytes;
  auto place = std::upper_bound(places_.begin(), places_.end(), address,
                                [](std::uint32_t at, const Place& each) { return at < each.end; });
  for (; place != places_.end() && place->begin < end; ++place)
    if (place->unfilled != 0) fill(*place, std::max(address, place->begin), end);
}

bool PageUses::awaits(std::uint32_t first, std::uint32_t last) const {
  auto place = std::upper_bound(places_.begin(), places_.end(), first,
                                [](std::uint32_t at, const Place& each) { return at < each.end; });
  for (; place != places_.end() && place->begin <= last; ++place) {
    if (place->unfilled == 0) continue;
    const State& state = states_[place->buffer];
    const std::uint32_t bytes = state.place.page_bytes;
    const std::uint32_t begin = (std::max(first, place->begin) - place->begin) / bytes;
    const std::uint32_t end = (std::min(last, place->end - 1) - place->begin) / bytes + 1;
    for (std::uint32_t page = begin; page < end; ++page)
      if (!state.filled[page]) return true;
  }
  return false;
}

void PageUses::written_for_others(BusMaster niu, std::uint32_t address, std::uint32_t bytes,
                                  BusMaster core_here) {
  if (listener_ == nullptr || bytes == 0) return;
  note_foreign(address, bytes);
  if (!on()) return;
  Place* const place = place_of(address);
  if (place == nullptr) return;
  State& state = states_[place->buffer];
  const User user{.core = niu, .pc = 0, .address = address, .bytes = bytes, .writes = true};
  fill(*place, address, std::uint64_t{address} + bytes);
  if (!is_watched(state)) return;
  const std::uint32_t page = (address - place->begin) / state.place.page_bytes;
  if (!is_held(state, page) || core_here == state.last_pusher) return;
  listener_->misused({.kind = Misuse::Kind::kOverwritten,
                      .user = user,
                      .buffer = place->buffer,
                      .page = page,
                      .other = state.last_pusher});
}

/// Marks pages as filled. A tensor's memory may continue after its pages.
void PageUses::fill(Place& place, std::uint32_t address, std::uint64_t end) {
  const State& state = states_[place.buffer];
  const std::uint32_t bytes = state.place.page_bytes;
  const std::uint64_t begin = address - place.begin;
  end -= place.begin;
  for (std::uint64_t page = begin / bytes; page * bytes < end && page < state.filled.size(); ++page)
    fill_page(place, static_cast<std::uint32_t>(page));
}

void PageUses::fill_page(Place& place, std::uint32_t page) {
  State& state = states_[place.buffer];
  if (state.filled[page]) return;
  state.filled[page] = true;
  if (place.unfilled == 0) return;
  --place.unfilled;
  if (--unfilled_ == 0) probe_->await_first_writes(false);
}

std::optional<bool> PageUses::is_pushed(std::uint32_t address) const {
  for (const State& state : states_) {
    const Buffer& place = state.place;
    if (place.pages == 0 || address - place.address >= place.pages * place.page_bytes) continue;
    if (!is_watched(state)) return {};
    return is_held(state, (address - place.address) / place.page_bytes);
  }
  return {};
}

bool PageUses::is_held(const State& state, std::uint32_t page) {
  const std::uint32_t pages = state.place.pages;
  const std::uint32_t ahead = page >= state.front ? page - state.front : page + pages - state.front;
  return static_cast<std::int32_t>(ahead) < state.held;
}

/// Reads of pages that are not pushed, and all writes, may be mistakes. A later push decides.
void PageUses::use_page(Place& place, std::uint32_t page, const User& user) {
  const unsigned buffer = place.buffer;
  State& state = states_[buffer];
  std::uint32_t uses = state.pushers;
  if (!state.late.empty()) [[unlikely]]
    report_late(state, buffer, page, user);
  if (user.writes) {
    uses |= state.poppers;
    fill_page(place, page);
    if (!is_held(state, page)) write_free(state, buffer, page, user);
    if (user.core == BusMaster::kT2) {
      state.packed.resize(state.place.pages);
      state.packed[page] = true;
      // UNPACK and PACK belong to one kernel, which may write pages that it pops.
      if ((state.poppers & bit(BusMaster::kT0)) != 0) return;
    }
  } else {
    if (user.core == BusMaster::kT0) note_input(state, user);
    if (is_held(state, page)) return read_held(state, buffer, page, user);
    if (user.core == BusMaster::kT0 && !state.packed.empty() && state.packed[page]) return;
  }
  if ((uses & bit(user.core)) != 0 || doubts_.size() >= kMostDoubts) return;
  for (const Doubt& known : doubts_)
    if (known.buffer == buffer && known.page == page && known.user.core == user.core &&
        known.user.writes == user.writes)
      return;
  doubts_.push_back({user, buffer, page});
}

/// A core reads a page that another core has pushed. It must know of the push.
void PageUses::read_held(State& state, unsigned buffer, std::uint32_t page, const User& user) {
  if ((state.pushers & bit(user.core)) != 0) return;
  Misuse misuse{.user = user, .buffer = buffer, .page = page, .other = state.last_pusher};
  if (!order_.knows(state.pushes, page, user.core)) {
    misuse.kind = Misuse::Kind::kUnseenPush;
    listener_->misused(misuse);
  } else if (!state.filled[page]) {
    report_unfilled(misuse);
  }
}

/// The warning names the reader if a unit pushed for PACK, else the core that pushed the page.
void PageUses::report_unfilled(Misuse misuse) {
  const State& state = states_[misuse.buffer];
  misuse.kind = Misuse::Kind::kNeverPacked;
  misuse.pushed_at = state.last_push.pc;
  if (state.pushers != bit(BusMaster::kT2)) {
    if (probe_ == nullptr || state.empty_push.core == BusMaster::kDebug) return;
    misuse.kind = Misuse::Kind::kNeverFilled;
    misuse.other = misuse.user.core;
    misuse.user = state.empty_push;
    if (without_effect_.size() < kMostDoubts) without_effect_.push_back(misuse);
    return;
  }
  listener_->misused(misuse);
}

/// A popped page is free for the cores that push, as soon as they know of the pop.
void PageUses::write_free(State& state, unsigned buffer, std::uint32_t page, const User& user) {
  if ((state.pushers & bit(user.core)) == 0 || (state.poppers & bit(user.core)) != 0) return;
  // PACK's results come from operands that UNPACK has unpacked before.
  if (user.core == BusMaster::kT2 && (state.poppers & bit(BusMaster::kT0)) != 0) return;
  if (order_.knows(state.pops, page, user.core)) return;
  listener_->misused({.kind = Misuse::Kind::kUnseenPop,
                      .user = user,
                      .buffer = buffer,
                      .page = page,
                      .other = state.last_popper});
}

/// Reports a command that was not over when its page was handed over, once the next core uses the
/// page.
void PageUses::report_late(State& state, unsigned buffer, std::uint32_t page, const User& user) {
  for (std::size_t i = state.late.size(); i-- > 0;) {
    const Late late = state.late[i];
    if (late.page != page || late.command.core == user.core) continue;
    if (user.writes == late.command.writes) continue;
    state.late.erase(state.late.begin() + static_cast<std::ptrdiff_t>(i));
    listener_->misused(
        {.kind = late.command.writes ? Misuse::Kind::kNotArrived : Misuse::Kind::kNotSent,
         .user = late.command,
         .buffer = buffer,
         .page = page,
         .other = user.core});
  }
}

/// Records commands that have not yet written a pushed page, or not yet read a popped page.
void PageUses::note_late(State& state, std::uint32_t first, std::uint32_t count, bool writes) {
  if (tile_ == nullptr) return;
  for (std::uint32_t i = 0; i < std::min(count, state.place.pages); ++i) {
    const std::uint32_t page = (first + i) % state.place.pages;
    std::erase_if(state.late, [&](const Late& late) {
      return late.page == page && late.command.writes == writes;
    });
    const std::uint32_t begin = state.place.address + page * state.place.page_bytes;
    Late late{.page = page, .command = {}};
    if (tile_->has_command(begin, begin + state.place.page_bytes, writes, late.command))
      state.late.push_back(late);
  }
}

void PageUses::report_push(const State& state, unsigned buffer, std::uint32_t first,
                           std::uint32_t count, BusMaster by) {
  if (tile_ == nullptr || by == BusMaster::kT2 || !tile_->has_arrivals()) return;
  const std::uint32_t pc = now_of(by).pc, bytes = state.place.page_bytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t begin = state.place.address + (first + i) % state.place.pages * bytes;
    tile_->pushes(by, pc, buffer, begin, begin + bytes);
  }
}

PageUses::User PageUses::now_of(BusMaster core) const {
  User user{.core = core};
  if (core >= BusMaster::kT0 && core <= BusMaster::kT2) {
    user.pc = pushed_at_ == nullptr ? 0 : *pushed_at_;
  } else if (tile_ != nullptr) {
    user.pc = tile_->pc_of(core);
  }
  return user;
}

/// Must be called before the pages are popped.
void PageUses::look_at_pop(State& state, unsigned buffer, std::uint32_t count, BusMaster by) {
  if ((state.pushers & bit(by)) != 0) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t page = (state.front + i) % state.place.pages;
    if (order_.knows(state.pushes, page, by)) continue;
    return listener_->misused({.kind = Misuse::Kind::kPopsUnseen,
                               .user = now_of(by),
                               .buffer = buffer,
                               .page = page,
                               .other = state.last_pusher});
  }
}

void PageUses::pushed(unsigned buffer, std::uint32_t count, BusMaster by) {
  State& state = states_[buffer];
  const auto pages = static_cast<std::uint16_t>(count - state.pushed);
  if (pages == 0) return;
  // Firmware resets the counts when its kernel has ended.
  if (count == 0 && pages > state.place.pages) {
    note_left(state);
    report_empty_result(buffer);
  }
  state.pushed = static_cast<std::uint16_t>(count);
  state.pushers |= bit(pusher(by));
  const auto back = static_cast<std::uint32_t>(state.held);
  state.held += pages;
  if (state.held > static_cast<std::int32_t>(state.place.pages)) state.counted = false;
  if (!state.counted || state.pushes.pages() == 0) return;
  const std::uint32_t first = (state.front + back) % state.place.pages;
  order_.step(state.pushes, first, pages, pusher(by));
  state.last_pusher = pusher(by);
  state.pushed_in_all += pages;
  state.last_push = now_of(pusher(by));
  if (is_watched(state)) {
    note_late(state, first, pages, true);
    report_push(state, buffer, first, pages, pusher(by));
    const auto page = [&](std::uint32_t i) { return (first + i) % state.place.pages; };
    std::uint32_t empty = 0;
    for (std::uint32_t i = 0; unfilled_ != 0 && i < pages; ++i)
      if (!state.filled[page(i)]) ++empty;
    if (empty == pages) {
      state.empty_push = now_of(pusher(by));
    } else if (empty != 0 && pusher(by) != BusMaster::kT2) {
      // A core pushes a block as a whole. Readers skip its padding, so padding counts as filled.
      Place& place = *place_of(state.place.address);
      for (std::uint32_t i = 0; i < pages; ++i) fill_page(place, page(i));
    }
  }
  if (!doubts_.empty()) decide(buffer, first, pages, pusher(by));
}

void PageUses::popped(unsigned buffer, std::uint32_t count, BusMaster by) {
  State& state = states_[buffer];
  const auto pages = static_cast<std::uint16_t>(count - state.popped);
  if (pages == 0 || state.place.pages == 0) return;
  if (count == 0 && pages > state.place.pages) note_left(state);
  const bool known = state.counted && state.held >= pages && state.pops.pages() != 0;
  if (known) look_at_pop(state, buffer, pages, popper(by));
  if (known && is_watched(state)) {
    note_late(state, state.front, pages, false);
  }
  if (known) order_.step(state.pops, state.front, pages, popper(by));
  state.last_popper = popper(by);
  state.popped = static_cast<std::uint16_t>(count);
  state.poppers |= bit(popper(by));
  state.held -= pages;
  if (!state.packed.empty())
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(pages, state.place.pages); ++i)
      state.packed[(state.front + i) % state.place.pages] = false;
  state.front = (state.front + pages) % state.place.pages;
  if (state.held < 0) state.counted = false;
}

void PageUses::read_pushed(unsigned buffer, BusMaster by, std::uint32_t awaited) {
  const State& state = states_[buffer];
  read_count(state.pushes, state.pushed, state.front + static_cast<std::uint32_t>(state.held),
             awaited, by);
}

void PageUses::read_popped(unsigned buffer, BusMaster by, std::uint32_t awaited) {
  const State& state = states_[buffer];
  read_count(state.pops, state.popped, state.front, awaited, by);
}

/// The count is `now`, and its last step was before page `end`. A core that waits for less may see
/// the rest by luck only. If the count is not reached yet, the core reads it again.
void PageUses::read_count(const PageOrder::Count& count, std::uint32_t now, std::uint32_t end,
                          std::uint32_t awaited, BusMaster by) {
  const auto pages = static_cast<std::uint32_t>(count.pages());
  if (pages == 0) return;
  const auto rest = awaited == 0 ? std::int16_t{0} : static_cast<std::int16_t>(now - (awaited - 1));
  if (rest < 0 || static_cast<std::uint32_t>(rest) >= pages) return;
  order_.read(count, (end + 2 * pages - 1 - static_cast<std::uint32_t>(rest)) % pages, by);
}

/// A push shows which core owns the pages from `first` on. The cores that push the buffer were
/// allowed to read and write them; the other recorded uses are reported.
void PageUses::decide(unsigned buffer, std::uint32_t first, std::uint32_t count, BusMaster by) {
  const State& state = states_[buffer];
  for (std::size_t i = doubts_.size(); i-- > 0;) {
    const Doubt doubt = doubts_[i];
    if (doubt.buffer != buffer) continue;
    const std::uint32_t pages = state.place.pages;
    if ((doubt.page + pages - first) % pages >= count) continue;
    doubts_.erase(doubts_.begin() + static_cast<std::ptrdiff_t>(i));
    const std::uint32_t uses = state.pushers | (doubt.user.writes ? state.poppers : 0);
    if ((uses & bit(doubt.user.core)) != 0) continue;
    if (doubt.user.writes && doubt.user.core == BusMaster::kT2 &&
        (state.poppers & bit(BusMaster::kT0)) != 0)
      continue;
    listener_->misused(
        {.kind = doubt.user.writes ? Misuse::Kind::kOfOthers : Misuse::Kind::kNotPushed,
         .user = doubt.user,
         .buffer = buffer,
         .page = doubt.page,
         .other = by});
  }
}

}  // namespace tvp::checks
