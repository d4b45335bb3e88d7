#pragma once
// The passes of in_switch.h for units that go through phases together. In a phase, no two messages
// share a link. The units of one number in their chips send to the switch and get its result, and
// the others wait for the next phase. A program has either these passes or those with credits.

#include <cstdint>

#include "firmware/collectives/memory.h"
#include "firmware/collectives/reductions.h"
#include "firmware/collectives/switch_members.h"

#ifndef PIM_SWITCH_PHASES
#define PIM_SWITCH_PHASES 0
#endif

namespace tvp::firmware::collectives {

inline constexpr bool kSwitchPhases = PIM_SWITCH_PHASES != 0;

template <typename Transport>
class InSwitchPhases {
 public:
  using Ticket = typename Transport::Ticket;

  InSwitchPhases(Transport& transport, Memory& memory, std::uint32_t level)
      : transport_(transport), memory_(memory), slots_(memory.slots[level]) {
    transport_.set_window(kSwitchData, slots_, sizeof memory.slots[level]);
  }

  void set_phases(const Phases& phases) { phases_ = phases; }
  void join(const Group& group) {
    group_ = group;
    repeats_ = group.repeats();
    all_ = Members::first(group.size);
  }

  template <typename Reduction>
  void reduce_scatter(const Cut& cut, Place from, Place to) {
    for (std::uint32_t member = 0; member < group_.size; ++member)
      reduce<Reduction>(part(cut, member), cut.largest() * repeats_, Members::one(member), from,
                        to);
    finish();
  }

  template <typename Reduction>
  void all_reduce(const Cut& cut, Place from, Place to) {
    const std::uint32_t chunks = repeats_ * group_.size;
    reduce<Reduction>(cut.chunks(group_.first_in_reverse(0, repeats_), chunks),
                      cut.largest() * chunks, all_, from, to);
    finish();
  }

  void all_gather(const Cut& cut, Place place) {
    for (std::uint32_t member = 0; member < group_.size; ++member)
      multicast(part(cut, member), cut.largest() * repeats_, member, place);
  }

 private:
  Span part(const Cut& cut, std::uint32_t member) const {
    return cut.chunks(group_.first_in_reverse(member, repeats_), repeats_);
  }

  /// A phase of this unit's group ends when its result has arrived. So no message is under way at
  /// the next barrier. `longest`: size of the longest span of all groups, which all go through as
  /// many phases.
  template <typename Reduction>
  void reduce(Span whole, std::uint32_t longest, std::uint32_t to_members, Place from, Place to) {
    const bool gets = Members::has(to_members, group_.index);
    for (std::uint32_t s = 0; s < slices_of(longest, kSliceBytes); ++s) {
      const Span span = slice_of(whole, s, kSliceBytes);
      std::uint8_t* const data = fetch(span, s, from);
      for (std::uint32_t p = 0; p < phases_.count; ++p) {
        transport_.barrier();
        if (phases_.first[p].to == kNobody || span.bytes == 0) continue;
        sent_[s % kStaging] = transport_.template reduce_async<Reduction, Members::kForm>(
            group_, all_, to_members, kSwitchData, s % kSlots * kSliceBytes, data, span.bytes);
        if (gets) store_arrived(s, span, to);
      }
    }
  }

  /// One member gives its part to all others.
  void multicast(Span whole, std::uint32_t longest, std::uint32_t root, Place place) {
    for (std::uint32_t s = 0; s < slices_of(longest, kSliceBytes); ++s) {
      const Span span = slice_of(whole, s, kSliceBytes);
      const bool sends = group_.index == root;
      std::uint8_t* const data = fetch(sends ? span : Span{}, s, place);
      for (std::uint32_t p = 0; p < phases_.count; ++p) {
        transport_.barrier();
        if (phases_.first[p].to == kNobody || span.bytes == 0) continue;
        if (!sends) {
          store_arrived(s, span, place);
          continue;
        }
        sent_[s % kStaging] = transport_.template multicast_async<Members::kForm>(
            group_, Members::without(all_, group_.index), kSwitchData, s % kSlots * kSliceBytes,
            data, span.bytes);
      }
    }
    finish();
  }

  /// Reads a slice into working memory, and frees the slot into which its result goes.
  std::uint8_t* fetch(Span span, std::uint32_t s, Place from) {
    const std::uint32_t turn = s % kStaging;
    transport_.send_wait(sent_[turn]);
    transport_.dma_wait(
        transport_.dma_read_async(memory_.staging[turn], from.of(span), span.bytes));
    transport_.dma_wait(written_[s % kSlots]);
    return memory_.staging[turn];
  }

  void store_arrived(std::uint32_t s, Span span, Place to) {
    transport_.wait_arrivals(kSwitchData, ++received_);
    written_[s % kSlots] = transport_.dma_write_async(to.of(span), slots_[s % kSlots], span.bytes);
  }

  void finish() {
    for (const Ticket ticket : sent_) transport_.send_wait(ticket);
    for (const Ticket ticket : written_) transport_.dma_wait(ticket);
  }

  Transport& transport_;
  Memory& memory_;
  std::uint8_t (&slots_)[kSlots][kSliceBytes];
  Group group_;
  Phases phases_;
  std::uint32_t repeats_ = 1;
  std::uint32_t all_ = 0;  ///< all members
  std::uint32_t received_ = 0;
  Ticket sent_[kStaging] = {};
  Ticket written_[kSlots] = {};
};

}  // namespace tvp::firmware::collectives
