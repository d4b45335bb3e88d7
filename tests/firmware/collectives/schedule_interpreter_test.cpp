// The interpreter over an adversarial transport: the host lowers schedules, and the headers of
// units execute them. The expected results follow from the definition.

#include "firmware/collectives/schedule_interpreter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "firmware/collectives/reductions.h"
#include "firmware/collectives/transport/unit_slices.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/execution/rank_programs.h"
#include "tests/firmware/collectives/unit_system.h"

namespace {

using namespace tvp::collectives;
using tvp::testing::UnitSystem;
namespace binary = tvp::contract::collectives;
namespace firmware = tvp::firmware::collectives;

constexpr std::uint32_t kMemoryBytes = 32 * 1024;  ///< distance of the units' memories in a bank
constexpr std::uint32_t kBankBytes = 3 * kMemoryBytes;

Step send(Place source, std::uint32_t to, std::uint32_t count = 1) {
  return {.kind = StepKind::kSend, .source = source, .count = count, .to = to};
}
Step receive(std::uint32_t from, Place destination, std::uint32_t to = kNobody,
             std::uint32_t count = 1) {
  return {.kind = StepKind::kReceive,
          .destination = destination,
          .count = count,
          .to = to,
          .from = from};
}
Schedule ring_all_reduce(std::uint32_t ranks, std::uint32_t channels = 1) {
  ScheduleRequest request;
  request.ranks = ranks;
  request.segments = channels;
  request.channels = channels;
  request.both_ways = true;
  return algorithm_named("ring").schedule(request);
}

/// Each rank sends to all ranks, through one connection each. The scratch memory and local
/// reductions give the sum of all inputs at every rank.
Schedule pairwise_sum(std::uint32_t ranks) {
  Schedule schedule;
  schedule.name = "pairwise";
  schedule.primitive = Primitive::kAllReduce;
  schedule.share = 2;
  schedule.scratch = 2 * ranks;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    RankProgram program;
    Lane sends;
    Lane sums;
    sums.steps.push_back({.kind = StepKind::kCopy,
                          .source = {Memory::kInput, 0},
                          .destination = {Memory::kOutput, 0},
                          .count = 2});
    for (std::uint32_t i = 1; i < ranks; ++i)
      sends.steps.push_back(send({Memory::kInput, 0}, (r + i) % ranks, 2));
    program.lanes.push_back(sends);
    for (std::uint32_t i = 1; i < ranks; ++i) {
      const std::uint32_t from = (r + ranks - i) % ranks;
      Lane lane;
      lane.steps.push_back(receive(from, {Memory::kScratch, 2 * i}, kNobody, 2));
      program.lanes.push_back(lane);
      Step sum{.kind = StepKind::kReduce,
               .source = {Memory::kScratch, 2 * i},
               .destination = {Memory::kOutput, 0},
               .count = 2};
      sum.after = {{i, 0}};
      sums.steps.push_back(sum);
    }
    program.lanes.push_back(sums);
    schedule.ranks.push_back(program);
  }
  return schedule;
}

struct Trial {
  std::uint32_t chunk_bytes = 64;
  std::uint32_t workers = 1;
  RankLimits limits{};
  bool counted = true;  ///< uses counters of unit channels, otherwise words in the arena
  std::uint64_t seed = 1;
};

/// Sets the addresses of the peers, as the host of a PIM system does.
void join(RankPrograms& programs, std::uint32_t ranks, const Trial& run) {
  for (std::uint32_t r = 0; r < ranks; ++r) {
    RankPrograms::Program& mine = programs.program(r, 0);
    for (std::uint32_t m = 0; m < binary::kMemories; ++m)
      mine.header.memories[m] = m * kMemoryBytes;
    const auto arrivals = [&](const RankPrograms::Program& p, std::uint32_t in) {
      return run.counted ? in : p.header.counts + in * binary::kCountBytes;
    };
    const auto credits = [&](const RankPrograms::Program& p, std::uint32_t out) {
      const std::uint32_t i = p.header.ins + out;
      return run.counted ? i : p.header.counts + i * binary::kCountBytes;
    };
    for (std::uint32_t i = 0; i < mine.header.outs; ++i) {
      const auto& peer = mine.out_peers[i];
      const RankPrograms::Program& other = programs.program(peer.peer, 0);
      mine.outs[i] = {.peer = static_cast<std::uint16_t>(peer.peer),
                      .slots = other.slots_of(peer.index_there),
                      .there = arrivals(other, peer.index_there),
                      .here = credits(mine, i)};
    }
    for (std::uint32_t i = 0; i < mine.header.ins; ++i) {
      const auto& peer = mine.in_peers[i];
      mine.ins[i] = {.peer = static_cast<std::uint16_t>(peer.peer),
                     .slots = mine.slots_of(i),
                     .there = credits(programs.program(peer.peer, 0), peer.index_there),
                     .here = arrivals(mine, i)};
    }
  }
}

/// A connection has fewer slots in flight than a receiver returns at once.
template <typename Slices>
void expect_settled(const Slices& slices, std::uint8_t* arena) {
  const auto& header = *reinterpret_cast<const binary::ProgramHeader*>(arena);
  const auto* const outs =
      reinterpret_cast<const binary::Connection*>(arena + binary::layout_of(header).outs);
  const auto* const states = reinterpret_cast<const binary::OutState*>(arena + header.out_states);
  for (std::uint32_t i = 0; i < header.outs; ++i)
    EXPECT_LT(states[i].slices - slices.returned(outs[i]), header.credit_batch) << i;
}

/// Checks that every rank ends with the int32 sum of all inputs.
void check_sum(const Schedule& schedule, const Trial& run) {
  const std::uint32_t ranks = schedule.size();
  RankPrograms programs(schedule, run.chunk_bytes, {}, run.limits);
  join(programs, ranks, run);
  UnitSystem system(ranks, kBankBytes, run.seed);
  std::mt19937_64 random(run.seed);
  const std::uint32_t words = schedule.share * run.chunk_bytes / 4;
  ASSERT_LE(words * 4, kMemoryBytes);
  std::vector<std::uint32_t> sum(words, 0);
  std::vector<std::vector<std::uint8_t>> arenas;
  std::vector<unsigned> units;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    std::vector<std::uint32_t> input(words);
    for (std::uint32_t i = 0; i < words; ++i)
      sum[i] += input[i] = static_cast<std::uint32_t>(random());
    std::memcpy(system.bank(r).data(), input.data(), 4 * words);
    std::vector<std::uint8_t> arena = programs.program(r, 0).bytes();
    ASSERT_LE(programs.program(r, 0).end, run.limits.memory_bytes);
    // Pointers of the host make the interpreter's own structures larger.
    binary::ProgramHeader header = programs.program(r, 0).header;
    header.lane_runs = programs.program(r, 0).end;
    std::memcpy(arena.data(), &header, sizeof header);
    arena.resize(header.lane_runs + header.lanes * 512, 0);
    arenas.push_back(arena);
    units.push_back(r);
  }
  const std::string failure = system.run(units, [&](UnitSystem::Transport& transport) {
    using Sum = firmware::Reduction<firmware::Op::kSum, std::int32_t>;
    std::vector<std::uint8_t>& arena = arenas[transport.unit()];
    firmware::UnitSlices<Sum, UnitSystem::Transport> slices(
        transport, arena.data(), static_cast<std::uint32_t>(arena.size()));
    firmware::ScheduleInterpreter interpreter(slices, arena.data());
    transport.barrier();
    interpreter.run();
    interpreter.settle();
    expect_settled(slices, arena.data());
  });
  ASSERT_EQ(failure, "");
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint8_t* const output = system.bank(r).data() + kMemoryBytes;
    ASSERT_EQ(std::memcmp(output, sum.data(), 4 * words), 0)
        << "rank " << r << ", seed " << run.seed;
  }
}

TEST(ScheduleInterpreter, ARingOfAnySizeReducesInOneRound) {
  for (std::uint32_t ranks = 2; ranks <= 9; ++ranks)
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      check_sum(ring_all_reduce(ranks), {.chunk_bytes = 200,
                                         .limits = {.memory_bytes = 16384, .largest_slice = 64},
                                         .seed = seed});
}

TEST(ScheduleInterpreter, SlotsThatAreGivenBackTogetherHaveComeBackInTheEnd) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    check_sum(pairwise_sum(5),
              {.chunk_bytes = 200,
               .limits = {.memory_bytes = 32768, .largest_slice = 64, .credit_batch = 2},
               .seed = seed});
}

TEST(ScheduleInterpreter, RingsInBothDirectionsDoNotDisturbEachOther) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    check_sum(
        ring_all_reduce(5, 2),
        {.chunk_bytes = 200, .limits = {.memory_bytes = 16384, .largest_slice = 64}, .seed = seed});
}

/// The messages are longer than the slots of their connection. Without rounds the ring would
/// deadlock.
TEST(ScheduleInterpreter, LongChunksGoInRounds) {
  const Trial run{.chunk_bytes = 2000, .limits = {.memory_bytes = 2560, .largest_slice = 64}};
  const Schedule schedule = ring_all_reduce(5);
  EXPECT_GT(RankPrograms(schedule, run.chunk_bytes, {}, run.limits).rounds(), 2U);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Trial with_seed = run;
    with_seed.seed = seed;
    check_sum(schedule, with_seed);
  }
}

TEST(ScheduleInterpreter, LanesRunSideBySideAndWaitForEachOther) {
  for (std::uint32_t ranks = 2; ranks <= 6; ++ranks)
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      check_sum(pairwise_sum(ranks), {.chunk_bytes = 104,
                                      .limits = {.memory_bytes = 32768, .largest_slice = 64},
                                      .seed = seed});
}

TEST(ScheduleInterpreter, CountsInMemoryServeAsManyConnectionsAsThereAre) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    check_sum(pairwise_sum(12), {.chunk_bytes = 72,
                                 .limits = {.memory_bytes = 65536, .largest_slice = 64},
                                 .counted = false,
                                 .seed = seed});
}

}  // namespace
