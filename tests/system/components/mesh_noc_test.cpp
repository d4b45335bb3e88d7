// A mesh of routers between modules of the user: bytes, order, times, back-pressure, errors.

#include "tensix_vp/systemc/mesh_noc.h"

#include "tests/system/components/node_bench.h"

namespace {

using sc_core::sc_time;
using tensix_vp::MeshNoc;
using tvp::tests::NodeInitiator;
using tvp::tests::NodeMemory;
using Bench = tvp::tests::NodeBench<MeshNoc>;
using Alone = tvp::tests::LoneInitiator<MeshNoc>;
using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr unsigned kNodes = Bench::kNodes;

std::uint64_t address(unsigned node, std::uint64_t offset) { return Bench::address(node, offset); }
/// Routers on a shortest route.
unsigned routers(unsigned from, unsigned to) {
  const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  return apart(Bench::x_of(from), Bench::x_of(to)) + apart(Bench::y_of(from), Bench::y_of(to)) + 1;
}

MeshNoc::Parameters parameters(MeshNoc::Timing timing, Settings settings = {}) {
  MeshNoc::Parameters parameters;
  parameters.width = Bench::kWidth;
  parameters.height = Bench::kHeight;
  parameters.timing = timing;
  parameters.settings = std::move(settings);
  return parameters;
}

const Settings kOrdered = {{"vcs", "1"}};

/// SystemC elaborates once: all modules are there from the start.
struct Benches {
  Bench loose{"loose", parameters(MeshNoc::Timing::kLoose)};
  Bench approximate{"approximate", parameters(MeshNoc::Timing::kApproximate)};
  Bench ordered{"ordered", parameters(MeshNoc::Timing::kApproximate, kOrdered)};
  Bench twin{"twin", parameters(MeshNoc::Timing::kApproximate, kOrdered)};
  Bench hold{"hold", parameters(MeshNoc::Timing::kApproximate, {{"flow_control", "hold"}})};
  Bench odd_clock{"odd_clock", [] {
                    auto odd = parameters(MeshNoc::Timing::kLoose, {{"routing", "west_first"}});
                    odd.clock_mhz = 350;
                    odd.flit_bytes = 5;
                    odd.packet_bytes = 33;
                    odd.open_packets = 1;
                    return odd;
                  }()};
  Bench stuck{"stuck", parameters(MeshNoc::Timing::kApproximate)};
  Alone alone{"alone", parameters(MeshNoc::Timing::kLoose)};
  Alone broken{"broken", parameters(MeshNoc::Timing::kLoose,
                                    {{"faults", "link:1.0.east@0"}, {"max_retries", "0"}})};
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
  expect([](P& p) { p.settings = {{"router", "rtl"}}; }, "expects tlm");
  expect([](P& p) { p.settings = {{"flow_control", "static"}}; }, "expected another flow control");
}

class MeshNocTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    benches();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the threads wait for their jobs
  }
};

/// The first test, since 200 cycles after the fault the packets take another way.
TEST_F(MeshNocTest, ALostPacketIsAnError) {
  Alone& broken = benches().broken;
  sc_core::sc_report_handler::set_actions("/tensix_vp", sc_core::SC_WARNING,
                                          sc_core::SC_DO_NOTHING);
  broken.initiator.run([&] {
    auto& t = broken.initiator.make(tlm::TLM_READ_COMMAND, MeshNoc::address(3, 1, 0), 4);
    t.expected_status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    broken.initiator.blocking(t);
  });
  EXPECT_EQ(broken.initiator.answered, 1u);
  EXPECT_EQ(broken.noc.statistics().lost, 1u);
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
              initiator.sleep(sc_time(1, sc_core::SC_US));
              initiator.blocking(initiator.make(command, address(to, 0), bytes));
              EXPECT_EQ(initiator.last_latency, law) << from << " to " << to << ": " << bytes;
              initiator.sleep(sc_time(1, sc_core::SC_US));
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

TEST_F(MeshNocTest, RandomBlockingTrafficArrivesWhole) {
  const unsigned count = tvp::tests::transactions(2000);
  for (Bench* bench : {&benches().loose, &benches().odd_clock, &benches().approximate}) {
    bench->start_traffic(1, count, true);
    sc_core::sc_start();
    bench->expect_answers(count);
  }
}

/// With one virtual channel and xy, packets between two nodes keep their order, so accesses of one
/// address may be open at once. Equal networks with equal traffic take equal times.
TEST_F(MeshNocTest, RandomOpenTrafficArrivesWholeAndTwice) {
  const unsigned count = tvp::tests::transactions(2000);
  Benches& all = benches();
  for (Bench* bench : {&all.ordered, &all.twin, &all.hold}) bench->start_traffic(2, count, false);
  sc_core::sc_start();
  for (Bench* bench : {&all.ordered, &all.twin, &all.hold}) bench->expect_answers(count);
  for (unsigned node = 0; node < kNodes; ++node) {
    EXPECT_TRUE(all.ordered.initiator(node).ends == all.twin.initiator(node).ends) << node;
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

TEST_F(MeshNocTest, RefusesWhatItCannotSend) {
  benches().alone.misuse(tvp::tests::transactions(2000),
                         {MeshNoc::address(4, 0, 0), MeshNoc::address(0, 3, 0),
                          MeshNoc::address(0, 0, 0),  // no target
                          MeshNoc::address(3, 1, (1ULL << 36) - 1) + 1, ~0ULL << 48});
}

TEST_F(MeshNocTest, ReportsPhasesOutOfOrder) {
  Alone& alone = benches().alone;
  for (const tlm::tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP}) {
    const std::string text = alone.report_of(phase);
    EXPECT_NE(text.find("alone.node_0_0.requests.socket"), std::string::npos) << text;
    EXPECT_NE(text.find("0x43000000040"), std::string::npos) << text;
    EXPECT_NE(text.find(" at " + sc_core::sc_time_stamp().to_string()), std::string::npos) << text;
  }
  EXPECT_EQ(alone.report_of(tlm::BEGIN_REQ), "");
  EXPECT_NE(alone.report_of(tlm::BEGIN_REQ).find("before the END_REQ of another"),
            std::string::npos);
  sc_core::sc_start();
}

TEST_F(MeshNocTest, DebugReachesTheMemoryAndDirectAccessIsRefused) {
  Alone& alone = benches().alone;
  alone.memory.bytes[100] = 0x5A;
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(MeshNoc::address(3, 1, 100));
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  EXPECT_EQ(alone.initiator.socket->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 0x5A);
  payload.set_address(MeshNoc::address(3, 2, 100));
  EXPECT_EQ(alone.initiator.socket->transport_dbg(payload), 0u);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(alone.initiator.socket->get_direct_mem_ptr(payload, dmi));
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
  const auto has = [&](const std::string& text) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(
      has("stuck.node_2_1.memory.socket: the bound memory has not accepted a write of 1 "
          "bytes at address 0x100, sent at "));
  EXPECT_TRUE(has("stuck.node_0_0.requests.socket: a write of 1 bytes at address 0x42000000100"));
  EXPECT_TRUE(has("waits for room in the network"));
  for (const std::string& line : lines) SCOPED_TRACE(line);
  EXPECT_EQ(lines.size(), 9u + 8u);
}

}  // namespace
