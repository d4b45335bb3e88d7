#pragma once
// Reduce-scatter and all-gather round a ring, in N-1 steps each. A step moves a slice of one chunk,
// and all steps are done for a slice before the next slice starts, so every message has its slot.

#include <cstdint>

#include "firmware/collectives/link.h"

namespace tvp::firmware::collectives {

template <typename Transport>
class Ring {
 public:
  using Ticket = typename Transport::Ticket;

  /// With `barriers` the units meet after every step, and there are no credits. Each link of a ring
  /// then carries one message a step, so that a static schedule has no conflicts.
  Ring(Transport& transport, Memory& memory, std::uint32_t level, bool barriers)
      : transport_(transport),
        memory_(memory),
        link_(transport, memory, level, !barriers),
        barriers_(barriers) {}

  void join(const Group& group, const Phases& phases) {
    group_ = group;
    position_ = group.position();
    repeats_ = group.repeats();
    first_column_ = group.first_rank % group.stride;
    link_.connect(group.unit(member_before(1)), group.unit(member_before(group.size - 1)), phases);
  }

  /// The owners of chunks between two passes. With kByRank, chunk i belongs to rank i: the columns
  /// of a group are spread over the vector, and each row is a message. With kInReverse, the digits
  /// of rank numbers are reversed, so that a column is contiguous.
  enum class Owners { kByRank, kInReverse };

  /// Each member ends with the reduction of its own columns of chunks. The partial result of a
  /// slice stays in working memory: the bank is read once, and written at the end.
  template <typename Reduction>
  void reduce_scatter(const Cut& cut, Place from, Place to, Owners owners) {
    in_reverse_ = owners == Owners::kInReverse && group_.size != group_.all;
    for (Staged& buffer : staged_) buffer = {};
    Cursor next(*this, cut, 1);
    prefetch(next, from, 0);
    std::uint32_t turn = 0;
    for (Cursor at(*this, cut, 1); !at.done(); at.advance(), turn = (turn + 1) % kStaging) {
      meet();
      Staged& mine = staged_[turn];
      std::uint8_t* const data = memory_.staging[turn];
      transport_.dma_wait(mine.read);
      next.advance();
      prefetch(next, from, (turn + 1) % kStaging);
      const Span span = at.span();
      if (at.step() > 0 && span.bytes != 0) {
        Reduction::reduce(data, link_.receive(), span.bytes);
        link_.release();
      }
      if (at.step() + 1 < group_.size) {
        link_.pass(mine.sent, data, span.bytes, next.span().bytes != 0);
      } else if (span.bytes != 0) {
        mine.written = transport_.dma_write_async(to.of(span), data, span.bytes);
      }
    }
    finish();
  }

  /// Each member starts with its own columns of chunks at `place` and ends with those of all.
  void all_gather(const Cut& cut, Place place, Owners owners) {
    in_reverse_ = owners == Owners::kInReverse && group_.size != group_.all;
    for (Staged& buffer : staged_) buffer = {};
    Passing passing;
    std::uint32_t turn = 0;
    for (Cursor at(*this, cut, 0); !at.done(); at.advance()) {
      meet();
      if (group_.size == 1) continue;
      const Span span = at.span();
      const bool last = at.step() + 1 == group_.size;
      Cursor next = at;
      next.advance();
      const bool incoming = !last && next.span().bytes != 0;
      if (at.step() == 0) {
        Staged& mine = staged_[turn];
        std::uint8_t* const data = memory_.staging[turn];
        if (span.bytes != 0) {
          transport_.send_wait(mine.sent);
          transport_.dma_wait(transport_.dma_read_async(data, place.of(span), span.bytes));
          turn = (turn + 1) % kStaging;
        }
        link_.pass(mine.sent, data, span.bytes, incoming);
        continue;
      }
      Passing received;
      const std::uint8_t* slot = nullptr;
      if (span.bytes != 0) {
        received.open = true;
        slot = link_.receive();
        received.written = transport_.dma_write_async(place.of(span), slot, span.bytes);
        release(passing);  // first: all units may be about to wait for a credit
      }
      if (!last) link_.pass(received.sent, slot, span.bytes, incoming);
      if (!received.open) continue;
      passing = received;
      if (barriers_) release(passing);
    }
    release(passing);
    finish();
  }

 private:
  struct Staged {
    Ticket read{};
    Ticket sent{};
    Ticket written{};
  };
  /// A slot that is being stored and forwarded.
  struct Passing {
    bool open = false;
    Ticket sent{};
    Ticket written{};
  };

  std::uint32_t member_before(std::uint32_t steps) const {
    // Up to group_.size steps, and a division takes as long as a message of some bytes.
    const std::uint32_t position = position_ + group_.size - steps;
    return group_.ring[position < group_.size ? position : position - group_.size];
  }

  /// Counts through rows of chunks, slices of a row, steps of a slice. In step s a member handles
  /// the chunk of the member `shift` + s before it.
  class Cursor {
   public:
    Cursor(const Ring& ring, const Cut& cut, std::uint32_t shift)
        : ring_(ring),
          cut_(cut),
          shift_(shift),
          slices_(slices_of(cut.largest() * (ring.in_reverse_ ? ring.repeats_ : 1), kSliceBytes)),
          rows_(slices_ == 0       ? 0
                : ring.in_reverse_ ? 1
                                   : ring.repeats_) {}

    bool done() const { return row_ >= rows_; }
    std::uint32_t step() const { return step_; }
    Span span() const {
      const std::uint32_t member = ring_.member_before(shift_ + step_);
      const Group& group = ring_.group_;
      const Span whole =
          ring_.in_reverse_
              ? cut_.chunks(group.first_in_reverse(member, ring_.repeats_), ring_.repeats_)
              : cut_.chunk(ring_.first_column_ + group.stride * (member + group.size * row_));
      return slice_of(whole, slice_, kSliceBytes);
    }
    void advance() {
      if (++step_ < ring_.group_.size) return;
      step_ = 0;
      if (++slice_ < slices_) return;
      slice_ = 0;
      ++row_;
    }

   private:
    const Ring& ring_;
    const Cut& cut_;
    std::uint32_t shift_;
    std::uint32_t slices_;
    std::uint32_t rows_;
    std::uint32_t row_ = 0;
    std::uint32_t slice_ = 0;
    std::uint32_t step_ = 0;
  };

  void prefetch(const Cursor& next, Place from, std::uint32_t turn) {
    if (next.done()) return;
    const Span span = next.span();
    if (span.bytes == 0) return;
    Staged& buffer = staged_[turn];
    transport_.send_wait(buffer.sent);
    transport_.dma_wait(buffer.written);
    buffer.read = transport_.dma_read_async(memory_.staging[turn], from.of(span), span.bytes);
  }

  void release(Passing& passing) {
    if (!passing.open) return;
    transport_.send_wait(passing.sent);
    transport_.dma_wait(passing.written);
    link_.release();
    passing.open = false;
  }

  /// Waits before a step until all units have read the message of two steps ago.
  void meet() {
    if (barriers_) transport_.barrier();
  }

  void finish() {
    for (Staged& buffer : staged_) {
      transport_.send_wait(buffer.sent);
      transport_.dma_wait(buffer.written);
    }
  }

  Transport& transport_;
  Memory& memory_;
  Link<Transport> link_;
  bool barriers_;
  bool in_reverse_ = false;  ///< the owners of chunks are kInReverse
  Group group_;
  std::uint32_t position_ = 0;
  std::uint32_t repeats_ = 1;
  std::uint32_t first_column_ = 0;  ///< rank of member 0 in the first row
  Staged staged_[kStaging];
};

}  // namespace tvp::firmware::collectives
