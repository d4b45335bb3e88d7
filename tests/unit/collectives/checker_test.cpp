// The checker must refuse wrong schedules: handwritten ones, and thousands of random ones.
#include "sw/collectives/schedule/checker.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/program_builder.h"
#include "tests/unit/collectives/numeric_oracle.h"

namespace tvp::collectives {
namespace {

void expect_problem(const Schedule& schedule, ProblemKind kind, const std::string& text) {
  const Verdict verdict = Checker(schedule).run();
  ASSERT_FALSE(verdict.right()) << text;
  EXPECT_EQ(verdict.problems[0].kind, kind) << verdict.text();
  EXPECT_NE(verdict.text().find(text), std::string::npos) << verdict.text();
}

Schedule ring(std::uint32_t ranks) {
  ScheduleRequest request;
  request.ranks = ranks;
  return algorithm_named("ring").schedule(request);
}

TEST(Checker, NamesWhatIsNotThere) {
  Schedule schedule = ring(4);
  schedule.ranks[1].lanes[0].steps[0].to = 9;
  expect_problem(schedule, ProblemKind::kShape,
                 "rank 1 lane 0 step 0 (send input[0] to rank 9): rank 9 does not exist");
  schedule = ring(4);
  schedule.ranks[1].lanes[0].steps[3].destination.index = 4;
  expect_problem(schedule, ProblemKind::kShape, "destination ends at chunk 5 of a memory of 4");
  schedule = ring(4);
  schedule.ranks[2].lanes[0].steps[0].to = 2;
  expect_problem(schedule, ProblemKind::kShape, "a message to itself");
  schedule = ring(4);
  schedule.ranks[2].lanes[0].steps[0].after.push_back({3, 0});
  expect_problem(schedule, ProblemKind::kShape, "depends on lane 3 step 0");
  schedule = ring(4);
  schedule.root = 4;
  expect_problem(schedule, ProblemKind::kShape, "root 4: expected a rank below 4");
}

TEST(Checker, SetsOfLanesShareNothing) {
  ScheduleRequest request;
  request.ranks = 4;
  request.tiers = {{2}, {2}};
  const Schedule torus = algorithm_named("torus").schedule(request);
  ASSERT_EQ(torus.lane_sets, 4U);
  EXPECT_TRUE(Checker(torus).run().right());

  Schedule schedule = torus;
  schedule.ranks[1].lanes[2].steps[0].after.push_back({1, 0});
  expect_problem(schedule, ProblemKind::kShape,
                 "depends on lane 1 of set 1: expected a lane of its own set 2");
  // Lanes 0 and 4 of a part send and receive. With three sets, set 1 has lane 4.
  schedule = torus;
  schedule.lane_sets = 3;
  expect_problem(schedule, ProblemKind::kShape, "expected a lane of its own set");
  schedule = ring(4);
  schedule.ranks[2].lanes.insert(schedule.ranks[2].lanes.begin(), Lane{});
  schedule.lane_sets = 2;
  expect_problem(schedule, ProblemKind::kCounts,
                 "which is in another set of lanes: expected a connection of its own");
  schedule.lane_sets = 0;
  expect_problem(schedule, ProblemKind::kShape, "0 sets of lanes: expected 1 or more");
}

/// Rank 0 sends its two inputs to rank 1, which swaps them in scratch memory.
Schedule swapped() {
  ProgramBuilder builder(Primitive::kCustom, 2, 1);
  builder.at(0).send(1, input(0), 2);
  builder.at(1).receive(0, scratch(0), 2).copy(scratch(0), output(1)).copy(scratch(1), output(0));
  Schedule made = builder.finish("swapped");
  made.custom_inputs = 2;
  made.custom_outputs = 2;
  return made;
}

TEST(Checker, ACustomScheduleNeedsNoResultButSense) {
  const Verdict verdict = Checker(swapped()).run();
  EXPECT_TRUE(verdict.right()) << verdict.text();
  Schedule schedule = swapped();
  schedule.ranks[1].lanes[0].steps.pop_back();
  expect_problem(schedule, ProblemKind::kUnread,
                 "rank 1 lane 0 step 0 (receive scratch[0..1] from rank 0): writes scratch[1], "
                 "which no step reads");
  schedule = swapped();
  schedule.ranks[1].lanes[0].steps[1].source.index = 1;
  schedule.ranks[1].lanes[0].steps[0].count = 1;
  schedule.ranks[0].lanes[0].steps[0].count = 1;
  expect_problem(schedule, ProblemKind::kUnread,
                 "reads scratch[1], which no step before it has written");
  schedule = swapped();
  schedule.ranks[1].lanes[0].steps[2].destination.index = 1;
  expect_problem(schedule, ProblemKind::kUnread,
                 "overwrites output[1] of rank 1 lane 0 step 1, which no step has read");
  schedule = swapped();
  schedule.ranks[1].lanes.push_back({{schedule.ranks[1].lanes[0].steps[1]}});
  expect_problem(schedule, ProblemKind::kRace, "expected a dependency between them");
  schedule = swapped();
  schedule.ranks[0].lanes[0].steps.insert(
      schedule.ranks[0].lanes[0].steps.begin(),
      {.kind = StepKind::kReceive, .destination = output(0), .from = 1});
  schedule.ranks[1].lanes[0].steps.push_back(
      {.kind = StepKind::kSend, .source = output(0), .to = 0});
  expect_problem(schedule, ProblemKind::kDeadlock, "waits for a message from rank 1");
}

TEST(Checker, NamesCirclesInARank) {
  Schedule schedule = ring(4);
  schedule.ranks[2].lanes[0].steps[1].after.push_back({0, 5});
  expect_problem(schedule, ProblemKind::kOrder, "rank 2 lane 0 step 1");
}

TEST(Checker, NamesMessagesThatDoNotMatch) {
  Schedule schedule = ring(4);
  schedule.ranks[3].lanes[0].steps.pop_back();
  expect_problem(schedule, ProblemKind::kCounts, "rank 3 receives 5 of 6 messages");
  ProgramBuilder builder(Primitive::kBroadcast, 2, 2);
  builder.at(0).send(1, input(0), 2).copy(input(0), output(0), 2);
  builder.at(1).receive(0, output(0)).receive(0, output(1));
  expect_problem(builder.finish("x"), ProblemKind::kCounts, "expects 1 chunks, but rank 0 lane 0");
}

TEST(Symbol, NamesRanksUpToADozen) {
  Symbol sum = Symbol::contribution(1, 5);
  EXPECT_EQ(sum.text(), "input chunk 5 of rank 1");
  for (const std::uint32_t rank : {63U, 64U, 130U}) sum.add_contributor(rank);
  EXPECT_EQ(sum.text(), "input chunk 5 of ranks 1, 63, 64, 130");
  for (std::uint32_t rank = 2; rank <= 9; ++rank) sum.add_contributor(rank);
  EXPECT_EQ(sum.text(), "input chunk 5 of ranks 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 130");
  sum.add_contributor(131);
  EXPECT_EQ(sum.text(),
            "input chunk 5 of ranks 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 130, … (13 ranks)");
}

TEST(Checker, NamesLanesThatRace) {
  ScheduleRequest request;
  request.ranks = 4;
  Schedule schedule = algorithm_named("recursive_doubling").schedule(request);
  // The second exchange must wait for the first sum.
  Step& send = schedule.ranks[0].lanes[0].steps[1];
  ASSERT_EQ(send.after.size(), 1U);
  send.after.clear();
  expect_problem(schedule, ProblemKind::kRace, "accesses output[0] like rank 0 lane");
}

TEST(Checker, NamesWhoWaitsForWhom) {
  ProgramBuilder builder(Primitive::kAllToAll, 2, 1);
  for (const std::uint32_t rank : {0U, 1U}) {
    const std::uint32_t other = 1 - rank;
    builder.at(rank).receive(other, output(other)).send(other, input(other));
    builder.at(rank, 1).copy(input(rank), output(rank));
  }
  expect_problem(
      builder.finish("x"), ProblemKind::kDeadlock,
      "deadlock: rank 0 lane 0 step 0 (receive output[1] from rank 1) waits for a message "
      "from rank 1");
}

TEST(Checker, NamesWhatEndsWrong) {
  ProgramBuilder twice(Primitive::kReduce, 2, 1);
  twice.at(0).receive_reduce(1, input(0), output(0)).receive_reduce(1, output(0), output(0));
  twice.at(1).send(0, input(0)).send(0, input(0));
  expect_problem(twice.finish("x"), ProblemKind::kEndState,
                 "rank 0 output[0] ends with input chunk 0 of ranks 1 is in the sum twice");
  ProgramBuilder missing(Primitive::kBroadcast, 2, 2);
  missing.at(0).send(1, input(0)).copy(input(0), output(0), 2);
  missing.at(1).receive(0, output(0));
  expect_problem(missing.finish("x"), ProblemKind::kEndState, "rank 1 output[1] ends with nothing");
  ProgramBuilder early(Primitive::kAllReduce, 2, 1);
  for (const std::uint32_t rank : {0U, 1U})
    early.at(rank)
        .scale(input(0), scratch(0))
        .send(1 - rank, scratch(0))
        .receive(1 - rank, output(0));
  early.set_average(true);
  expect_problem(early.finish("x"), ProblemKind::kEndState, "divided with 1 of 2 contributions");
}

TEST(Checker, TellsStreamsOfASwitchApart) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllGather;
  request.ranks = 4;
  Schedule schedule = algorithm_named("inc").schedule(request);
  for (RankProgram& rank : schedule.ranks)
    for (Lane& lane : rank.lanes)
      for (Step& step : lane.steps) step.channel = 0;
  expect_problem(schedule, ProblemKind::kCounts, "for two sets of contributors or members");
}

// --- By the thousand ------------------------------------------------------------

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  Schedule mutant(const Schedule& right) {
    Schedule made = right;
    RankProgram& rank = made.ranks[below(made.size())];
    if (rank.lanes.empty()) return made;
    Lane& lane = rank.lanes[below(rank.lanes.size())];
    if (lane.steps.empty()) return made;
    const auto lane_number = static_cast<std::uint32_t>(&lane - rank.lanes.data());
    const auto at = static_cast<std::uint32_t>(below(lane.steps.size()));
    switch (below(5)) {
      case 0:
        drop(rank, lane_number, at);
        break;
      case 1:
        std::swap(lane.steps[at], lane.steps[below(lane.steps.size())]);
        break;
      case 2:
        retarget(made, lane.steps[at]);
        break;
      case 3:
        duplicate(rank, lane_number, at);
        break;
      default:
        if (!lane.steps[at].after.empty())
          lane.steps[at].after.erase(lane.steps[at].after.begin());
        else
          retarget(made, lane.steps[at]);
    }
    return made;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  static void drop(RankProgram& rank, std::uint32_t lane, std::uint32_t at) {
    rank.lanes[lane].steps.erase(rank.lanes[lane].steps.begin() + at);
    for (Lane& other : rank.lanes)
      for (Step& step : other.steps) {
        std::erase(step.after, Dependency{lane, at});
        for (Dependency& each : step.after)
          if (each.lane == lane && each.step > at) --each.step;
      }
  }
  static void duplicate(RankProgram& rank, std::uint32_t lane, std::uint32_t at) {
    auto& steps = rank.lanes[lane].steps;
    const Step copy = steps[at];
    steps.insert(steps.begin() + at, copy);
    for (Lane& other : rank.lanes)
      for (Step& step : other.steps)
        for (Dependency& each : step.after)
          if (each.lane == lane && each.step >= at) ++each.step;
  }
  void retarget(const Schedule& schedule, Step& step) {
    switch (below(6)) {
      case 0:
        if (step.to != kNobody) step.to = static_cast<std::uint32_t>(below(schedule.size()));
        break;
      case 1:
        if (step.from != kNobody) step.from = static_cast<std::uint32_t>(below(schedule.size()));
        break;
      case 2:
        step.source.index = static_cast<std::uint32_t>(below(schedule.vector_chunks()));
        break;
      case 3:
        step.destination.index = static_cast<std::uint32_t>(below(schedule.vector_chunks()));
        break;
      case 4:
        if (step.source.memory != Memory::kNone) step.source.memory = static_cast<Memory>(below(3));
        break;
      default:
        if (step.destination.memory != Memory::kNone)
          step.destination.memory = static_cast<Memory>(below(3));
    }
  }

  std::mt19937_64 random_;
};

std::vector<Schedule> seeds_of_mutants() {
  std::vector<Schedule> made;
  for (const auto& algorithm : all_algorithms()) {
    if (algorithm->name() == "inc") continue;  // the oracle has no switch
    for (const Primitive primitive : algorithm->primitives())
      for (const std::uint32_t ranks : {4U, 5U}) {
        ScheduleRequest request;
        request.primitive = primitive;
        request.ranks = ranks;
        request.segments = 2;
        request.average = reduces(primitive) && ranks == 5;
        if (algorithm->refusal(request).empty()) made.push_back(algorithm->schedule(request));
      }
  }
  return made;
}

constexpr std::uint32_t kOrders = 12;  ///< orders of lanes per mutant

bool computes_right(const Schedule& schedule) {
  for (std::uint64_t seed = 0; seed < kOrders; ++seed)
    if (!NumericOracle(schedule, 2, seed).right()) return false;
  return true;
}

TEST(Checker, RefusesEveryWrongMutantOfAThousand) {
  const std::vector<Schedule> seeds = seeds_of_mutants();
  for (const Schedule& seed : seeds) ASSERT_TRUE(computes_right(seed)) << seed.name;
  Mutator mutator(12);
  std::uint32_t wrong = 0;
  std::uint32_t refused = 0;
  std::uint32_t same = 0;
  std::uint32_t right = 0;
  std::uint32_t right_and_accepted = 0;
  for (std::size_t next = 0; wrong < 1000; ++next) {
    const Schedule& seed = seeds[next % seeds.size()];
    const Schedule mutant = mutator.mutant(seed);
    if (mutant == seed) {
      ++same;
      continue;
    }
    const Verdict verdict = Checker(mutant, 2).run();
    if (computes_right(mutant)) {
      ++right;
      right_and_accepted += verdict.right();
      continue;
    }
    ++wrong;
    refused += !verdict.right();
    EXPECT_FALSE(verdict.right()) << seed.name << ", mutant " << next;
  }
  EXPECT_EQ(refused, 1000U);
  // Mutants that compute the same in a valid order must be accepted.
  EXPECT_GT(right_and_accepted, 0U);
  RecordProperty("wrong_refused", static_cast<int>(refused));
  RecordProperty("still_right", static_cast<int>(right));
  RecordProperty("still_right_accepted", static_cast<int>(right_and_accepted));
  std::printf("wrong and refused %u of %u; still right %u, of them accepted %u; unchanged %u\n",
              refused, wrong, right, right_and_accepted, same);
}

}  // namespace
}  // namespace tvp::collectives
