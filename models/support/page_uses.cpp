#include "models/support/page_uses.h"

#include <algorithm>

namespace tvp::support {

namespace {

/// The scalar unit counts for PACK what it pushes and for UNPACK what it pops.
BusMaster pusher(BusMaster by) { return by == BusMaster::kThcon ? BusMaster::kT2 : by; }
BusMaster popper(BusMaster by) { return by == BusMaster::kThcon ? BusMaster::kT0 : by; }

}  // namespace

void PageUses::hold(std::span<const Buffer> buffers) {
  end();
  states_ = {};
  places_.clear();
  last_ = 0;
  if (listener_ == nullptr) return;
  for (unsigned i = 0; i < std::min<std::size_t>(buffers.size(), kBuffers); ++i) {
    const Buffer& at = buffers[i];
    states_[i].place = at;
    const std::uint64_t end = at.address + std::uint64_t{at.pages} * at.page_bytes;
    if (at.pages == 0 || at.page_bytes == 0 || end > kNone) continue;
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
    states_[before->buffer].shared = true;
  }
  places_.resize(kept);
}

void PageUses::end() {
  for (const Doubt& doubt : doubts_) {
    const State& state = states_[doubt.buffer];
    if (doubt.user.writes || doubt.user.core != BusMaster::kT0 || state.pushers != 0) continue;
    listener_->misused({.kind = Misuse::Kind::kNeverPushed,
                        .user = doubt.user,
                        .buffer = doubt.buffer,
                        .page = doubt.page});
  }
  doubts_.clear();
}

const PageUses::Place* PageUses::place_of(std::uint32_t address) {
  const Place& last = places_[last_];
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
  const Place* const place = place_of(user.address);
  if (place == nullptr || place->is_tensor) return;
  // Whole tiles are unpacked also of pages that hold no more of them than is used, as a scalar.
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
    use_page(state, place->buffer, page, user);
}

bool PageUses::is_there(const State& state, std::uint32_t page, BusMaster core) {
  if (core == BusMaster::kT0 && !state.packed.empty() && state.packed[page]) return true;
  const std::uint32_t pages = state.place.pages;
  const std::uint32_t ahead = page >= state.front ? page - state.front : page + pages - state.front;
  return static_cast<std::int32_t>(ahead) < state.held;
}

/// Reads of pages that are not there, and all writes, may be wrong.
void PageUses::use_page(State& state, unsigned buffer, std::uint32_t page, const User& user) {
  std::uint32_t uses = state.pushers;
  if (user.writes) {
    uses |= state.poppers;
    if (user.core == BusMaster::kT2) {
      state.packed.resize(state.place.pages);
      state.packed[page] = true;
      // UNPACK and PACK are one kernel.
      if ((state.poppers & bit(BusMaster::kT0)) != 0) return;
    }
  } else if (is_there(state, page, user.core)) {
    return;
  }
  if ((uses & bit(user.core)) != 0 || doubts_.size() >= kMostDoubts) return;
  for (const Doubt& known : doubts_)
    if (known.buffer == buffer && known.page == page && known.user.core == user.core &&
        known.user.writes == user.writes)
      return;
  doubts_.push_back({user, buffer, page});
}

void PageUses::pushed(unsigned buffer, std::uint32_t count, BusMaster by) {
  State& state = states_[buffer];
  const auto pages = static_cast<std::uint16_t>(count - state.pushed);
  if (pages == 0) return;
  state.pushed = static_cast<std::uint16_t>(count);
  state.pushers |= bit(pusher(by));
  const auto back = static_cast<std::uint32_t>(state.held);
  state.held += pages;
  if (state.held > static_cast<std::int32_t>(state.place.pages)) state.counted = false;
  if (!doubts_.empty() && state.counted && state.place.pages != 0)
    decide(buffer, (state.front + back) % state.place.pages, pages, pusher(by));
}

void PageUses::popped(unsigned buffer, std::uint32_t count, BusMaster by) {
  State& state = states_[buffer];
  const auto pages = static_cast<std::uint16_t>(count - state.popped);
  if (pages == 0 || state.place.pages == 0) return;
  state.popped = static_cast<std::uint16_t>(count);
  state.poppers |= bit(popper(by));
  state.held -= pages;
  if (!state.packed.empty())
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(pages, state.place.pages); ++i)
      state.packed[(state.front + i) % state.place.pages] = false;
  state.front = (state.front + pages) % state.place.pages;
  if (state.held < 0) state.counted = false;
}

/// The pages from `first` on are somebody's now: who has filled them may have read and written
/// them.
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

}  // namespace tvp::support
