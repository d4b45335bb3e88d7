// The arbiter has a shortcut for stores and loads of a lone core. Times of cores and of NIU writes
// must equal those of an arbiter without it.
#include "models/riscv/execute/l1_arbiter.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

namespace tvp::riscv {
namespace {

using support::BusMaster;
using support::Cycle;
using support::kNever;

constexpr unsigned kStoreQueue = 4;
constexpr BusMaster kCoresOfTile[] = {BusMaster::kB, BusMaster::kNc, BusMaster::kT0, BusMaster::kT1,
                                      BusMaster::kT2};

/// A core's state of pending stores.
struct StoreQueue {
  std::vector<Cycle> passing;
  Cycle next = 0;          ///< cycle at which its port takes the next store
  Cycle unlike_until = 0;  ///< the arbiter has other entries in its queue, as in Pipeline

  void forget(Cycle now) {
    std::erase_if(passing, [now](Cycle at) { return at < now; });
  }
};

class LoneCore : public testing::TestWithParam<unsigned> {
 protected:
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::uint32_t address() { return 16 * draw(8) + 0x1000 * draw(2); }

  void store(BusMaster core);
  void load(BusMaster core);
  void write_by_niu();

  std::mt19937 random_{GetParam()};
  L1Arbiter quick_, thorough_;
  std::array<StoreQueue, std::size(kCoresOfTile)> queues_;
  Cycle now_ = 100;
  std::optional<L1Arbiter::Stream> quick_stream_, thorough_stream_;
  unsigned alone_ = 0, together_ = 0;
};

void LoneCore::store(BusMaster core) {
  StoreQueue& queue = queues_[static_cast<unsigned>(core)];
  queue.forget(now_);
  if (queue.passing.size() >= kStoreQueue) now_ = queue.passing.front() + 1;
  queue.forget(now_);
  const std::uint32_t at = address();
  const Cycle earliest = std::max(now_ + 2, queue.next);
  const L1Arbiter::Passing played = thorough_.store(core, at, now_, earliest);
  const Cycle passes = played.at[played.count - 1];
  queue.passing.push_back(passes);
  if (now_ >= queue.unlike_until && quick_.store_alone(core, at, now_, earliest)) {
    ++alone_;
    ASSERT_EQ(passes, earliest) << "at cycle " << now_;
  } else {
    ++together_;
    const L1Arbiter::Passing passing = quick_.store(core, at, now_, earliest);
    ASSERT_EQ(passing.count, played.count);
    for (unsigned i = 0; i < played.count; ++i) ASSERT_EQ(passing.at[i], played.at[i]);
    if (passes != earliest) queue.unlike_until = passes + 2;
  }
  // Stores before it have passed when this one has.
  for (std::size_t i = 0; i < std::min<std::size_t>(played.count, queue.passing.size()); ++i)
    queue.passing[queue.passing.size() - 1 - i] = played.at[played.count - 1 - i];
  queue.next = passes + L1Arbiter::kStoreCycles;
}

void LoneCore::load(BusMaster core) {
  const std::uint32_t at = address();
  const Cycle waits = thorough_.load(core, at, now_);
  if (quick_.load_alone(core, at, now_)) {
    ASSERT_EQ(waits, 0U) << "at cycle " << now_;
  } else {
    ASSERT_EQ(quick_.load(core, at, now_), waits) << "at cycle " << now_;
  }
}

/// A NIU continues or begins a write.
void LoneCore::write_by_niu() {
  if (!quick_stream_) {
    const L1Arbiter::Stream stream{
        .word = draw(16), .words = 1 + draw(60), .lanes = 1 + draw(2), .begin = now_};
    quick_stream_ = thorough_stream_ = stream;
    return;
  }
  L1Arbiter::Stream foreseen = *quick_stream_, played = *thorough_stream_;
  quick_.pass(foreseen, kNever);
  thorough_.pass(played, kNever);
  ASSERT_EQ(foreseen.begin, played.begin) << "foreseen at cycle " << now_;
  quick_.pass(*quick_stream_, now_);
  thorough_.pass(*thorough_stream_, now_);
  ASSERT_EQ(quick_stream_->begin, thorough_stream_->begin) << "at cycle " << now_;
  ASSERT_EQ(quick_stream_->words, thorough_stream_->words) << "at cycle " << now_;
  ASSERT_EQ(quick_.held_until(), thorough_.held_until());
  if (quick_stream_->words == 0) quick_stream_.reset();
}

TEST_P(LoneCore, IsHeldUpLikeAnyAndHoldsUpOthers) {
  BusMaster busy = BusMaster::kB;
  for (unsigned i = 0; i < 4000 && !HasFatalFailure(); ++i) {
    now_ += draw(8) == 0 ? draw(60) : draw(7);
    const unsigned what = draw(64);
    if (what == 0) busy = kCoresOfTile[draw(std::size(kCoresOfTile))];
    const bool is_other = what == 1;
    const BusMaster core = is_other ? kCoresOfTile[draw(std::size(kCoresOfTile))] : busy;
    if (what < 4) {
      write_by_niu();
    } else if (what < 10) {
      load(core);
    } else if (what == 10) {
      const std::uint32_t at = address();
      quick_.note(at, now_ + 1);
      thorough_.note(at, now_ + 1);
    } else {
      store(core);
    }
    if (is_other && !HasFatalFailure()) store(core);
  }
  EXPECT_GT(alone_, 1000U);
  EXPECT_GT(together_, 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LoneCore, testing::Range(0U, 40U));

/// An old store counts as passed only when its core makes the next one.
TEST(L1Arbiter, WhatIsKnownLateHidesNothingThatPassedBehindIt) {
  constexpr std::uint32_t kBank = 16;
  L1Arbiter arbiter;
  arbiter.store(BusMaster::kT1, 8 * kBank, 100, 110);
  for (Cycle at = 681; at <= 696; at += L1Arbiter::kStoreCycles) arbiter.note(4 * kBank, at);
  const L1Arbiter::Stream stream{.word = 4, .words = 4, .lanes = 2, .begin = 681};
  L1Arbiter::Stream before = stream, behind = stream;
  arbiter.pass(before, kNever);
  EXPECT_EQ(before.begin, 688U);
  arbiter.store(BusMaster::kT1, 0, 699, 701);
  arbiter.pass(behind, kNever);
  EXPECT_EQ(behind.begin, before.begin);
}

}  // namespace
}  // namespace tvp::riscv
