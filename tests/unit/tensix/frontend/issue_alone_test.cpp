// A thread that has the coprocessor to itself runs through cycles in which the other threads are
// not checked, and executes a REPLAY in a loop. The results must equal those of checking all
// threads in every cycle.

#include <random>

#include "models/support/tile_scheduler.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace issue_alone_test {
namespace {

using Seen = FakeUnit::Seen;

/// Accesses the coprocessor in every cycle, so that each waiting thread is tried in each.
class Prodder : public support::Agent {
 public:
  Prodder(Bench& bench, Cycle end) : bench_(bench), end_(end) { set_next(0); }
  void run() override {
    while (may_act(next())) {
      bench_.coprocessor.issue().touched(next(), order());
      set_next(next() + 1 < end_ ? next() + 1 : kNever);
    }
  }

 private:
  Bench& bench_;
  Cycle end_;
};

constexpr Cycle kEnd = 4000;

struct Outcome {
  std::vector<Seen> marks;
  std::vector<Cycle> banks;  ///< owner of each bank, and cycle from which on
  std::vector<std::uint16_t> dst;
  std::vector<VectorUnit::Lanes> lregs;
  std::vector<std::uint64_t> issued;
  std::array<bool, 3> idle;
  std::uint64_t active_cycles;
  bool operator==(const Outcome&) const = default;
};

/// The coprocessor uses its own units except for packers, which record the ends of waits.
Outcome outcome_of(Bench& bench) {
  Outcome outcome;
  outcome.marks = bench.packers.seen;
  const RegisterFiles& registers = bench.coprocessor.state().registers;
  for (const SrcFile* file : {&registers.srca, &registers.srcb}) {
    for (const SrcBank& bank : file->bank) {
      outcome.banks.push_back(static_cast<Cycle>(bank.allowed_client));
      outcome.banks.push_back(bank.allowed_from);
    }
    outcome.banks.push_back(file->matrix_bank);
  }
  for (unsigned row = 0; row < 64; ++row) {
    const Dst::Row& cells = registers.dst.storage(row);
    outcome.dst.insert(outcome.dst.end(), cells.begin(), cells.end());
  }
  for (unsigned i = 0; i < 8; ++i) {
    outcome.lregs.push_back(bench.coprocessor.backend().vector().lreg(i));
  }
  for (unsigned t = 0; t < 3; ++t) {
    outcome.issued.push_back(bench.coprocessor.issue().counters().issued(t));
    outcome.idle[t] = bench.coprocessor.thread_idle(t);
  }
  outcome.active_cycles = bench.coprocessor.issue().counters().active_cycles();
  return outcome;
}

enum class How { kFree, kLockstep, kProdded };

template <typename Program>
Outcome run(Program program, How how) {
  Bench bench("alone", Units::kReal);
  bench.coprocessor.backend().attach(Unit::kPackers, bench.packers);
  Prodder prodder(bench, kEnd);
  if (how == How::kProdded) bench.scheduler.add(prodder);
  program(bench);
  bench.run(kEnd, how == How::kLockstep);
  return outcome_of(bench);
}

template <typename Program>
Outcome expect_any_way(Program program) {
  Outcome free = run(program, How::kFree);
  Outcome prodded = run(program, How::kProdded);
  EXPECT_GE(prodded.active_cycles, free.active_cycles);
  prodded.active_cycles = free.active_cycles;  // it is checked more often
  EXPECT_TRUE(free == prodded);
  EXPECT_TRUE(free == run(program, How::kLockstep));
  return free;
}

std::uint32_t stall(unsigned condition) {
  return op::encode_stallwait(kBlockPack, 1U << condition);
}
std::uint32_t multiply(unsigned flip_b, unsigned flip_a, unsigned row) {
  return op::encode_mvmul(flip_b, flip_a, 0, 0, row);
}
std::uint32_t flip_by_setrwc(unsigned flip_b, unsigned flip_a) {
  return op::encode_setrwc(flip_b, flip_a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/// An instruction within a REPLAY returns a bank, while another thread waits for that bank.
TEST(IssueAlone, ABankThatAReplayGivesBackWakesWhoWaitsForIt) {
  using enum WaitGate::Condition;
  struct Case {
    std::uint32_t gives;
    unsigned waits;
  };
  for (const Case& each :
       {Case{multiply(0, 1, 0), kSrcAForUnpacker}, Case{multiply(1, 0, 0), kSrcBForUnpacker},
        Case{flip_by_setrwc(0, 1), kSrcAForUnpacker}, Case{flip_by_setrwc(1, 0), kSrcBForUnpacker},
        Case{op::encode_cleardvalid(0, 1, 0, 0), kSrcAForUnpacker},
        Case{op::encode_cleardvalid(1, 0, 0, 0), kSrcBForUnpacker},
        Case{op::encode_cleardvalid(0, 0, 0, 1), kSrcAForUnpacker}}) {
    const auto program = [&each](Bench& bench) {
      std::vector<std::uint32_t> recorded{op::encode_replay(0, 20, 0, 1)};
      for (unsigned i = 0; i < 20; ++i)
        recorded.push_back(i == 12 ? each.gives : multiply(0, 0, 8 * (i % 8)));
      bench.push(1, 0, recorded);
      // Both banks of both files belong to the matrix unit; then T0 waits for one of them.
      bench.push(
          0, 0,
          {op::encode_setdvalid(1, 1), op::encode_setdvalid(1, 1), stall(each.waits), pacr(1)});
      bench.push(1, 100, {op::encode_replay(0, 20, 0, 0)});
    };
    SCOPED_TRACE(each.gives);
    const Outcome outcome = expect_any_way(program);
    ASSERT_EQ(outcome.marks.size(), 1U);
    EXPECT_GT(outcome.marks[0].when, 112U);
    EXPECT_LT(outcome.marks[0].when, 120U) << "before the REPLAY has ended";
  }
}

/// Vector instructions that use no late result.
std::uint32_t random_vectors(std::mt19937& generator) {
  const auto below = [&generator](std::uint32_t n) {
    return static_cast<std::uint32_t>(generator() % n);
  };
  switch (below(6)) {
    case 0:
      return op::encode_sfploadi(below(4), 0, below(65536));
    case 1:
      return op::encode_sfpmov(below(4), below(4), below(2));
    case 2:
      return op::encode_sfpmad(below(4), below(4), below(4), 7, 0);
    case 3:
      return sfpnop();
    case 4:
      return op::encode_sfpswap(below(4), below(4), below(10));
    default:
      return op::encode_sfpand(below(4), below(4));
  }
}

/// The same, and instructions of the matrix unit.
std::uint32_t random_work(std::mt19937& generator) {
  const auto below = [&generator](std::uint32_t n) {
    return static_cast<std::uint32_t>(generator() % n);
  };
  const unsigned flips = below(8) == 0 ? below(4) : 0;
  switch (below(10)) {
    case 0:
    case 1:
      return multiply(flips >> 1, flips & 1, 8 * below(4));
    case 2:
      return op::encode_elwadd(flips >> 1, flips & 1, 1, 0, 0, 0, 8 * below(4));
    case 3:
      return flip_by_setrwc(flips >> 1, flips & 1);
    case 4:
      return op::encode_cleardvalid(flips >> 1, flips & 1, 0, 0);
    default:
      return random_vectors(generator);
  }
}

/// T1 works, mostly by REPLAY. T0 passes banks and marks ends of waits. T2 marks when T1's
/// pipelines are idle, which only T2 needs.
TEST(IssueAlone, RandomProgramsDoTheSameHoweverOftenTheOthersAreLookedAt) {
  std::size_t marks = 0;
  std::uint64_t worked = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const auto program = [seed](Bench& bench) {
      std::mt19937 generator(seed);
      const auto below = [&generator](std::uint32_t n) {
        return static_cast<std::uint32_t>(generator() % n);
      };
      std::vector<std::uint32_t> work{op::encode_replay(0, 32, below(2), 1)};
      for (unsigned i = 0; i < 32; ++i) work.push_back(random_work(generator));
      for (unsigned i = 0; i < 40; ++i) {
        const std::uint32_t first = below(32);
        const std::uint32_t count = 4 + below(28);
        work.push_back(below(2) != 0 ? op::encode_replay(first, count, 0, 0)
                                     : random_work(generator));
        const unsigned own = below(2) != 0 ? WaitGate::kLastPipeline : WaitGate::kVectorPipeline;
        if (below(6) == 0) work.push_back(op::encode_stallwait(kBlockMatrix, 1U << own));
      }
      bench.push(1, 0, work);
      for (const unsigned t : {0U, 2U}) {
        Cycle when = 0;
        for (unsigned i = 0; i < 30; ++i) {
          when += below(60);
          const std::uint32_t gives = below(4);
          bench.push(t, when,
                     {op::encode_setdvalid(gives >> 1, gives & 1),
                      stall(WaitGate::kSrcAForUnpacker + below(4)), pacr(1 + t)});
        }
      }
    };
    const Outcome outcome = expect_any_way(program);
    marks += outcome.marks.size();
    worked += outcome.issued[1];
  }
  EXPECT_GT(marks, 200U) << "waits must end";
  EXPECT_GT(worked, 2000U) << "work must be done";
}

// Other threads act at known times, for example when their unit is free. A REPLAY runs up to that
// time and no further.
TEST(IssueAlone, AnotherThreadsTimeComesInTheMiddleOfAReplay) {
  for (unsigned seed = 1201; seed < 1231; ++seed) {
    SCOPED_TRACE(seed);
    const auto program = [seed](Bench& bench) {
      std::mt19937 generator(seed);
      const auto below = [&generator](std::uint32_t n) {
        return static_cast<std::uint32_t>(generator() % n);
      };
      bench.packers.occupancy = 2 + below(40);
      bench.packers.latency = bench.packers.occupancy + below(3);
      std::vector<std::uint32_t> work{op::encode_replay(0, 32, 0, 1)};
      for (unsigned i = 0; i < 32; ++i)
        work.push_back(below(3) == 0 ? multiply(0, 0, 8 * below(4)) : random_vectors(generator));
      bench.push(0, 0, {op::encode_setdvalid(1, 1)});
      bench.push(1, 0, work);
      std::vector<std::uint32_t> replays;
      for (unsigned i = 0; i < 12; ++i) {
        const std::uint32_t first = below(16);
        replays.push_back(op::encode_replay(first, 4 + below(28 - first), 0, 0));
      }
      bench.push(1, 200, replays);
      for (const unsigned t : {0U, 2U}) {
        std::vector<std::uint32_t> marks;
        for (unsigned i = 0; i < 5; ++i) marks.push_back(pacr(1 + t));
        bench.push(t, 190 + below(20), marks);
      }
    };
    const Outcome outcome = expect_any_way(program);
    EXPECT_EQ(outcome.marks.size(), 10U);
    EXPECT_TRUE(outcome.idle[1]);
  }
}

// The gate fills up while SFPSWAP takes its second cycle, and later words move on.
TEST(IssueAlone, WhatIsQueuedMovesOnAsWhenEachCycleIsLookedAt) {
  std::size_t different = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<unsigned> queued;
    const auto program = [&queued, seed](Bench& bench) {
      queued.clear();
      std::mt19937 generator(seed);
      const auto below = [&generator](std::uint32_t n) {
        return static_cast<std::uint32_t>(generator() % n);
      };
      // All queued instructions are complete before the first SFPSWAP.
      std::vector<std::uint32_t> work{op::encode_replay(0, 20, 0, 1)};
      for (unsigned i = 0; i < 20; ++i)
        work.push_back(i < 10 ? sfpnop() : random_vectors(generator));
      bench.push(1, 0, work);
      std::vector<std::uint32_t> replays;
      for (unsigned i = 0; i < 4; ++i) replays.push_back(op::encode_replay(0, 12 + below(9), 0, 0));
      bench.push(1, 100, replays);
      for (unsigned i = 0; i < 4; ++i) {
        bench.at(2, 105 + below(60), [&](Cycle) {
          const Frontend& frontend = bench.coprocessor.issue().threads()[1].frontend;
          queued.push_back(frontend.queued_before_mop() + frontend.queued_before_replay());
        });
      }
    };
    run(program, How::kFree);
    const std::vector<unsigned> seen = queued;
    run(program, How::kLockstep);
    EXPECT_EQ(seen, queued);
    different += queued.front() != queued.back() ? 1U : 0U;
  }
  EXPECT_GT(different, 40U);
}

}  // namespace
}  // namespace issue_alone_test
}  // namespace tvp::tensix::coprocessor::test
