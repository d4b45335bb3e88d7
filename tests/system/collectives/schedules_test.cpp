// Every algorithm of every primitive as a schedule on a system of chips or PIM units, with a
// covering sample of group sizes, types and operations. The full product runs by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/execution/chip_executor.h"
#include "sw/collectives/execution/pim_executor.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {
namespace {

const std::string kSystem = TVP_SYSTEM;
const bool kUnits = kSystem.starts_with("pim");

constexpr Primitive kPrimitives[] = {
    Primitive::kBroadcast,     Primitive::kReduce,    Primitive::kAllReduce,
    Primitive::kReduceScatter, Primitive::kAllGather, Primitive::kAllToAll,
    Primitive::kGather,        Primitive::kScatter,   Primitive::kSendRecv};
const std::vector<std::string> kTypes{"fp32", "int32", "bf16"};
const std::vector<std::string> kOps{"sum", "max", "prod", "min", "avg"};

/// One system per process, which all tests share.
class System {
 public:
  static CollectiveExecutor& executor() {
    static System system;
    return *system.executor_;
  }

 private:
  System() : library_(runtime::DeviceLibrary::open(TVP_LIBRARY)) {
    library_->configure("system=" + kSystem);
    if (kUnits) {
      units_ = std::make_unique<runtime::PimSystem>(*library_);
      executor_ = std::make_unique<PimExecutor>(*units_);
    } else {
      mesh_ = std::make_unique<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
      executor_ = std::make_unique<ChipExecutor>(*mesh_, ChipExecutor::Options{});
    }
  }
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::PimSystem> units_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
  std::unique_ptr<CollectiveExecutor> executor_;
};

/// Requests for which an algorithm is not defined are no failures; `count` counts the others.
void run(const Algorithm& algorithm, Primitive primitive, std::uint32_t ranks, const Demand& demand,
         unsigned& count) {
  ScheduleRequest request;
  request.primitive = primitive;
  request.ranks = ranks;
  request.root = (ranks + 1) / 2 % ranks;
  request.peer = (request.root + 1) % ranks;
  request.order = System::executor().ring(ranks);
  request.average = demand.redop == "avg" && reduces(primitive);
  Schedule schedule;
  try {
    schedule = algorithm.schedule(request);
  } catch (const foundation::Fault&) {
    return;
  }
  ++count;
  require_right(schedule);
  const CollectiveExecutor::Outcome outcome = System::executor().run(schedule, demand);
  EXPECT_EQ(outcome.reason, "") << schedule.name << " of " << demand.bytes << " bytes, "
                                << demand.type << " " << demand.redop;
  EXPECT_EQ(outcome.wrong, 0U);
  EXPECT_GT(outcome.time_ns(), 0);
}

bool does(const Algorithm& algorithm, Primitive primitive) {
  const auto primitives = algorithm.primitives();
  return std::ranges::find(primitives, primitive) != primitives.end();
}

void run_all(bool whole_product) {
  const std::vector<std::uint32_t> sizes =
      kUnits ? std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8, 16, 32}
             : std::vector<std::uint32_t>{2, 3, 4, 5, 6, 7, 8};
  unsigned count = 0;
  unsigned turn = 0;
  for (const auto& algorithm : all_algorithms()) {
    if (algorithm->name() == "inc") continue;  // needs a switch that combines
    for (const Primitive primitive : kPrimitives) {
      if (!does(*algorithm, primitive)) continue;
      for (const std::uint32_t ranks : sizes) {
        if (ranks > System::executor().ranks()) continue;
        for (std::size_t i = 0; i < kTypes.size() * kOps.size(); ++i) {
          const std::size_t pick = whole_product ? i : turn++ * 7 % 15;
          Demand demand{.where = "test",
                        .bytes = 8000 + 96 * ranks,
                        .type = kTypes[pick % 3],
                        .redop = kOps[pick / 3],
                        .seed = ranks};
          run(*algorithm, primitive, ranks, demand, count);
          if (!whole_product) break;
        }
      }
    }
  }
  EXPECT_GT(count, 50U);
  testing::Test::RecordProperty("schedules", static_cast<int>(count));
}

TEST(Schedules, OfEveryAlgorithmRunRight) { run_all(false); }
TEST(Schedules, DISABLED_FullProduct) { run_all(true); }

/// Ranks are no neighbors, and slices exceed a packet of the fabric.
TEST(Schedules, SlicesOfSeveralPackets) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllToAll;
  request.ranks = std::min(8U, System::executor().ranks());
  const CollectiveExecutor::Outcome outcome = System::executor().run(
      algorithm_named("pairwise").schedule(request),
      {.where = "test", .bytes = 400'000, .type = "int32", .redop = "sum", .seed = 5});
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.wrong, 0U);
  if (!kUnits) {
    EXPECT_GT(outcome.slice_bytes, 4096U);
  }
}

/// Segments in both directions on separate channels, with chunks that need several rounds or
/// packets.
TEST(Schedules, LongRingsInBothDirections) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllReduce;
  request.ranks = std::min(8U, System::executor().ranks());
  request.segments = 2;
  request.channels = 2;
  request.both_ways = true;
  request.order = System::executor().ring(request.ranks);
  const Schedule schedule = algorithm_named("ring").schedule(request);
  const CollectiveExecutor::Outcome outcome = System::executor().run(
      schedule, {.where = "test", .bytes = 400'000, .type = "int32", .redop = "max", .seed = 3});
  EXPECT_EQ(outcome.reason, "");
  // Both directions carry the same: each rank sends 2 (N - 1) / N of the vector.
  std::uint64_t sent = 0;
  for (const CollectiveExecutor::Traffic& traffic : outcome.traffic)
    if (traffic.from == 0) sent += traffic.bytes;
  const double ranks = request.ranks;
  EXPECT_NEAR(static_cast<double>(sent), 2 * (ranks - 1) / ranks * 400'000, 4000);
  EXPECT_EQ(outcome.rounds > 1, kUnits);
}

/// The comparison must detect a wrong element.
TEST(Schedules, AResultThatIsNotTheGoldenOneIsNamed) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllReduce;
  request.ranks = 2;
  Schedule schedule = algorithm_named("ring").schedule(request);
  schedule.primitive =
      Primitive::kBroadcast;  // rank 0's input is the expected result now, so the sum is wrong
  const CollectiveExecutor::Outcome outcome = System::executor().run(
      schedule, {.where = "test", .bytes = 1024, .type = "int32", .redop = "sum", .seed = 1});
  EXPECT_NE(outcome.reason.find("rank 0: "), std::string::npos) << outcome.reason;
  EXPECT_GT(outcome.wrong, 400U);
}

/// Rank 1 waits for a message that no rank sends. The report names the step of each rank.
TEST(Schedules, AHangNamesRankAndStep) {
  ScheduleRequest request;
  request.primitive = Primitive::kAllReduce;
  request.ranks = 2;
  Schedule schedule = algorithm_named("ring").schedule(request);
  std::vector<Step>& steps = schedule.ranks[0].lanes[0].steps;
  ASSERT_EQ(steps[0].kind, StepKind::kSend);
  steps[0].kind = StepKind::kNothing;
  steps[0].to = kNobody;
  try {
    System::executor().run(
        schedule, {.where = "test", .bytes = 1024, .type = "int32", .redop = "sum", .seed = 1});
    FAIL() << "no hang";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    if (kUnits) {  // the host cannot read their memory while they run
      EXPECT_NE(text.find("all_reduce ring N=2 stands still:"), std::string::npos) << text;
      EXPECT_NE(text.find("unit 1 ("), std::string::npos) << text;
      return;
    }
    const std::string ranks = text.substr(std::min(text.size(), text.find("all_reduce ring N=2")));
    const std::string first = ranks.substr(0, ranks.find(')'));
    EXPECT_NE(first.find("all_reduce ring N=2 stands still:\n  rank 1"), std::string::npos) << text;
    EXPECT_NE(first.find("lane 0, step"), std::string::npos) << text;
    EXPECT_NE(first.find("from rank 0"), std::string::npos) << text;
    EXPECT_NE(text.find("in over ethernet channel 0 of device 0"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tvp::collectives
