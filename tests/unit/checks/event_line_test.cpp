#include "platform/checks/event_line.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::checks {
namespace {

using support::BusMaster;
using support::ProbeEvent;

TEST(EventLineTest, AnEventIsTheSameAfterItsLine) {
  ProbeEvent event;
  for (unsigned kind = 0; kind < ProbeEvent::kKinds; ++kind) {
    event.kind = static_cast<ProbeEvent::Kind>(kind);
    EXPECT_EQ(from_line(to_line(event)), event);
  }
  event = {.kind = ProbeEvent::Kind::kRequest,
           .agent = BusMaster::kNoc1,
           .core = BusMaster::kB,
           .memory = support::MemoryKind::kWram,
           .request = ProbeEvent::Request::kAtomic,
           .remote = ProbeEvent::Place::kDram,
           .is_posted = true,
           .is_broadcast = true,
           .is_local = true,
           .is_own = true,
           .x0 = 1,
           .y0 = 2,
           .x1 = 3,
           .y1 = 4,
           .vc = 5,
           .layout = ProbeEvent::Layout::kRows32,
           .pc = 6,
           .bytes = 7,
           .packets = 8,
           .index = 9,
           .instruction = 10,
           .stream = 11,
           .thread = 12,
           .is_written = true,
           .rows = 24,
           .units = 25,
           .value = 23,
           .pushed = 13,
           .popped = 14,
           .stored_end = 15,
           .address = std::uint64_t{1} << 40,
           .remote_address = 17,
           .cycle = 18,
           .done = 19,
           .offered = {.instruction = 20, .pc = 21, .thread = 22}};
  EXPECT_EQ(from_line(to_line(event)), event);
}

TEST(EventLineTest, ALineHasOnlyFieldsThatDifferFromTheDefaults) {
  EXPECT_EQ(
      to_line({.kind = ProbeEvent::Kind::kCounterRead, .agent = BusMaster::kNoc0, .index = 3}),
      R"({"kind":"counter_read","agent":6,"index":3})");
}

TEST(EventLineTest, ALineWithoutAnEventIsRefused) {
  for (const char* line : {"", "kind", "[]", "{}", R"({"kind":"sneeze"})", R"({"kind":3})",
                           R"({"kind":"served","agent":"B"})", R"({"kind":"served","agents":1})",
                           R"({"kind":"served","agent":-1})"}) {
    EXPECT_TRUE(tvp::test::faults([&] { from_line(line); }, {}, {line})) << line;
  }
}

}  // namespace
}  // namespace tvp::checks
