// The workload sdpa on the command line: rings of several sizes on whole systems, and flash decode,
// against the golden result and with equal bits on all devices.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

using Ended = test::ReportedRun;

Ended passed(const std::string& arguments) {
  Ended ended = test::run_with_report("run sdpa " + arguments);
  EXPECT_EQ(ended.exit_code, 0) << arguments << "\n" << ended.errors;
  if (ended.report.is_discarded()) return ended;
  EXPECT_EQ(ended.report.at("status"), "passed") << ended.report.at("reason");
  EXPECT_GT(ended.report.at("error").at("max_abs").get<double>(), 0);
  return ended;
}

double metric(const Ended& ended, const std::string& name) {
  return ended.report.at("metrics").at(name).at("value").get<double>();
}

TEST(SdpaRings, TwoDevicesExchangeOnce) {
  const Ended ended = passed("--system pair --set sequence=64,head_dim=96 --seed 5");
  EXPECT_FALSE(ended.report.at("metrics").contains("round 2 compute, mean"));
  EXPECT_GT(metric(ended, "round 1 fabric, shortest"), 500);
}

TEST(SdpaRings, SomeDevicesOfASystemFormARing) {
  passed(R"(--system quad_ring --set 'devices="1,3",sequence=64,head_dim=64')");
  passed(R"(--system quad_ring --set 'devices="3,2,0,1",sequence=64,head_dim=64')");
}

TEST(SdpaRings, EightDevicesOfAT3000) {
  const Ended ended = passed("--system t3000 --set head_dim=64,sequence=64");
  // Packets of rounds 2 and 3 cross three links.
  const double near = metric(ended, "round 1 fabric, shortest");
  EXPECT_GT(metric(ended, "round 3 fabric, mean"), 500);
  EXPECT_GT(near, 500);
  EXPECT_FALSE(ended.report.at("metrics").contains("round 3 fabric, estimate"));
}

TEST(SdpaRings, DecodesFromDram) {
  const Ended ended = passed("--system pair --set decode=true,sequence=1088,head_dim=96 --seed 9");
  EXPECT_GT(metric(ended, "decode, longest"), metric(ended, "whole, shortest"));
  EXPECT_GT(metric(ended, "decode, DRAM of a device"), 1);
}

TEST(SdpaRings, DecodesHeadsOfSeveralPackets) {
  passed("--system quad_ring --set decode=true,sequence=256,head_dim=320");
}

TEST(SdpaRings, LockstepGivesTheSameBits) {
  const std::string run = "--system pair --set decode=true,sequence=64,head_dim=32";
  const Ended with_horizons = passed(run);
  const Ended in_lockstep = passed(run + " --lockstep");
  EXPECT_EQ(with_horizons.report.at("simulated_ps"), in_lockstep.report.at("simulated_ps"));
  EXPECT_EQ(with_horizons.report.at("state_digest"), in_lockstep.report.at("state_digest"));
}

// A Galaxy takes minutes: ctest -C long -R system_sdpa_galaxy.
TEST(SdpaGalaxy, DISABLED_SixteenDevices) {
  passed("--system galaxy --set devices=16");
  passed("--system galaxy --set devices=16,decode=true,sequence=2048,head_dim=64");
}

TEST(SdpaGalaxy, DISABLED_AllDevices) {
  passed("--system galaxy");
  passed("--system galaxy --set decode=true,sequence=2048");
}

}  // namespace
}  // namespace tvp
