// The checker of TLM sockets: silent for correct transactions, and reports each broken rule.

#include "tests/support/tlm_checker.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <string>
#include <vector>

#include "models/noc/noc_protocol.h"
#include "models/support/bus_access.h"

namespace tvp::tests {
namespace {

using Payload = tlm::tlm_generic_payload;
using Phase = tlm::tlm_phase;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

struct Recycler : tlm::tlm_mm_interface {
  void free(Payload*) override {}
};

/// An initiator and a target that the test controls, with a checker between.
template <typename Rules, typename Types>
struct Bench : sc_core::sc_module {
  template <typename... More>
  explicit Bench(const sc_core::sc_module_name& name, More... more)
      : sc_module(name),
        checker(
            "checker", [this] { return now; }, more...) {
    checker.complain = [this](const std::string& text) { complaints.push_back(text); };
    initiator.register_nb_transport_bw(this, &Bench::backward);
    target.register_b_transport(this, &Bench::b_transport);
    target.register_nb_transport_fw(this, &Bench::forward);
    target.register_get_direct_mem_ptr(this, &Bench::direct);
    target.register_transport_dbg(this, &Bench::debug);
    initiator.bind(checker.from_initiator);
    checker.to_target.bind(target);
    payload.set_mm(&recycler);
    reset();
  }

  void reset() {
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0x40);
    payload.set_data_ptr(bytes);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    complaints.clear();
  }
  tlm::tlm_sync_enum send(Phase phase, sc_time delay = SC_ZERO_TIME) {
    return initiator->nb_transport_fw(payload, phase, delay);
  }
  void answer(Phase phase, sc_time delay = SC_ZERO_TIME) {
    target->nb_transport_bw(payload, phase, delay);
  }

  tlm_utils::simple_initiator_socket<Bench, 32, Types> initiator{"initiator"};
  tlm_utils::simple_target_socket<Bench, 32, Types> target{"target"};
  TlmChecker<Rules, Types> checker;
  Recycler recycler;
  Payload payload;
  unsigned char bytes[8] = {};
  sc_time now;
  std::vector<std::string> complaints;

  std::function<void(Payload&, sc_time&)> serve = [](Payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<tlm::tlm_sync_enum(Payload&, Phase&, sc_time&)> on_forward =
      [](Payload&, Phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
  tlm::tlm_sync_enum on_backward = tlm::TLM_ACCEPTED;
  std::function<bool(tlm::tlm_dmi&)> grant = [](tlm::tlm_dmi&) { return false; };
  unsigned debug_bytes = 4;

 private:
  void b_transport(Payload& p, sc_time& delay) { serve(p, delay); }
  tlm::tlm_sync_enum forward(Payload& p, Phase& phase, sc_time& delay) {
    return on_forward(p, phase, delay);
  }
  tlm::tlm_sync_enum backward(Payload&, Phase&, sc_time&) { return on_backward; }
  bool direct(Payload&, tlm::tlm_dmi& dmi) { return grant(dmi); }
  unsigned debug(Payload&) { return debug_bytes; }
};

using BaseBench = Bench<BasePhaseRules, tlm::tlm_base_protocol_types>;
using NocBench = Bench<NocPhaseRules, noc::NocProtocol>;

/// SystemC creates modules once per process, and binds sockets at elaboration.
struct Benches {
  BaseBench base{"base"};
  NocBench to_router{"to_router", NocPhaseRules::Towards::kRouter};
  NocBench to_niu{"to_niu", NocPhaseRules::Towards::kNiu};
  Benches() { sc_core::sc_start(SC_ZERO_TIME); }
};
Benches& benches() {
  static Benches all;
  return all;
}

class Checker : public ::testing::Test {
 protected:
  void SetUp() override { b.reset(); }
  void TearDown() override {
    b.serve = [](Payload& p, sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); };
    b.on_backward = tlm::TLM_ACCEPTED;
    b.now = SC_ZERO_TIME;
  }
  void transport() {
    sc_time delay(5, SC_NS);
    b.initiator->b_transport(b.payload, delay);
  }
  void expect(const std::vector<std::string>& texts) { EXPECT_EQ(b.complaints, texts); }
  BaseBench& b = benches().base;
};

TEST_F(Checker, HandsEverythingOn) {
  b.serve = [](Payload& p, sc_time& delay) {
    *p.get_data_ptr() = 0x5A;
    delay += sc_time(7, SC_NS);
    p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  };
  sc_time delay(5, SC_NS);
  b.initiator->b_transport(b.payload, delay);
  EXPECT_EQ(delay, sc_time(12, SC_NS));
  EXPECT_EQ(b.bytes[0], 0x5A);
  EXPECT_EQ(b.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect({});
}

TEST_F(Checker, InitiatorsMustInitialize) {
  b.payload.set_data_ptr(nullptr);
  b.payload.set_data_length(0);
  b.payload.set_streaming_width(0);
  b.payload.set_dmi_allowed(true);
  b.payload.set_response_status(tlm::TLM_OK_RESPONSE);
  transport();
  expect({"no data pointer", "data length 0", "streaming width 0", "DMI hint set by the initiator",
          "response status is TLM_OK_RESPONSE at the start"});
}

TEST_F(Checker, TargetsMustAnswerAndLeaveAttributes) {
  b.serve = [](Payload& p, sc_time& delay) {
    p.set_address(0);
    delay = SC_ZERO_TIME;
  };
  transport();
  expect({"b_transport changed the address", "b_transport took time back",
          "b_transport set no response"});
}

TEST_F(Checker, BlockedAccessesHaveNoResponse) {
  support::BusAccess access;
  access.blocked = true;
  b.payload.set_extension(&access);
  b.serve = [](Payload&, sc_time&) {};
  transport();
  expect({});
  b.serve = [](Payload& p, sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); };
  transport();
  expect({"b_transport blocked and set a response"});
  b.payload.clear_extension(&access);
}

TEST_F(Checker, DirectMemoryAndDebug) {
  tlm::tlm_dmi dmi;
  b.grant = [](tlm::tlm_dmi& d) {
    d.set_start_address(8);
    d.set_end_address(4);
    d.allow_none();
    return true;
  };
  EXPECT_TRUE(b.initiator->get_direct_mem_ptr(b.payload, dmi));
  b.debug_bytes = 5;
  EXPECT_EQ(b.initiator->transport_dbg(b.payload), 5u);
  expect({"DMI: empty range", "DMI: granted without a pointer", "DMI: granted, and nothing allowed",
          "transport_dbg: more moved than asked for"});
}

TEST_F(Checker, PhasesInOrderAreSilent) {
  b.send(tlm::BEGIN_REQ, sc_time(1, SC_NS));
  EXPECT_EQ(b.checker.open(), 1u);
  b.answer(tlm::END_REQ, sc_time(2, SC_NS));
  b.payload.set_response_status(tlm::TLM_OK_RESPONSE);
  b.on_backward = tlm::TLM_COMPLETED;
  b.answer(tlm::BEGIN_RESP, sc_time(9, SC_NS));
  EXPECT_EQ(b.checker.open(), 0u);
  expect({});
}

TEST_F(Checker, PhasesOutOfOrder) {
  b.answer(tlm::END_REQ);
  expect({"END_REQ of a payload that is not open"});
  b.reset();
  b.now = sc_time(10, SC_NS);
  b.send(tlm::BEGIN_REQ, sc_time(5, SC_NS));
  b.send(tlm::BEGIN_REQ, sc_time(5, SC_NS));
  b.answer(tlm::BEGIN_RESP, sc_time(1, SC_NS));
  b.payload.set_address(0x44);
  b.payload.set_response_status(tlm::TLM_OK_RESPONSE);
  b.answer(tlm::END_REQ, sc_time(1, SC_NS));
  b.answer(tlm::END_RESP);
  expect({"BEGIN_REQ: the same payload is still open", "BEGIN_RESP before BEGIN_REQ in time",
          "BEGIN_RESP without a response", "END_REQ after BEGIN_RESP",
          "END_REQ: address changed since BEGIN_REQ", "END_RESP on the backward path"});
  b.payload.set_address(0x40);
  b.send(tlm::END_RESP, sc_time(1, SC_NS));
}

TEST_F(Checker, DelaysBelowZero) {
  b.send(tlm::BEGIN_REQ, SC_ZERO_TIME - sc_time(1, SC_NS));
  ASSERT_EQ(b.complaints.size(), 1u);
  EXPECT_NE(b.complaints[0].find("below zero?"), std::string::npos);
  b.payload.set_response_status(tlm::TLM_OK_RESPONSE);
  b.on_backward = tlm::TLM_COMPLETED;
  b.now = sc_time(1, SC_NS);
  b.answer(tlm::BEGIN_RESP);
}

TEST(NocChecker, PacketsTowardsARouter) {
  NocBench& b = benches().to_router;
  b.reset();
  b.send(tlm::BEGIN_REQ, sc_time(3, SC_NS));
  b.send(noc::TAIL_ARRIVED);
  b.answer(tlm::END_REQ, sc_time(1, SC_NS));
  b.answer(tlm::END_REQ);
  EXPECT_EQ(b.complaints,
            (std::vector<std::string>{"TAIL_ARRIVED on the forward path",
                                      "END_REQ before BEGIN_REQ in time",
                                      "END_REQ of a packet that does not wait for it"}));
  EXPECT_EQ(b.checker.open(), 0u);
}

TEST(NocChecker, PacketsTowardsANiuEndWithTailAndPlace) {
  NocBench& b = benches().to_niu;
  b.reset();
  b.send(noc::TAIL_ARRIVED);
  EXPECT_EQ(b.complaints,
            std::vector<std::string>{"TAIL_ARRIVED of a packet that is not arriving"});
  b.reset();
  b.on_forward = [](Payload&, Phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  b.send(tlm::BEGIN_REQ);
  EXPECT_EQ(b.checker.open(), 1u);
  b.send(noc::TAIL_ARRIVED, sc_time(4, SC_NS));
  EXPECT_EQ(b.checker.open(), 0u);
  EXPECT_EQ(b.complaints, std::vector<std::string>{});
}

}  // namespace
}  // namespace tvp::tests
