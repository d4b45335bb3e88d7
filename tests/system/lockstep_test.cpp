// A run with horizons and sleeping polls, and one in lock-step that executes every poll, end at the
// same picosecond with the same bits in all memories. One simulation a process: each runs in a
// child.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "sw/runtime/device_library.h"
#include "sw/workloads/dram_loopback/dram_loopback.h"
#include "sw/workloads/noc_exchange/noc_exchange.h"

namespace tvp::workloads {
namespace {

struct Outcome {
  bool passed = false;
  std::uint64_t time_ps = 0;
  std::uint64_t executed = 0;
  std::uint64_t slept = 0;
  char digest[32] = {};
};

Outcome simulate(const std::string& settings) {
  Outcome outcome;
  const auto library = runtime::DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip\n" + settings);
  Context context{*library, 11, [](const std::string&) {}, 0};
  DramLoopback copy;
  NocExchange exchange;
  outcome.passed = copy.run(context).passed && exchange.run(context).passed;
  outcome.time_ps = library->time_ps();
  const auto report = nlohmann::json::parse(library->report());
  outcome.executed = report.at("executed_instructions").get<std::uint64_t>();
  outcome.slept = report.at("slept_instructions").get<std::uint64_t>();
  report.at("state_digest").get<std::string>().copy(outcome.digest, sizeof(outcome.digest) - 1);
  return outcome;
}

Outcome in_child(const std::string& settings) {
  int ends[2] = {};
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    Outcome outcome;
    try {
      outcome = simulate(settings);
    } catch (const std::exception& error) {
      fprintf(stderr, "%s\n", error.what());
    }
    const bool told = write(ends[1], &outcome, sizeof(outcome)) == sizeof(outcome);
    _exit(told ? 0 : 1);
  }
  Outcome outcome;
  const bool heard = read(ends[0], &outcome, sizeof(outcome)) == sizeof(outcome);
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(heard && status == 0);
  return outcome;
}

TEST(Lockstep, ChangesNoBitAndNoPicosecond) {
  const Outcome horizons = in_child("");
  const Outcome again = in_child("");
  const Outcome lockstep = in_child("lockstep=true");
  EXPECT_TRUE(horizons.passed);
  EXPECT_TRUE(lockstep.passed);
  EXPECT_STREQ(horizons.digest, again.digest);
  EXPECT_STREQ(horizons.digest, lockstep.digest);
  EXPECT_EQ(horizons.time_ps, lockstep.time_ps);
  // The two ways do differ: nothing sleeps in lock-step.
  EXPECT_GT(horizons.slept, 0U);
  EXPECT_EQ(lockstep.slept, 0U);
  EXPECT_GT(lockstep.executed, horizons.executed);
}

}  // namespace
}  // namespace tvp::workloads
