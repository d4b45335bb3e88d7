// A mesh of routers between modules of the user: bytes, order, times, back-pressure, errors.

#include "tensix_vp/systemc/mesh_noc.h"

#include "tests/support/child_output.h"
#include "tests/system/components/node_bench.h"

namespace {

using sc_core::sc_time;
using tensix_vp::MeshNoc;
using namespace tvp::tests;
using Bench = NodeBench<MeshNoc>;
using Settings = std::vector<std::pair<std::string, std::string>>;

std::uint64_t address(unsigned node, std::uint64_t offset) {
  return MeshNoc::address(x_of(node), y_of(node), offset);
}
/// Routers on a shortest route.
unsigned routers(unsigned from, unsigned to) {
  const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  return apart(x_of(from), x_of(to)) + apart(y_of(from), y_of(to)) + 1;
}

MeshNoc::Parameters parameters(MeshNoc::Timing timing, Settings settings = {}) {
  MeshNoc::Parameters parameters;
  parameters.width = kWidth;
  parameters.height = kHeight;
  parameters.timing = timing;
  parameters.settings = std::move(settings);
  return parameters;
}

MeshNoc::Parameters odd_parameters() {
  MeshNoc::Parameters odd = parameters(MeshNoc::Timing::kLoose, {{"routing", "west_first"}});
  odd.clock_mhz = 350;
  odd.flit_bytes = 5;
  odd.packet_bytes = 33;
  odd.open_packets = 1;
  return odd;
}

/// With one virtual channel and xy, packets between two nodes keep their order.
const Settings kOrdered = {{"vcs", "1"}};
const Settings kHold = {{"flow_control", "hold"}};

std::uint64_t transactions() { return tvp::test::fuzz_cases(1000); }

TrafficRules rules(bool ordered) {
  TrafficRules rules;
  rules.ordered = ordered;
  return rules;
}

/// SystemC elaborates once: all modules are there from the start.
struct Benches {
  static constexpr auto kLoose = MeshNoc::Timing::kLoose;
  static constexpr auto kApproximate = MeshNoc::Timing::kApproximate;
  template <typename Memory>
  using Traffic = TrafficBench<MeshNoc, Memory>;

  ReportRecorder reports;
  Bench loose{"loose", parameters(kLoose)};
  Bench approximate{"approximate", parameters(kApproximate)};
  Bench hold{"hold", parameters(kApproximate, kHold)};
  Bench stuck{"stuck", parameters(kApproximate)};
  LoneInitiator<MeshNoc> broken{
      "broken", parameters(kLoose, {{"faults", "link:1.0.east@0"}, {"max_retries", "0"}})};
  Traffic<RandomResponder> loose_traffic{"loose_traffic", parameters(kLoose), rules(false),
                                         transactions()};
  Traffic<RandomResponder> approximate_traffic{"approximate_traffic", parameters(kApproximate),
                                               rules(false), transactions()};
  Traffic<RandomResponder> odd_traffic{"odd_traffic", odd_parameters(), rules(false),
                                       transactions()};
  Traffic<NodeMemory> ordered{"ordered", parameters(kApproximate, kOrdered), rules(true),
                              transactions()};
  Traffic<NodeMemory> one{"one", parameters(kApproximate, kHold), rules(true), transactions()};
  Traffic<NodeMemory> twin{"twin", parameters(kApproximate, kHold), rules(true), transactions()};
};

Benches& benches() {
  static auto& benches = *new Benches();
  return benches;
}

/// Before the elaboration ends.
TEST(MeshNocParameters, AreChecked) {
  const auto text_of = [](const std::function<void(MeshNoc::Parameters&)>& change) -> std::string {
    MeshNoc::Parameters parameters;
    change(parameters);
    try {
      MeshNoc noc("wrong", parameters);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  using P = MeshNoc::Parameters;
  const auto expect = [&](const std::function<void(P&)>& change, const std::string& text) {
    EXPECT_NE(text_of(change).find(text), std::string::npos) << text_of(change);
  };
  expect([](P& p) { p.width = 65; }, "mesh.width");
  expect([](P& p) { p.flit_bytes = 0; }, "flit_bytes");
  expect([](P& p) { p.packet_bytes = 1 << 24; }, "packet_bytes");
  expect([](P& p) { p.open_packets = 0; }, "open_packets");
  expect([](P& p) { p.targets = {{.x = 4, .y = 0}}; }, "node (4,0)");
  expect([](P& p) { p.settings = {{"vsc", "1"}}; }, "mesh.vcs");
  expect([](P& p) { p.settings = {{"router", "rtl:no_such_library"}}; }, "no_such_library");
  expect([](P& p) { p.settings = {{"flow_control", "static"}}; }, "expected another flow control");
}

/// SystemC names the socket.
TEST(MeshNocParameters, UnboundMemoriesAreNamed) {
  const std::string text = tvp::test::output_of_child([]() -> std::string {
                             MeshNoc::Parameters parameters;
                             parameters.targets = {{.x = 1, .y = 2}};
                             try {
                               MeshNoc noc("unbound", parameters);
                               sc_core::sc_start();
                             } catch (const sc_core::sc_report& report) {
                               return report.what();
                             }
                             return "accepted";
                           }).text;
  EXPECT_NE(text.find("unbound.node_1_2.memory.socket"), std::string::npos) << text;
}

class MeshNocTest : public testing::Test {
 protected:
  /// The random traffic. The fault of a link damages what comes in its first 200 cycles.
  static void SetUpTestSuite() {
    LoneInitiator<MeshNoc>& broken = benches().broken;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the threads wait for their jobs
    broken.initiator.run([&] {
      auto& t = broken.initiator.make(tlm::TLM_READ_COMMAND, MeshNoc::address(3, 1, 0), 4);
      t.expected_status = tlm::TLM_GENERIC_ERROR_RESPONSE;
      broken.initiator.blocking(t);
    });
  }
};

TEST_F(MeshNocTest, ALostPacketIsAnError) {
  EXPECT_EQ(benches().broken.initiator.answered, 1u);
  EXPECT_EQ(benches().broken.noc.statistics().lost, 1u);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_WARNING,
                                  {"broken.node_0_0: a packet is lost: ", "(1,0).east"}),
            1u);
}

TEST_F(MeshNocTest, ServesAndRefusesRandomTraffic) {
  benches().loose_traffic.expect_served(transactions());
  benches().approximate_traffic.expect_served(transactions());
  benches().ordered.expect_served(transactions());
  benches().odd_traffic.expect_served(transactions());
  for (const auto& report : ReportRecorder::reports()) {
    if (report.severity != sc_core::SC_ERROR) continue;
    EXPECT_NE(report.text.find(".requests.socket: the initiator "), std::string::npos)
        << report.text;
  }
}

TEST_F(MeshNocTest, EqualTrafficTakesEqualTimes) {
  benches().one.expect_served(transactions());
  benches().twin.expect_served(transactions());
  for (unsigned node = 0; node < kNodes - 1; ++node) {
    EXPECT_TRUE(benches().one.memories[node]->arrivals == benches().twin.memories[node]->arrivals);
  }
}

/// models/mesh/protocol.md: 4 cycles a router with the buffered flow control, 1 with hold; 2 and 1
/// to leave the injection queue; then a cycle for each further flit. The clock has 1 GHz.
TEST_F(MeshNocTest, AnEmptyMeshTakesThePublishedCycles) {
  struct Case {
    Bench& bench;
    unsigned hop, enter;
  };
  for (const Case& c : {Case{benches().loose, 4, 2}, Case{benches().approximate, 4, 2},
                        Case{benches().hold, 1, 1}}) {
    for (const unsigned from : {0U, 5U}) {
      for (unsigned to = 0; to < kNodes; ++to) {
        for (const unsigned bytes : {1U, 16U, 17U, 256U}) {
          for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
            const unsigned data = (bytes + 15) / 16;
            const double way = c.hop * routers(from, to) + c.enter;
            const sc_time law(2 * way + data + 10, sc_core::SC_NS);
            NodeInitiator& initiator = c.bench.initiator(from);
            initiator.run([&] {
              initiator.settle();
              initiator.blocking(initiator.make(command, address(to, 0), bytes));
              EXPECT_EQ(initiator.last_latency, law) << from << " to " << to << ": " << bytes;
              initiator.settle();
              initiator.send(initiator.make(command, address(to, 0), bytes));
            });
            EXPECT_EQ(initiator.last_latency, law) << from << " to " << to << ": " << bytes;
            // The last flit arrives with BEGIN_REQ.
            const unsigned flits = command == tlm::TLM_WRITE_COMMAND ? data : 0;
            EXPECT_EQ(initiator.ends.back() - c.bench.memories[to]->arrivals.back().at,
                      law - sc_time(way + flits, sc_core::SC_NS));
          }
        }
      }
    }
  }
}

TEST_F(MeshNocTest, PacketsBetweenTwoNodesKeepTheirOrder) {
  Bench& bench = benches().hold;
  NodeInitiator& initiator = bench.initiator(0);
  auto& arrivals = bench.memories[11]->arrivals;
  arrivals.clear();
  initiator.run([&] {
    for (unsigned i = 0; i < 100; ++i) {
      initiator.send(initiator.make(tlm::TLM_WRITE_COMMAND, address(11, i), 1 + i % 64));
    }
  });
  ASSERT_EQ(arrivals.size(), 100u);
  for (unsigned i = 0; i < 100; ++i) {
    EXPECT_EQ(arrivals[i].address, i);
    EXPECT_GE(arrivals[i].at, arrivals[i == 0 ? 0 : i - 1].at);
  }
}

/// A transaction longer than a packet arrives in parts, the last one shorter.
TEST_F(MeshNocTest, CutsTransactionsIntoPackets) {
  Bench& bench = benches().hold;
  NodeInitiator& initiator = bench.initiator(3);
  auto& arrivals = bench.memories[4]->arrivals;
  arrivals.clear();
  initiator.run(
      [&] { initiator.blocking(initiator.make(tlm::TLM_READ_COMMAND, address(4, 3), 600)); });
  ASSERT_EQ(arrivals.size(), 3u);
  EXPECT_EQ(arrivals[0].bytes, 256u);
  EXPECT_EQ(arrivals[1].address, 259u);
  EXPECT_EQ(arrivals[2].bytes, 88u);
}

TEST_F(MeshNocTest, ErrorsReachTheInitiator) {
  for (Bench* bench : {&benches().loose, &benches().approximate}) {
    NodeInitiator& initiator = bench->initiator(1);
    initiator.run([&] {
      // The second packet goes beyond the end of the memory.
      for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
        auto& blocking = initiator.make(command, address(7, NodeMemory::kBytes - 256), 257);
        blocking.expected_status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        initiator.blocking(blocking);
        auto& open = initiator.make(command, address(7, NodeMemory::kBytes - 256), 257);
        open.expected_status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
        initiator.send(open);
      }
    });
    EXPECT_EQ(initiator.open, 0u);
  }
}

TEST_F(MeshNocTest, DebugReachesTheMemoryAndDirectAccessIsRefused) {
  Bench& bench = benches().loose;
  bench.memories[7]->bytes[100] = 0x5A;
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address(7, 100));
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(bench.initiator(0).socket->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 0x5A);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(bench.initiator(0).socket->get_direct_mem_ptr(payload, dmi));
}

/// A memory that never answers takes `open_packets` of a node. The node then accepts nothing more;
/// the others go on.
TEST_F(MeshNocTest, AStuckMemoryBlocksItsSources) {
  Bench& bench = benches().stuck;
  bench.memories[6]->answers = false;
  NodeInitiator& blocked = bench.initiator(0);
  unsigned accepted = 0;
  blocked.start([&] {
    for (unsigned i = 0; i < 20; ++i) {
      blocked.send(blocked.make(tlm::TLM_WRITE_COMMAND, address(6, 0x100 + i), 1));
      ++accepted;
    }
  });
  NodeInitiator& free = bench.initiator(1);
  free.start([&] {
    for (unsigned i = 0; i < 100; ++i) {
      free.blocking(free.make(tlm::TLM_READ_COMMAND, address(i % 4, 0), 64));
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(accepted, MeshNoc::Parameters().open_packets);
  EXPECT_EQ(free.answered, 100u);
  const std::vector<std::string> lines = bench.noc.waiting();
  expect_line(lines, "stuck.node_2_1.memory.socket: the bound memory has not ",
              "accepted a write of 1 bytes at address 0x100, sent at ");
  expect_line(lines, "stuck.node_0_0.requests.socket: a write of 1 bytes at address 0x42000000100",
              "waits for its response");
  expect_line(lines, "stuck.node_0_0.requests.socket: a write of 1 bytes at address 0x42000000108",
              "waits for room in the network");
  EXPECT_EQ(lines.size(), 9u + 8u);
}

}  // namespace
