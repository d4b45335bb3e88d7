// The tori of a Wormhole between modules of the user: bytes, times, back-pressure, errors.

#include "tensix_vp/systemc/torus_noc.h"

#include "tests/system/components/node_bench.h"

namespace {

using sc_core::sc_time;
using tensix_vp::TorusNoc;
using namespace tvp::tests;
using Bench = NodeBench<TorusNoc>;
using Settings = std::vector<std::pair<std::string, std::string>>;

std::uint64_t address(unsigned node, std::uint64_t offset) {
  return TorusNoc::address(x_of(node), y_of(node), offset);
}
/// Links of NoC 0, which leads right, then down.
unsigned hops(unsigned from, unsigned to) {
  return (x_of(to) + kWidth - x_of(from)) % kWidth + (y_of(to) + kHeight - y_of(from)) % kHeight;
}

TorusNoc::Parameters parameters(TorusNoc::Timing timing, Settings settings = {}) {
  TorusNoc::Parameters parameters;
  parameters.columns = kWidth;
  parameters.rows = kHeight;
  parameters.timing = timing;
  parameters.settings = std::move(settings);
  return parameters;
}

TorusNoc::Parameters slow_parameters() {
  TorusNoc::Parameters slow = parameters(TorusNoc::Timing::kLoose);
  slow.clock_mhz = 350;
  return slow;
}

const Settings kFast = {{"torus", "fast"}};

std::uint64_t transactions() { return tvp::test::fuzz_cases(1000); }

TrafficRules rules(bool approximate = true) {
  TrafficRules rules;
  rules.byte_enables = false;
  rules.approximate = approximate;
  return rules;
}

/// SystemC elaborates once: all modules are there from the start.
struct Benches {
  static constexpr auto kLoose = TorusNoc::Timing::kLoose;
  static constexpr auto kApproximate = TorusNoc::Timing::kApproximate;
  template <typename Memory>
  using Traffic = TrafficBench<TorusNoc, Memory>;

  ReportRecorder reports;
  Bench loose{"loose", parameters(kLoose)};
  Bench approximate{"approximate", parameters(kApproximate)};
  Bench fast{"fast", parameters(kApproximate, kFast)};
  Bench stuck{"stuck", parameters(kApproximate)};
  Traffic<RandomResponder> loose_traffic{"loose_traffic", slow_parameters(), rules(),
                                         transactions()};
  Traffic<RandomResponder> approximate_traffic{"approximate_traffic", parameters(kApproximate),
                                               rules(), transactions()};
  Traffic<NodeMemory> one{"one", parameters(kApproximate, kFast), rules(false), transactions()};
  Traffic<NodeMemory> twin{"twin", parameters(kApproximate, kFast), rules(false), transactions()};
};

Benches& benches() {
  static auto& benches = *new Benches();
  return benches;
}

/// Before the elaboration ends.
TEST(TorusNocParameters, AreChecked) {
  const auto text_of = [](const TorusNoc::Parameters& parameters) -> std::string {
    try {
      TorusNoc noc("wrong", parameters);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  using P = TorusNoc::Parameters;
  const auto expect = [&](const std::function<void(P&)>& change, const std::string& text) {
    P parameters;
    change(parameters);
    EXPECT_NE(text_of(parameters).find(text), std::string::npos) << text_of(parameters);
  };
  expect([](P& p) { p.columns = 17; }, "columns: 17: expected 1 to 16");
  expect([](P& p) { p.rows = 0; }, "rows: 0: expected 1 to 16");
  expect([](P& p) { p.clock_mhz = 0; }, "clock_mhz");
  expect([](P& p) { p.targets = {{.x = 4, .y = 0}}; }, "node (4,0)");
  expect([](P& p) { p.settings = {{"tours", "fast"}}; }, "noc.torus");
  expect([](P& p) { p.settings = {{"torus", "slow"}}; }, "detailed");
}

class TorusNocTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    benches();
    sc_core::sc_start();  // the random traffic
  }
};

/// Defaults of the group `noc`. A request takes 2 cycles to a virtual channel and 1 until its
/// header leaves. The way takes 5 to the router, 9 for each link and 5 to the NIU. Then come a
/// cycle for each flit of data (32 bytes) and 1 to the memory. A response takes 1, the way, and 1.
/// The clock has 1 GHz.
TEST_F(TorusNocTest, AnEmptyTorusTakesThePublishedCycles) {
  for (Bench* bench : {&benches().loose, &benches().approximate, &benches().fast}) {
    // A response with a known time streams while the memory still reads.
    const bool streams = bench == &benches().loose;
    NodeInitiator& initiator = bench->initiator(5);
    for (unsigned to = 0; to < kNodes; ++to) {
      for (const unsigned noc : {0U, 1U}) {
        const unsigned there = noc == 0 ? hops(5, to) : hops(to, 5);
        const unsigned back = noc == 0 ? hops(to, 5) : hops(5, to);
        const unsigned x = x_of(to);
        const unsigned y = y_of(to);
        const std::uint64_t at =
            noc == 0 ? TorusNoc::address(x, y, 0) : TorusNoc::address(3 - x, 2 - y, 0, 1);
        for (const unsigned bytes : {4U, 32U, 64U, 256U}) {
          for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
            const unsigned flits = (bytes + 31) / 32;
            const bool writes = command == tlm::TLM_WRITE_COMMAND;
            initiator.run([&] {
              initiator.settle();
              initiator.blocking(initiator.make(command, at, bytes));
            });
            const sc_time sent = initiator.ends.back() - initiator.last_latency;
            const unsigned way = 2 + 1 + 5 + 9 * there + 5 + (writes ? flits : 0) + 1;
            EXPECT_EQ(bench->memories[to]->arrivals.back().at - sent, sc_time(way, sc_core::SC_NS))
                << "to " << to << " on NoC " << noc << ": " << bytes;
            const unsigned response = 1 + 5 + 9 * back + 5 + (writes || streams ? 0 : flits) + 1;
            EXPECT_EQ(initiator.last_latency, sc_time(way + 10 + response, sc_core::SC_NS))
                << "to " << to << " on NoC " << noc << ": " << bytes;
          }
        }
      }
    }
  }
}

TEST_F(TorusNocTest, ServesAndRefusesRandomTraffic) {
  benches().loose_traffic.expect_served(transactions());
  benches().approximate_traffic.expect_served(transactions());
  EXPECT_GT(benches().loose_traffic.noc.statistics(0).packets, kNodes * transactions());
  for (const auto& report : ReportRecorder::reports()) {
    EXPECT_NE(report.text.find(".requests"), std::string::npos) << report.text;
    EXPECT_NE(report.text.find(": the initiator "), std::string::npos) << report.text;
  }
}

/// With one access of a node at a time: SystemC defines no order of processes at one time.
TEST_F(TorusNocTest, EqualTrafficTakesEqualTimes) {
  benches().one.expect_served(transactions());
  benches().twin.expect_served(transactions());
  for (unsigned node = 0; node < kNodes - 1; ++node) {
    EXPECT_TRUE(benches().one.memories[node]->arrivals == benches().twin.memories[node]->arrivals);
  }
}

/// A packet carries at most 8 KiB and keeps its place in a line of 64 bytes.
TEST_F(TorusNocTest, CutsTransactionsIntoPackets) {
  Bench& bench = benches().approximate;
  NodeInitiator& initiator = bench.initiator(3);
  auto& arrivals = bench.memories[4]->arrivals;
  arrivals.clear();
  initiator.run(
      [&] { initiator.blocking(initiator.make(tlm::TLM_READ_COMMAND, address(4, 3), 10'000)); });
  ASSERT_EQ(arrivals.size(), 2u);
  EXPECT_EQ(arrivals[0].bytes, 8189u);
  EXPECT_EQ(arrivals[1].address, 8192u);
}

TEST_F(TorusNocTest, ErrorsReachTheInitiator) {
  for (Bench* bench : {&benches().loose, &benches().approximate, &benches().fast}) {
    NodeInitiator& initiator = bench->initiator(1);
    initiator.run([&] {
      for (const unsigned noc : {0U, 1U}) {
        for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
          // The second packet goes beyond the end of the memory.
          const std::uint64_t offset = NodeMemory::kBytes - 8192;
          auto& wrong = initiator.make(command, TorusNoc::address(2, 1, offset, noc), 8193);
          wrong.expected_status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
          initiator.blocking(wrong);
          initiator.blocking(initiator.make(command, TorusNoc::address(2, 1, offset, noc), 8192));
        }
      }
    });
  }
}

TEST_F(TorusNocTest, DebugReachesTheMemoryAndDirectAccessIsRefused) {
  Bench& bench = benches().loose;
  bench.memories[7]->bytes[100] = 0x5A;
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(TorusNoc::address(0, 1, 100, 1));  // (3,1) on NoC 0
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(bench.initiator(0).socket->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 0x5A);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(bench.initiator(0).socket->get_direct_mem_ptr(payload, dmi));
}

/// Behind a memory that never answers, requests fill the buffer of its NIU and then the routers,
/// also for a module that sends to the next node.
TEST_F(TorusNocTest, AStuckMemoryBlocksTheRouters) {
  Bench& bench = benches().stuck;
  bench.memories[6]->answers = false;
  for (const unsigned node : {0U, 4U}) {
    NodeInitiator& blocked = bench.initiator(node);
    blocked.start([&blocked, node] {
      blocked.blocking(blocked.make(tlm::TLM_WRITE_COMMAND, address(6, 0x100 * node), 8192));
    });
  }
  sc_core::sc_start();
  const std::vector<std::string> lines = bench.noc.waiting();
  expect_line(lines, "stuck.node_2_1.memory.socket: the bound memory has not ",
              "accepted a write of 8192 bytes at address 0x");
  EXPECT_EQ(bench.initiator(0).answered + bench.initiator(4).answered, 0u);
}

}  // namespace
