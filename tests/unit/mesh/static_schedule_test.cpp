// The static schedule: known times, and reports of conflicts.
#include "models/mesh/flow_control/static_schedule.h"

#include <gtest/gtest.h>

#include <set>

#include "foundation/fault.h"
#include "models/mesh/routing/routing_registry.h"
#include "tests/support/fault_of.h"
#include "tests/unit/mesh/mesh_bench.h"

namespace tvp::mesh::static_schedule_test {
namespace {

struct Plan {
  MeshTopology topology{4, 2};
  RoutingTable table{topology, *make_routing("xy")};
  StaticSchedule schedule{topology, table};
};

TEST(Schedule, SaysWhenTheLastFlitArrives) {
  Plan plan;
  EXPECT_EQ(plan.schedule.add({.source = 0, .destination = 3, .flits = 4, .start = 10}),
            10u + 4 + 4);
  // Directly after the first packet.
  EXPECT_EQ(plan.schedule.add({.source = 0, .destination = 3, .flits = 1, .start = 14}), 19u);
  // Directly before it.
  EXPECT_EQ(plan.schedule.add({.source = 0, .destination = 3, .flits = 2, .start = 8}), 14u);
}

TEST(Schedule, NamesLinkCycleAndBothTransfersOfAConflict) {
  Plan plan;
  plan.schedule.add({.source = 0, .destination = 3, .flits = 4, .start = 10, .tag = 7});
  // The packet is at (1,0) in cycle 11 and on its link east in cycle 12, like the first flit of
  // the other one.
  EXPECT_TRUE(tvp::test::faults(
      [&] {
        plan.schedule.add({.source = 1, .destination = 2, .flits = 1, .start = 11, .tag = 8});
      },
      foundation::FaultKind::kFirmware,
      {"(1,0).east", "cycle 12", "(0,0) to (3,0)", "tag 7", "(1,0) to (2,0)", "tag 8"}));
}

TEST(Schedule, PastUsesAreForgotten) {
  Plan plan;
  plan.schedule.add({.source = 0, .destination = 3, .flits = 4, .start = 10});
  plan.schedule.forget(12);
  EXPECT_THROW(plan.schedule.add({.source = 0, .destination = 3, .flits = 4, .start = 12}),
               foundation::Fault);
}

// All neighbors of a ring send at once, as in every step of PIMnet's schedule.
TEST(Mesh, ARingStepHasNoConflict) {
  MeshBench bench({{"width", "4"}, {"height", "1"}, {"flow_control", "static"}});
  for (unsigned i = 0; i < 3; ++i) bench.send(i, i + 1, 16, 5);
  bench.run(100);
  ASSERT_EQ(bench.deliveries.size(), 3u);
  for (const auto& delivery : bench.deliveries) EXPECT_EQ(delivery.when, 5u + 2 + 1 + 15);
  bench.mesh->check_at_end();
  // The last node to the first one uses every link again.
  bench.send(3, 0, 4, bench.calendar.now());
  bench.run(100);
  EXPECT_EQ(bench.deliveries.size(), 4u);
}

// Compares links and cycles with a separate list.
TEST(Schedule, AgreesWithABoardOfCycles) {
  Dice dice(21);
  unsigned accepted = 0;
  unsigned refused = 0;
  for (unsigned round = 0; round < 200; ++round) {
    Plan plan;
    std::set<std::pair<unsigned, support::Cycle>> board;
    for (unsigned i = 0; i < 12; ++i) {
      const unsigned from = dice.below(8);
      const unsigned to = dice.below(8);
      const unsigned flits = 1 + dice.below(5);
      const support::Cycle start = dice.below(60);
      std::vector<std::pair<unsigned, support::Cycle>> wanted;
      unsigned x = from % 4;
      unsigned y = from / 4;
      support::Cycle cycle = start;
      const auto drive = [&](unsigned link) {
        for (unsigned f = 0; f < flits; ++f) wanted.push_back({link, cycle + f});
        ++cycle;
      };
      drive(1000 + from);
      for (; x != to % 4; x += x < to % 4 ? 1 : -1U) drive((y * 4 + x) * 10 + (x < to % 4 ? 1 : 2));
      for (; y != to / 4; y += y < to / 4 ? 1 : -1U) drive((y * 4 + x) * 10 + (y < to / 4 ? 3 : 4));
      drive((y * 4 + x) * 10);
      bool free = true;
      for (const auto& slot : wanted) free = free && board.count(slot) == 0;
      bool taken = false;
      try {
        plan.schedule.add({.source = from, .destination = to, .flits = flits, .start = start});
        taken = true;
      } catch (const foundation::Fault&) {
      }
      ASSERT_EQ(taken, free) << round << " " << i;
      ++(taken ? accepted : refused);
      if (!taken) break;  // a conflict ends a run
      board.insert(wanted.begin(), wanted.end());
    }
  }
  EXPECT_GT(accepted, 200u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace tvp::mesh::static_schedule_test
