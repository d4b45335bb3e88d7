// A run with horizons and sleeping polls and a run in lockstep must end at the same picosecond with
// the same memories. Each simulation runs in a child process.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sw/runtime/devices/device_library.h"
#include "sw/workloads/dram_loopback/dram_loopback.h"
#include "sw/workloads/microbenchmarks/noc/noc_latency.h"
#include "sw/workloads/microbenchmarks/noc/noc_multicast.h"
#include "sw/workloads/noc_exchange/noc_exchange.h"
#include "sw/workloads/sdpa/sdpa_workload.h"
#include "tests/support/child_output.h"

namespace tvp::workloads {
namespace {

struct Outcome {
  bool passed = false;
  std::uint64_t time_ps = 0;
  std::uint64_t executed = 0;
  std::uint64_t slept = 0;
  char digest[32] = {};
};

/// A program on one chip, or the ring of four with fabric and coprocessors. Packets and cores
/// compete for banks of L1 while the cores poll, wake and fetch code.
bool run_on_chip(Context& context) {
  DramLoopback copy;
  NocExchange exchange;
  microbenchmarks::NocLatency latency;
  microbenchmarks::NocMulticast multicast;
  return copy.run(context).passed && exchange.run(context).passed && latency.run(context).passed &&
         multicast.run(context).passed;
}
bool run_on_ring(Context& context) { return sdpa::SdpaWorkload().run(context).passed; }

Outcome simulate(bool ring, const std::string& settings) {
  Outcome outcome;
  const auto library = runtime::DeviceLibrary::open(TVP_LIBRARY);
  library->configure(std::string("system=") + (ring ? "quad_ring" : "single_chip") + "\n" +
                     settings);
  Context context{*library, 11, [](const std::string&) {}, 0};
  outcome.passed = ring ? run_on_ring(context) : run_on_chip(context);
  outcome.time_ps = library->time_ps();
  const auto report = nlohmann::json::parse(library->report());
  outcome.executed = report.at("executed_instructions").get<std::uint64_t>();
  outcome.slept = report.at("slept_instructions").get<std::uint64_t>();
  report.at("state_digest").get<std::string>().copy(outcome.digest, sizeof(outcome.digest) - 1);
  return outcome;
}

Outcome in_child(bool ring, const std::string& settings) {
  const auto [text, status] = test::output_of_child([&] {
    Outcome outcome;
    try {
      outcome = simulate(ring, settings);
    } catch (const std::exception& error) {
      fprintf(stderr, "%s\n", error.what());
    }
    return std::string(reinterpret_cast<const char*>(&outcome), sizeof outcome);
  });
  Outcome outcome;
  EXPECT_EQ(text.size(), sizeof outcome);
  EXPECT_EQ(status, 0);
  text.copy(reinterpret_cast<char*>(&outcome), sizeof outcome);
  return outcome;
}

void compare(bool ring) {
  const Outcome horizons = in_child(ring, "");
  const Outcome again = in_child(ring, "");
  const Outcome lockstep = in_child(ring, "lockstep=true");
  EXPECT_TRUE(horizons.passed);
  EXPECT_TRUE(lockstep.passed);
  EXPECT_STREQ(horizons.digest, again.digest);
  EXPECT_STREQ(horizons.digest, lockstep.digest);
  EXPECT_EQ(horizons.time_ps, lockstep.time_ps);
  // Nothing sleeps in lockstep, so the two modes differ.
  EXPECT_GT(horizons.slept, 0U);
  EXPECT_EQ(lockstep.slept, 0U);
  EXPECT_GT(lockstep.executed, horizons.executed);
}

TEST(Lockstep, ChangesNoBitAndNoPicosecondOnAChip) { compare(false); }
TEST(Lockstep, ChangesNoBitAndNoPicosecondOnTheRing) { compare(true); }

/// Chips of the ring run in turn, or in parallel threads.
TEST(Threads, ChangeNoBitAndNoPicosecondOnTheRing) {
  const Outcome alone = in_child(true, "");
  for (const char* settings : {"threads=2", "threads=4", "threads=256"}) {
    const Outcome together = in_child(true, settings);
    EXPECT_TRUE(together.passed);
    EXPECT_STREQ(together.digest, alone.digest);
    EXPECT_EQ(together.time_ps, alone.time_ps);
    EXPECT_EQ(together.executed, alone.executed);
    EXPECT_EQ(together.slept, alone.slept);
  }
}

}  // namespace
}  // namespace tvp::workloads
