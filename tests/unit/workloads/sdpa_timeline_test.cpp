#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sw/workloads/sdpa/timeline.h"

namespace tvp::workloads::sdpa {
namespace {

namespace kernel = kernels::sdpa;

TEST(SdpaTimeline, PhasesRunFromTheFirstCoreToTheLast) {
  Timeline timeline(4, 2);
  for (unsigned device = 0; device < 4; ++device) {
    for (unsigned worker = 0; worker < 2; ++worker) {
      Timeline::Stamps& stamps = timeline.at(device, worker);
      const std::uint32_t late = 10 * device + worker;
      stamps[kernel::kReaderStart] = 100;
      stamps[kernel::kWriterStart] = 90;
      stamps[kernel::kForwardConnected] = 500 + late;
      stamps[kernel::kRound1Sent] = 600 + late;
      stamps[kernel::kRound1Arrived] = 2000 + late;
      stamps[kernel::kRound1Statistics] = 2400 + late;
      stamps[kernel::kRound1Computed] = 3000 + late;
      stamps[kernel::kBackwardReady] = 800;
      stamps[kernel::kBackwardConnected] = 900;
      stamps[kernel::kRound2Sent] = 3100 + late;
      stamps[kernel::kRound2Arrived] = 5000 + late;
      stamps[kernel::kRound2Computed] = 6000;
      stamps[kernel::kNormalized] = 6500;
      stamps[kernel::kDisconnected] = 7000;
    }
  }
  std::map<std::string, Phase> phases;
  for (const Phase& phase : timeline.phases()) phases[phase.name] = phase;
  EXPECT_EQ(phases["round 1 fabric"].begin_ns, 500);
  EXPECT_EQ(phases["round 1 fabric"].end_ns, 2031);
  EXPECT_EQ(phases["round 1 compute"].begin_ns, 2000);
  EXPECT_EQ(phases["round 1 compute"].end_ns, 3031);
  EXPECT_EQ(phases["round 2 fabric"].begin_ns, 3000);
  EXPECT_EQ(phases["round 2 compute"].end_ns, 6000);
  EXPECT_EQ(phases["normalization"].begin_ns, 6000);
  EXPECT_EQ(phases["whole"].begin_ns, 90);
  EXPECT_EQ(phases["whole"].end_ns, 7000);

  std::map<std::string, double> metrics;
  for (const Metric& metric : timeline.metrics()) metrics[metric.name] = metric.value;
  EXPECT_EQ(metrics["round 1 compute, mean"], 1000);
  EXPECT_EQ(metrics["round 1 statistics, longest"], 400);
  EXPECT_EQ(metrics["round 1 fabric, shortest"], 1490);  // from device 1 to device 0
  EXPECT_EQ(metrics["round 1 fabric, longest"], 1510);   // from device 0 to device 1
  EXPECT_EQ(metrics["normalization, estimate"], 800);
}

TEST(SdpaTimeline, RemarksOnlyWhatDiffersFromItsEstimate) {
  Timeline timeline(4, 1);
  for (unsigned device = 0; device < 4; ++device) {
    Timeline::Stamps& stamps = timeline.at(device, 0);
    stamps[kernel::kForwardConnected] = 1000;
    stamps[kernel::kRound1Arrived] = 3200;   // a tenth more than 2000
    stamps[kernel::kRound1Computed] = 4200;  // half of 2000
    stamps[kernel::kRound2Arrived] = 6200;
    stamps[kernel::kRound2Computed] = 8000;
    stamps[kernel::kNormalized] = 8800;
  }
  const std::vector<std::string> remarks = timeline.remarks();
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].rfind("round 1 compute: 1000 ns, estimated 2000 ns: ", 0), 0u);
}

// The shortest packet matches the estimate, the mean does not: four packets share a link.
TEST(SdpaTimeline, RemarksSayHowMuchOfTheFabricIsQueueing) {
  Timeline timeline(4, 4);
  for (unsigned device = 0; device < 4; ++device) {
    for (unsigned worker = 0; worker < 4; ++worker) {
      Timeline::Stamps& stamps = timeline.at(device, worker);
      stamps[kernel::kForwardConnected] = 1000;
      stamps[kernel::kRound1Arrived] = 3000 + 600 * worker;
      stamps[kernel::kRound1Computed] = 5000 + 600 * worker;
      stamps[kernel::kRound2Arrived] = 7000 + 600 * worker;
      stamps[kernel::kRound2Computed] = 9000 + 600 * worker;
      stamps[kernel::kNormalized] = 9800 + 600 * worker;
    }
  }
  const std::vector<std::string> remarks = timeline.remarks();
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].rfind("round 1 fabric: 2900 ns, estimated 2000 ns: 900 ns (31 %) are "
                             "queueing",
                             0),
            0u)
      << remarks[0];
  EXPECT_NE(remarks[0].find("the shortest takes 2000 ns"), std::string::npos) << remarks[0];
  std::map<std::string, double> metrics;
  for (const Metric& metric : timeline.metrics()) metrics[metric.name] = metric.value;
  EXPECT_EQ(metrics.at("round 1 fabric, queueing"), 900);
  EXPECT_EQ(metrics.at("round 2 fabric, queueing"), 0);
  EXPECT_EQ(metrics.count("round 1 compute, queueing"), 0u);
}

TEST(SdpaTimeline, HasThePhasesOfEveryRound) {
  for (const unsigned devices : {2u, 4u, 8u, 32u}) {
    SCOPED_TRACE(devices);
    Timeline timeline(devices, 1);
    const unsigned rounds = kernel::rounds_of(devices);
    for (unsigned device = 0; device < devices; ++device) {
      Timeline::Stamps& stamps = timeline.at(device, 0);
      for (std::size_t i = 0; i < stamps.size(); ++i)
        stamps[i] = static_cast<std::uint32_t>(1000 + i);
      stamps[kernel::kNormalized] = 5000;
      for (unsigned round = 3; round <= rounds; ++round) {
        stamps[kernel::later_stamp(round, kernel::kLaterArrived)] = 1000 * round + device;
        stamps[kernel::later_stamp(round, kernel::kLaterComputed)] = 1000 * round + 500 + device;
      }
    }
    std::map<std::string, Phase> phases;
    for (const Phase& phase : timeline.phases()) phases[phase.name] = phase;
    EXPECT_EQ(phases.size(), 2 * rounds + 4);
    for (unsigned round = 3; round <= rounds; ++round) {
      const std::string name = "round " + std::to_string(round) + " compute";
      EXPECT_EQ(phases.at(name).begin_ns, 1000 * round);
      EXPECT_EQ(phases.at(name).end_ns, 1000 * round + 500 + devices - 1);
    }
    if (rounds < 4) continue;
    // A partner's packet leaves when the partner has its own result.
    EXPECT_EQ(phases.at("round 4 fabric").begin_ns, 3500);
    EXPECT_EQ(phases.at("normalization").begin_ns, 1000 * rounds + 500);
  }
}

}  // namespace
}  // namespace tvp::workloads::sdpa
