#include "models/support/l1_intake.h"

#include <algorithm>

namespace tvp::support {

/// Makes the intake before `now` final, since a later store cannot hold a bank before.
void L1Intake::drain(Cycle now) {
  // A stream without a gap always has items in transit, so finished ones are erased in blocks.
  constexpr std::size_t kMostOver = 32;
  if (first_ > kMostOver) {
    trains_.erase(trains_.begin(), trains_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  for (; first_ < trains_.size(); ++first_) {
    L1Holders::Stream& left = trains_[first_].left;
    left.begin = std::max(left.begin, free_);
    if (left.begin >= now) return note_first();
    const Cycle before = left.turns();
    if (holders_->held_until() <= left.begin) {
      const Cycle turns = std::min(before, now - left.begin);
      left.pass(static_cast<std::uint32_t>(turns), left.begin + turns);
    } else {
      left.refused = refused_;
      holders_->pass(left, now);
      refused_ = left.refused;
    }
    taken_ += static_cast<std::uint32_t>(before - left.turns());
    free_ = trains_[first_].free();
    if (left.words != 0) return note_first();
  }
  trains_.clear();
  first_ = 0;
  note_first();
}

void L1Intake::note_first() {
  asks_from_ = first_ == trains_.size() ? kNever : std::max(trains_[first_].left.begin, free_);
}

unsigned L1Intake::waiting(unsigned wire) const {
  const Cycle gaps = first_ == trains_.size() ? 0 : trains_[first_].gaps;
  const unsigned in_time = wire + static_cast<unsigned>(gaps);
  const unsigned coming = sent_ - taken_;
  return coming > in_time ? coming - in_time : 0;
}

// While flits wait, no more may come: the NIU holds fewer flits than a train.
unsigned L1Intake::room(Cycle now, unsigned wire) {
  drain(now);
  const unsigned coming = sent_ - taken_;
  return waiting(wire) != 0 ? 0 : kFlits + wire - std::min(coming, wire);
}

Cycle L1Intake::has_room_at(Cycle now, unsigned wire) const {
  const unsigned flits = waiting(wire);
  return flits != 0 ? std::max(now, free_) + flits : now;
}

void L1Intake::send(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps,
                    Cycle gaps_behind) {
  network_announces_ = true;
  comes(word, words, arrives, gaps, gaps_behind);
}

void L1Intake::comes(std::uint32_t word, std::uint32_t words, Cycle arrives, Cycle gaps,
                     Cycle gaps_behind) {
  const L1Holders::Stream stream{.word = word, .words = words, .lanes = lanes_, .begin = arrives};
  trains_.push_back({stream, arrives + stream.turns(), gaps, gaps_behind});
  if (trains_.size() == first_ + 1) note_first();
  sent_ += static_cast<std::uint32_t>(stream.turns());
}

std::uint32_t L1Intake::arrived(Cycle now) const {
  std::uint32_t coming = 0;
  for (std::size_t i = trains_.size(); i > first_ && trains_[i - 1].ends > now; --i) {
    const Cycle left = trains_[i - 1].left.turns();
    coming += static_cast<std::uint32_t>(std::min(left, trains_[i - 1].ends - now));
  }
  return sent_ - coming;
}

Cycle L1Intake::late(std::uint32_t arrived, Cycle now) {
  if (!network_announces_) drain(now);
  auto flits = static_cast<std::int32_t>(arrived - taken_);
  if (flits < 0) return 0;  // those behind have already been taken
  Cycle free = free_;
  std::uint16_t refused = refused_;
  for (std::size_t i = first_; i < trains_.size() && flits > 0; ++i) {
    Train train = trains_[i];
    L1Holders::Stream& left = train.left;
    left.begin = std::max(left.begin, free);
    const std::uint32_t behind =
        left.words - std::min(left.words, static_cast<std::uint32_t>(flits) * lanes_);
    left.words -= behind;
    left.refused = refused;
    flits -= static_cast<std::int32_t>(left.turns());
    if (left.begin < now) holders_->pass(left, now);
    if (left.words != 0) holders_->pass(left, kNever);
    free = behind != 0 ? left.begin : train.free();
    refused = left.refused;
  }
  return free > now ? free - now : 0;
}

}  // namespace tvp::support
