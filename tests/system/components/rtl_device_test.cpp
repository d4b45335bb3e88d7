// Devices in RTL behind target sockets of the base protocol: data, times, random traffic, and a
// device that is never ready.

#include "tensix_vp/systemc/rtl_device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ram_device.h"
#include "slow_device.h"
#include "stuck_device.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"

namespace {

using sc_core::sc_time;
using tensix_vp::RtlDevice;
using tvp::tests::RandomTraffic;
using tvp::tests::ReportRecorder;
using tvp::tests::TrafficRules;

constexpr std::uint64_t kBytes = 4096;

TrafficRules memory_rules() {
  TrafficRules rules;
  rules.memory = {{0, kBytes, false}};
  rules.absent = {std::uint64_t{1} << 32, ~0ULL - 0x1000};
  rules.longest = 64;
  rules.debug = false;
  return rules;
}

RtlDevice::Parameters with_period(double ns) {
  RtlDevice::Parameters parameters;
  parameters.period = sc_time(ns, sc_core::SC_NS);
  parameters.patience_cycles = 50;
  return parameters;
}

/// An initiator without a process.
struct Initiator : sc_core::sc_module {
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {}
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  unsigned bytes, sc_time& delay) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    bus->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm_utils::simple_initiator_socket<Initiator> bus;
};

/// The modules of all tests, since SystemC has one elaboration in a process.
struct Bench {
  ReportRecorder reports;
  RtlDevice random{"random", make_ram_device()};
  RtlDevice slow{"slow", make_slow_device(), with_period(2)};
  RtlDevice stuck{"stuck", make_stuck_device(), with_period(2)};
  RandomTraffic traffic{"traffic", memory_rules(), tvp::test::fuzz_seed(),
                        tvp::test::fuzz_cases(3000)};
  Initiator to_slow{"to_slow"};
  Initiator to_stuck{"to_stuck"};
  Bench() {
    traffic.socket.bind(random.socket);
    to_slow.bus.bind(slow.socket);
    to_stuck.bus.bind(stuck.socket);
  }
};

Bench& bench() {
  static Bench* const made = new Bench;
  return *made;
}

/// `slow` has three wait states and a period of 2 ns.
TEST(RtlDevice, AnnotatesTheTimeOfTheLastWord) {
  Initiator& initiator = bench().to_slow;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::uint32_t words[2] = {0x11223344, 0x55667788};
  sc_time delay;
  // Four edges at 2, 4, 6 and 8 ns.
  EXPECT_EQ(initiator.access(tlm::TLM_WRITE_COMMAND, 0x10, words, 4, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_time(8, sc_core::SC_NS));
  // Two words, from the annotated time on.
  EXPECT_EQ(initiator.access(tlm::TLM_WRITE_COMMAND, 0x14, words, 8, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_time(24, sc_core::SC_NS));
  // A request in the past of the device waits for it.
  delay = sc_time(1, sc_core::SC_NS);
  std::uint16_t half = 0;
  EXPECT_EQ(initiator.access(tlm::TLM_READ_COMMAND, 0x12, &half, 2, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(half, 0x1122);
  EXPECT_EQ(delay, sc_time(32, sc_core::SC_NS));
  // Idle edges run with the next access: the first one after 101 ns is at 102 ns.
  delay = sc_time(101, sc_core::SC_NS);
  std::uint64_t across = 0;
  EXPECT_EQ(initiator.access(tlm::TLM_READ_COMMAND, 0x12, &across, 8, delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(across, 0x7788'1122'3344'1122);
  EXPECT_EQ(delay, sc_time(124, sc_core::SC_NS));
}

TEST(RtlDevice, IsNamedIfItIsNeverReady) {
  ReportRecorder::reports().clear();
  std::uint32_t word = 0;
  sc_time delay;
  EXPECT_EQ(bench().to_stuck.access(tlm::TLM_READ_COMMAND, 0x20, &word, 4, delay),
            tlm::TLM_GENERIC_ERROR_RESPONSE);
  ASSERT_EQ(ReportRecorder::reports().size(), 1u);
  EXPECT_EQ(ReportRecorder::reports()[0].type, "/tensix_vp");
  EXPECT_EQ(ReportRecorder::reports()[0].text,
            "stuck.socket: the RTL is never ready for the read at address 0x20, 50 edges until 100 "
            "ns");
}

TEST(RtlDevice, ServesRandomTraffic) {
  RandomTraffic& traffic = bench().traffic;
  sc_core::sc_start();
  EXPECT_TRUE(traffic.finished());
  EXPECT_GT(traffic.counts().blocking, 500u);
  EXPECT_GT(traffic.counts().phased, 500u);
  EXPECT_GT(traffic.counts().refused, 50u);
}

}  // namespace
