// Collectives in the network: switches combine and multicast for programs of units. Results have
// golden values; times and bytes of ports follow the formula of the document. Systems and schedules
// that cannot do this are refused.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/execution/pim_executor.h"
#include "sw/collectives/pim/pim_run.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/schedule/program_builder.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"
#include "tests/system/benches/in_child.h"

namespace tvp::collectives {
namespace {

using nlohmann::json;

constexpr double kHeader = 8;
constexpr double kPacket = 512;
constexpr double kGbS = 0.5;

std::string star(unsigned count, const std::string& more = "") {
  return "system=pim_star\npim.hierarchy=bank=1 chip=" + std::to_string(count) + "\n" + more;
}

Schedule schedule_of(const std::string& op, const std::string& algorithm, std::uint32_t ranks,
                     std::uint32_t segments = 1) {
  ScheduleRequest request;
  request.primitive = primitive_named(op);
  request.ranks = ranks;
  request.root = ranks / 2;
  request.segments = segments;
  Schedule schedule = algorithm_named(algorithm).schedule(request);
  require_right(schedule);
  return schedule;
}

struct Measured {
  std::string text;
  double time_ns = 0;
  std::map<std::string, double> metrics;
  std::map<std::string, double> bytes;  ///< by link
};

/// The child process returns numbers through its pipe as JSON.
Measured measure(const std::string& settings, const Schedule& schedule, const Demand& demand) {
  const std::string text = workloads::in_child(settings, [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimExecutor executor(system);
    const CollectiveExecutor::Outcome outcome = executor.run(schedule, demand);
    if (!outcome.reason.empty()) return outcome.reason;
    const json report = json::parse(library.report());
    json told = {{"time_ns", outcome.time_ns()}, {"digest", report.at("state_digest")}};
    for (const auto& [name, metric] : report.at("metrics").items())
      told["metrics"][name] = metric.at("value");
    for (const json& link : report.at("links")) told["links"][link.at("name")] = link.at("bytes");
    return told.dump();
  });
  Measured measured{.text = text, .time_ns = 0, .metrics = {}, .bytes = {}};
  const json told = json::parse(text, nullptr, false);
  if (!told.is_object()) {
    ADD_FAILURE() << schedule.name << ": " << text;
    return measured;
  }
  measured.time_ns = told.at("time_ns");
  measured.metrics = told.at("metrics").get<std::map<std::string, double>>();
  measured.bytes = told.at("links").get<std::map<std::string, double>>();
  return measured;
}

double wire(double bytes) { return bytes + std::ceil(bytes / kPacket) * kHeader; }

/// A covering sample of primitives, numbers of ranks, trees, types and operations.
TEST(StarCollectives, AreRight) {
  struct Shape {
    unsigned count;
    const char* tree;
  };
  const Shape shapes[] = {{2, ""},    {3, ""},      {5, ""},    {8, ""},
                          {8, "4 2"}, {8, "2 2 2"}, {16, "4 4"}};
  const std::vector<std::string> ops{"broadcast", "reduce", "all_reduce", "all_gather",
                                     "reduce_scatter"};
  const std::vector<std::string> types{"fp32", "int32", "bf16"};
  const std::vector<std::string> redops{"sum", "max", "prod", "min"};
  unsigned turn = 0;
  for (const Shape& shape : shapes) {
    const std::string text = workloads::in_child(
        star(shape.count, std::string("switch.tree=") + shape.tree + "\n"),
        [&](runtime::DeviceLibrary& library) {
          runtime::PimSystem system(library);
          PimExecutor executor(system);
          for (const std::string& op : ops) {
            for (unsigned i = 0; i < 3; ++i, turn += 7) {
              const Demand demand{.where = "test",
                                  .bytes = 6000 + 1000 * i,
                                  .type = types[i],
                                  .redop = redops[(turn + i) % 4],
                                  .seed = turn};
              const Schedule schedule = schedule_of(op, "inc", shape.count, 1 + turn % 3);
              const CollectiveExecutor::Outcome outcome = executor.run(schedule, demand);
              if (!outcome.reason.empty())
                return schedule.name + ", " + demand.type + " " + demand.redop + ": " +
                       outcome.reason;
            }
          }
          return std::string();
        });
    EXPECT_EQ(text, "right") << shape.count << " units, tree '" << shape.tree << "'";
  }
}

/// From the first byte on a link to the last one: 2 alpha_switch + M / BW per level.
TEST(StarCollectives, AllReduceTakesTheTimeOfTheFormula) {
  struct Case {
    unsigned count;
    const char* tree;
    unsigned levels;
    double cut_through;
    double alu;
    unsigned bytes;
  };
  for (const Case& c : {Case{2, "", 1, 100, 20, 65536}, Case{8, "", 1, 100, 20, 65536},
                        Case{16, "", 1, 100, 20, 32768}, Case{8, "4 2", 2, 250, 100, 65536},
                        Case{8, "", 1, 1000, 300, 131072}}) {
    const Measured m =
        measure(star(c.count, std::string("switch.tree=") + c.tree +
                                  "\nswitch.cut_through_ns=" + std::to_string(c.cut_through) +
                                  "\nswitch.alu_ns=" + std::to_string(c.alu) + "\n"),
                schedule_of("all_reduce", "inc", c.count),
                {.where = "test", .bytes = c.bytes, .type = "int32", .redop = "sum", .seed = 1});
    const double alpha = c.cut_through + c.alu / 2;
    const double formula = c.levels * 2 * alpha + wire(c.bytes) / kGbS;
    ASSERT_FALSE(m.metrics.empty());
    const double network = m.metrics.at("switch.last_byte") - m.metrics.at("switch.first_byte");
    EXPECT_NEAR(network, formula, 0.02 * formula) << c.count << " units, " << c.tree;
    // The program's whole time adds a slice's way between bank and port at both ends.
    EXPECT_GT(m.time_ns, network);
    EXPECT_LT(m.time_ns, formula + 7000);
  }
}

/// Systems with more ranks than an order to the switch has bits, below one to three levels of
/// switches of equal and different sizes.
TEST(StarCollectives, ManyRanksBelowSeveralLevels) {
  struct Shape {
    unsigned count;
    const char* tree;
    const char* last_switch;  ///< the last one below the root
  };
  for (const Shape& shape :
       {Shape{72, "8 9", "switch8"}, Shape{40, "16+16+8 3", "switch2"}, Shape{33, "", ""}}) {
    const std::string system = star(shape.count, std::string("switch.tree=") + shape.tree + "\n");
    const std::string last = "unit" + std::to_string(shape.count - 1);
    for (const char* op : {"broadcast", "reduce", "all_reduce", "reduce_scatter"}) {
      const Schedule schedule = schedule_of(op, "inc", shape.count);
      const Measured found = measure(system, schedule, {.bytes = 4096, .type = "int32"});
      EXPECT_GT(found.time_ns, 0) << op;
      if (schedule.primitive != Primitive::kAllReduce) continue;
      // Each port carries the vector once each way, and each switch combines below once.
      EXPECT_DOUBLE_EQ(found.bytes.at(last + ".up"), wire(4096));
      EXPECT_DOUBLE_EQ(found.bytes.at(last + ".down"), wire(4096));
      if (*shape.last_switch == 0) continue;
      EXPECT_DOUBLE_EQ(found.bytes.at(std::string(shape.last_switch) + ".up"), wire(4096));
    }
    for (const char* op : {"all_to_all", "all_gather"})
      measure(system, schedule_of(op, "inc", shape.count),
              {.bytes = shape.count * 64, .type = "int32"});
  }
}

/// The programs of `in_switch`, with units that have a bit each in an order to the switch and more.
TEST(StarCollectives, CompiledProgramsOfManyUnits) {
  for (const auto& [count, tree] : {std::pair{8U, "3+5 2"}, {32U, ""}, {40U, "16+16+8 3"}}) {
    const std::string text = workloads::in_child(
        star(count, std::string("switch.tree=") + tree + "\n"),
        [](runtime::DeviceLibrary& library) {
          runtime::PimSystem system(library);
          std::string wrong;
          for (const auto& [collective, sync] : {std::pair{"allreduce", "credits"},
                                                 {"allreduce", "barriers"},
                                                 {"broadcast", "auto"}}) {
            PimRequest request(pim_collective(collective));
            request.form = "in_switch";
            request.type = "int32";
            request.bytes = 8 * 201;
            request.root = 6;
            request.hierarchical = true;
            request.sync = sync;
            PimRun run(system, request);
            run.place_operands();
            PimRun::Outcome outcome;
            run.run_units(outcome);
            run.judge(outcome);
            if (!outcome.reason.empty()) wrong += request.name + ": " + outcome.reason + "\n";
          }
          return wrong;
        });
    EXPECT_EQ(text, "right") << count << " units, tree '" << tree << "'";
  }
}

/// Unlike a mask, a range holds only units at equal distances.
TEST(StarCollectives, PartsOfManyRanks) {
  const auto run = [](const Schedule& schedule, std::vector<unsigned> units) {
    return workloads::in_child(star(40), [&](runtime::DeviceLibrary& library) {
      runtime::PimSystem system(library);
      PimExecutor executor(system, std::move(units));
      return executor.run(schedule, {.bytes = 4096, .type = "int32"}).reason;
    });
  };
  const Schedule all_reduce = schedule_of("all_reduce", "inc", 4);
  EXPECT_EQ(run(all_reduce, {0, 1, 2, 3}), "right");
  EXPECT_EQ(run(all_reduce, {36, 37, 38, 39}), "right");
  EXPECT_EQ(run(all_reduce, {3, 13, 23, 33}), "right");
  EXPECT_EQ(run(schedule_of("broadcast", "inc", 4), {3, 13, 23, 33}), "right");
  EXPECT_EQ(run(all_reduce, {3, 13, 23, 31}), "right");
  const std::string uneven = run(all_reduce, {3, 13, 23, 34});
  EXPECT_NE(uneven.find("rank 0 names 4 ranks to the switch: with units from 32 on expected units "
                        "at equal distances"),
            std::string::npos)
      << uneven;
}

/// Differences of latencies appear in full, since firmware keeps the ports equally busy.
TEST(StarCollectives, LatenciesOfSwitchesAreSeenWhole) {
  const auto time = [](const std::string& settings) {
    const Measured m =
        measure(star(8, settings), schedule_of("all_reduce", "inc", 8),
                {.where = "test", .bytes = 65536, .type = "int32", .redop = "sum", .seed = 1});
    return m.metrics.empty() ? 0
                             : m.metrics.at("switch.last_byte") - m.metrics.at("switch.first_byte");
  };
  const double base = time("");
  const double cycle = 1000.0 / 350;
  EXPECT_NEAR(time("switch.cut_through_ns=600\n") - base, 2 * 500, 20 * cycle);
  EXPECT_NEAR(time("switch.alu_ns=520\n") - base, 500, 20 * cycle);
  EXPECT_NEAR(time("switch.tree=2 4\n") - base, 220, 20 * cycle);
}

/// Ports of a ring carry 2 (N - 1) / N of the vector in each direction; ports of the switch carry
/// the vector once.
TEST(StarCollectives, PortsCarryFourSeventhsOfARing) {
  const Demand demand{.where = "test", .bytes = 65536, .type = "int32", .redop = "sum", .seed = 1};
  const Measured ring = measure(star(8), schedule_of("all_reduce", "ring", 8), demand);
  const Measured inc = measure(star(8), schedule_of("all_reduce", "inc", 8), demand);
  for (unsigned unit = 0; unit < 8; ++unit) {
    for (const char* const way : {".up", ".down"}) {
      const std::string link = "unit" + std::to_string(unit) + way;
      ASSERT_TRUE(ring.bytes.contains(link) && inc.bytes.contains(link));
      EXPECT_EQ(inc.bytes.at(link), wire(65536));
      // The ring also sends credits, messages with a header only.
      EXPECT_GE(ring.bytes.at(link), wire(65536) * 14 / 8);
      EXPECT_LE(inc.bytes.at(link) / ring.bytes.at(link), 4.0 / 7);
      EXPECT_GE(inc.bytes.at(link) / ring.bytes.at(link), 0.98 * 4 / 7);
    }
  }
  EXPECT_LT(inc.time_ns, ring.time_ns);
}

TEST(StarCollectives, AreTheSameInLockstep) {
  for (const char* const op : {"all_reduce", "all_gather"}) {
    const Demand demand{.where = "test", .bytes = 10000, .type = "bf16", .redop = "sum", .seed = 5};
    const Schedule schedule = schedule_of(op, "inc", 8);
    const Measured horizons = measure(star(8, "switch.tree=4 2\n"), schedule, demand);
    const Measured steps = measure(star(8, "switch.tree=4 2\nlockstep=true\n"), schedule, demand);
    EXPECT_EQ(horizons.text, steps.text) << op;
  }
}

std::string stopped(const std::string& settings, const Schedule& schedule,
                    const Demand& demand = {.where = "test", .bytes = 8192, .type = "int32"}) {
  return workloads::in_child(settings, [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimExecutor executor(system);
    return "came to its end: " + executor.run(schedule, demand).reason;
  });
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(StarCollectives, NameTheLinkThatBreaks) {
  const std::string broken = stopped(star(8, "switch.tree=4 2\nswitch.faults=unit3@5000\n"),
                                     schedule_of("all_reduce", "inc", 8));
  expect_has(broken, "unit3");
  expect_has(broken, "the link between unit3 and switch0 is broken since 5000 ns");
  expect_has(broken,
             "all_reduce inc N=8 was stopped by that:\n"
             "  rank 3: lane 0, step 0 (send 1 chunk, source input 0, to the switch)");
  // The report comes while the run continues. The other units hang, and the switch names the unit
  // that it waits for.
  const std::string warned =
      stopped(star(8, "faults=warn\nswitch.tree=4 2\nswitch.faults=unit3@5000\n"),
              schedule_of("all_reduce", "inc", 8));
  expect_has(warned, "stands still");
  expect_has(warned, "rank 3: lane 1, step 0 (receive 1 chunk");
  expect_has(warned, "waits for unit 3");
}

// A credit of rank 10 is lost. The report shows its step first, then the ranks that wait for it.
TEST(PimCollectives, NameTheStepAtWhichARouterBreaks) {
  const std::string text = stopped("system=pim_rank\nmesh.faults=router:2.1@9000\n",
                                   schedule_of("all_reduce", "ring", 32));
  expect_has(text, "unit10 (chip1.bank2): message of 0 bytes to unit 9");
  expect_has(text, "out of service are router (2,1) since cycle 9200");
  expect_has(text, "all_reduce ring N=32 was stopped by that:\n  rank 10: lane 0, step ");
  expect_has(text, "from rank 9, to rank 11)\n  rank 0: lane 0, step ");
  expect_has(text, "and 16 more");
}

TEST(StarCollectives, NameTheParticipantThatIsMissing) {
  Schedule schedule = schedule_of("all_reduce", "inc", 4);
  schedule.ranks[2].lanes[0].steps.clear();
  schedule.ranks[2].lanes[1].steps.clear();
  const std::string text = stopped(star(4), schedule);
  expect_has(text,
             "switch0: reduction 0, packet 0, has the operands of unit 0, unit 1, unit 3 and "
             "waits for unit 2");
}

TEST(StarCollectives, RefuseWhatCannotBe) {
  const Schedule all_reduce = schedule_of("all_reduce", "inc", 8);
  expect_has(stopped(star(8, "switch.alu=false\n"), all_reduce), "expected switch.alu=true");
  EXPECT_EQ(stopped(star(8, "switch.alu=false\n"), schedule_of("broadcast", "inc", 8)),
            "came to its end: ");
  expect_has(stopped("", all_reduce), "needs a switch: expected a system that has one");
  Schedule high = schedule_of("broadcast", "inc", 8);
  for (RankProgram& rank : high.ranks)
    for (Lane& lane : rank.lanes)
      for (Step& step : lane.steps) step.channel = 16;
  expect_has(stopped(star(8), high), "uses channel 16 of the switch: expected one below 16");
  expect_has(stopped(star(8, "switch.tree=4 3\n"), all_reduce), "expected a product of 8");
  expect_has(stopped("switch.tree=4 2\n", all_reduce), "'switch.tree' has no effect");
  expect_has(stopped(star(8, "mesh.width=4\n"), all_reduce), "'mesh.width' has no effect");

  Schedule stranger = all_reduce;
  for (Step& step : stranger.ranks[1].lanes[0].steps) step.contributors.remove(0);
  expect_has(stopped(star(8), stranger), "does not contribute");
  Schedule deaf = all_reduce;
  deaf.ranks[5].lanes[1].steps.clear();
  expect_has(stopped(star(8), deaf), "rank 5 never receives the switch's data");
  Schedule waiting = all_reduce;
  waiting.ranks[5].lanes[0].steps.clear();
  expect_has(stopped(star(8), waiting), "rank 5 waits for data that no rank sends to the switch");
}

}  // namespace
}  // namespace tvp::collectives
