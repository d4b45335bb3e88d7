#pragma once
// Passes across the chips of a rank that its switch does: reductions of what all chips send, and
// multicasts. A member of the group is a chip.

#include <cstdint>

#include "firmware/collectives/memory.h"
#include "firmware/collectives/reductions.h"
#include "firmware/collectives/switch_members.h"

namespace tvp::firmware::collectives {

template <typename Transport>
class InSwitch {
 public:
  using Ticket = typename Transport::Ticket;

  InSwitch(Transport& transport, Memory& memory, std::uint32_t level)
      : transport_(transport), memory_(memory), slots_(memory.slots[level]) {
    transport_.set_window(kSwitchData, slots_, sizeof memory.slots[level]);
    transport_.set_window(kSwitchReady, slots_, 0);
  }

  void join(const Group& group) {
    group_ = group;
    repeats_ = group.repeats();
    all_ = Members::first(group.size);
  }

  /// The result is that of a ring whose owners count in reverse: each member gets a part of the
  /// columns.
  template <typename Reduction>
  void reduce_scatter(const Cut& cut, Place from, Place to) {
    for (std::uint32_t member = 0; member < group_.size; ++member)
      reduce<Reduction>(part(cut, member), Members::one(member), from, to);
    finish();
  }

  /// All parts to all members in the same beats.
  template <typename Reduction>
  void all_reduce(const Cut& cut, Place from, Place to) {
    const std::uint32_t first = group_.first_in_reverse(0, repeats_);
    reduce<Reduction>(cut.chunks(first, repeats_ * group_.size), all_, from, to);
    finish();
  }

  /// One member after the other gives its part to all others.
  void all_gather(const Cut& cut, Place place) {
    for (std::uint32_t member = 0; member < group_.size; ++member)
      multicast(part(cut, member), member, place, place);
  }

  void broadcast(std::uint32_t root, Place from, Place to, std::uint32_t bytes) {
    multicast({0, bytes}, root, from, to);
  }

 private:
  Span part(const Cut& cut, std::uint32_t member) const {
    return cut.chunks(group_.first_in_reverse(member, repeats_), repeats_);
  }

  /// The switch combines a slice when all members have sent it. A member that receives the result
  /// sends when its slot is free, so no credits are needed.
  template <typename Reduction>
  void reduce(Span whole, std::uint32_t to_members, Place from, Place to) {
    const std::uint32_t slices = slices_of(whole.bytes, kSliceBytes);
    const bool gets = Members::has(to_members, group_.index);
    const auto slice = [&](std::uint32_t s) { return slice_of(whole, s, kSliceBytes); };
    if (slices > 0) prefetch(from.of(slice(0)), slice(0).bytes);
    for (std::uint32_t s = 0; s < slices; ++s) {
      const std::uint32_t turn = turn_;
      transport_.dma_wait(read_[turn]);
      turn_ = (turn_ + 1) % kStaging;
      if (s + 1 < slices) prefetch(from.of(slice(s + 1)), slice(s + 1).bytes);
      if (gets) {
        if (asked_ - collected_ == kSlots) collect(to);
        transport_.dma_wait(written_[asked_ % kSlots]);
        pending_[asked_ % kSlots] = slice(s);
      }
      const std::uint32_t slot = gets ? asked_++ % kSlots : 0;
      sent_[turn] = transport_.template reduce_async<Reduction, Members::kForm>(
          group_, all_, to_members, kSwitchData, slot * kSliceBytes, memory_.staging[turn],
          slice(s).bytes);
    }
    while (collected_ != asked_) collect(to);
  }

  void prefetch(std::uint32_t bank, std::uint32_t bytes) {
    transport_.send_wait(sent_[turn_]);
    read_[turn_] = transport_.dma_read_async(memory_.staging[turn_], bank, bytes);
  }

  void collect(Place to) {
    const std::uint32_t slot = collected_++ % kSlots;
    transport_.wait_arrivals(kSwitchData, ++received_);
    const Span span = pending_[slot];
    written_[slot] = transport_.dma_write_async(to.of(span), slots_[slot], span.bytes);
  }

  /// Sends as many slices at a time as there are slots, after all other members have signalled free
  /// slots.
  void multicast(Span whole, std::uint32_t root, Place from, Place to) {
    const std::uint32_t slices = slices_of(whole.bytes, kSliceBytes);
    for (std::uint32_t first = 0; first < slices; first += kSlots) {
      const std::uint32_t last = slices - first < kSlots ? slices : first + kSlots;
      if (group_.index == root) {
        speak(whole, first, last, from);
      } else {
        transport_.signal(group_.unit(root), kSwitchReady);
        listen(whole, first, last, to);
      }
    }
  }

  void speak(Span whole, std::uint32_t first, std::uint32_t last, Place from) {
    const auto fetch = [&](std::uint32_t s) {
      const Span span = slice_of(whole, s, kSliceBytes);
      prefetch(from.of(span), span.bytes);
    };
    fetch(first);
    transport_.wait_arrivals(kSwitchReady, ready_ += group_.size - 1);
    for (std::uint32_t s = first; s < last; ++s) {
      const std::uint32_t turn = turn_;
      transport_.dma_wait(read_[turn]);
      turn_ = (turn_ + 1) % kStaging;
      if (s + 1 < last) fetch(s + 1);
      sent_[turn] = transport_.template multicast_async<Members::kForm>(
          group_, Members::without(all_, group_.index), kSwitchData, (s - first) * kSliceBytes,
          memory_.staging[turn], slice_of(whole, s, kSliceBytes).bytes);
    }
    finish();
  }

  void listen(Span whole, std::uint32_t first, std::uint32_t last, Place to) {
    for (std::uint32_t s = first; s < last; ++s) {
      const Span span = slice_of(whole, s, kSliceBytes);
      transport_.wait_arrivals(kSwitchData, ++received_);
      written_[s - first] = transport_.dma_write_async(to.of(span), slots_[s - first], span.bytes);
    }
    finish();
  }

  void finish() {
    for (const Ticket ticket : sent_) transport_.send_wait(ticket);
    for (const Ticket ticket : written_) transport_.dma_wait(ticket);
  }

  Transport& transport_;
  Memory& memory_;
  std::uint8_t (&slots_)[kSlots][kSliceBytes];
  Group group_;
  std::uint32_t repeats_ = 1;
  std::uint32_t all_ = 0;  ///< all members
  std::uint32_t turn_ = 0;
  Ticket read_[kStaging] = {};
  Ticket sent_[kStaging] = {};
  std::uint32_t asked_ = 0;  ///< results for this unit
  std::uint32_t collected_ = 0;
  std::uint32_t received_ = 0;
  std::uint32_t ready_ = 0;
  Span pending_[kSlots];
  Ticket written_[kSlots] = {};
};

}  // namespace tvp::firmware::collectives
