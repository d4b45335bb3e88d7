// Nodes in RTL: requests that arrive, requests of their own, random traffic, and a node that never
// answers.

#include "tensix_vp/systemc/rtl_node.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <vector>

#include "copy_node.h"
#include "silent_node.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"

namespace {

using sc_core::sc_time;
using tensix_vp::RtlNode;
using tvp::tests::RandomTraffic;
using tvp::tests::ReportRecorder;
using tvp::tests::TrafficRules;

constexpr sc_core::sc_time_unit kNs = sc_core::SC_NS;

TrafficRules memory_rules() {
  TrafficRules rules;
  rules.memory = {{0, 4096, false}};
  rules.longest = 64;
  rules.debug = false;
  return rules;
}

/// A memory of 256 bytes that takes 30 ns.
struct Memory : sc_core::sc_module {
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    if (address + payload.get_data_length() > bytes.size())
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (payload.is_write()) {
      std::memcpy(&bytes[address], payload.get_data_ptr(), payload.get_data_length());
    } else {
      std::memcpy(payload.get_data_ptr(), &bytes[address], payload.get_data_length());
    }
    delay += sc_time(30, kNs);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(256);
};

/// An initiator with a program.
struct Initiator : sc_core::sc_module {
  using Program = void (*)(Initiator&);
  Initiator(const sc_core::sc_module_name& name, Program its)
      : sc_module(name), bus("bus"), program(its) {
    sc_core::sc_spawn([this] { program(*this); });
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint64_t& word) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    sc_time delay;
    bus->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.get_response_status();
  }
  void write(std::uint64_t address, std::uint64_t word) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, word), tlm::TLM_OK_RESPONSE);
  }
  std::uint64_t read(std::uint64_t address) {
    std::uint64_t word = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, word), tlm::TLM_OK_RESPONSE);
    return word;
  }
  tlm_utils::simple_initiator_socket<Initiator> bus;
  Program program;
  std::vector<std::uint64_t> got;
  std::vector<sc_time> times;
};

/// The node copies through its own requests; the second copy gets an error response.
void copy(Initiator& host) {
  for (const std::uint64_t to : {0x40U, 0x1000U}) {
    host.write(0x2008, to);
    host.write(0x2000, 0x1122334455667788);
    sc_core::wait(200, kNs);
    host.got.push_back(host.read(0x2010));
    host.times.push_back(sc_core::sc_time_stamp());
  }
}

void ask_silent(Initiator& host) {
  std::uint64_t word = 0;
  EXPECT_EQ(host.access(tlm::TLM_READ_COMMAND, 0x80, word), tlm::TLM_GENERIC_ERROR_RESPONSE);
  host.times.push_back(sc_core::sc_time_stamp());
}

RtlNode::Parameters impatient() {
  RtlNode::Parameters parameters;
  parameters.period = sc_time(2, kNs);
  parameters.patience_cycles = 50;
  return parameters;
}

/// The modules of all tests, since SystemC has one elaboration in a process.
struct Simulation {
  ReportRecorder reports;
  RtlNode random{"random", make_copy_node()};
  RtlNode copying{"copying", make_copy_node()};
  RtlNode silent{"silent", make_silent_node(), impatient()};
  Memory memory{"memory"};
  Memory unused[2]{Memory("unused0"), Memory("unused1")};
  RandomTraffic traffic{"traffic", memory_rules(), tvp::test::fuzz_seed(),
                        tvp::test::fuzz_cases(3000)};
  Initiator copier{"copier", copy};
  Initiator asker{"asker", ask_silent};
  Simulation() {
    traffic.socket.bind(random.memory);
    copier.bus.bind(copying.memory);
    asker.bus.bind(silent.memory);
    copying.requests.bind(memory.socket);
    random.requests.bind(unused[0].socket);
    silent.requests.bind(unused[1].socket);
    sc_core::sc_start();
  }
};

Simulation& simulation() {
  static Simulation* const made = new Simulation;
  return *made;
}

/// The clock stops with the last request, so sc_start() returns.
TEST(RtlNode, ServesRandomTraffic) {
  const RandomTraffic& traffic = simulation().traffic;
  EXPECT_TRUE(traffic.finished());
  EXPECT_GT(traffic.counts().blocking, 500u);
  EXPECT_GT(traffic.counts().phased, 500u);
  EXPECT_GT(traffic.counts().refused, 20u);
}

TEST(RtlNode, SendsRequestsOfItsOwn) {
  const std::uint64_t word = 0x1122334455667789;
  EXPECT_EQ(std::memcmp(&simulation().memory.bytes[0x40], &word, 8), 0);
  ASSERT_EQ(simulation().copier.got.size(), 2u);
  EXPECT_EQ(simulation().copier.got[0], word);
  EXPECT_EQ(simulation().copier.got[1], ~std::uint64_t{0});
}

TEST(RtlNode, IsNamedIfItNeverAnswers) {
  ASSERT_EQ(simulation().asker.times.size(), 1u);
  EXPECT_EQ(simulation().asker.times[0], sc_time(100, kNs));
  EXPECT_EQ(ReportRecorder::count(
                sc_core::SC_WARNING,
                {"silent.memory: the RTL does not answer the read at address 0x80, 50 edges until "
                 "100 ns"}),
            1u);
}

}  // namespace
