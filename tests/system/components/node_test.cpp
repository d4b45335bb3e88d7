// Modules of the user at nodes of the NoCs: random requests arrive whole; errors and missing
// answers are named.

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <random>
#include <vector>

#include "tensix_vp/systemc/board.h"
#include "tests/support/tlm_checker.h"

namespace {

using sc_core::sc_time;
using tensix_vp::Board;

constexpr std::uint64_t kBytes = 1 << 16;
constexpr unsigned kTransactions = 2000;

/// A memory at a node, and an initiator of requests to another node.
class Module : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Module> arriving;
  tlm_utils::simple_initiator_socket<Module> leaving;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kBytes);
  std::vector<std::uint8_t> shadow = std::vector<std::uint8_t>(kBytes);
  unsigned seed = 0;
  std::uint64_t to = 0;  ///< address on `leaving`
  unsigned wrong = 0;
  std::vector<tlm::tlm_response_status> refusals;

  explicit Module(const sc_core::sc_module_name& name)
      : sc_module(name), arriving("arriving"), leaving("leaving") {
    SC_HAS_PROCESS(Module);
    arriving.register_b_transport(this, &Module::b_transport);
    arriving.register_transport_dbg(this, &Module::transport_dbg);
    SC_THREAD(run);
  }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address,
                                  std::uint8_t* data, unsigned length, unsigned width) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(width);
    sc_time delay(double(seed), sc_core::SC_NS);
    leaving->b_transport(payload, delay);
    return payload.get_response_status();
  }

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address >= kBytes || length > kBytes - address) return 0;
    for (unsigned i = 0; i < length; ++i) {
      const std::uint8_t* const enables = payload.get_byte_enable_ptr();
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == 0) continue;
      if (payload.is_write()) {
        bytes[address + i] = payload.get_data_ptr()[i];
      } else {
        payload.get_data_ptr()[i] = bytes[address + i];
      }
    }
    return length;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const bool there = transport_dbg(payload) != 0;
    delay += sc_time(7, sc_core::SC_NS);
    payload.set_response_status(there ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  /// Each module has a half of the other one's memory to itself.
  void run() {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> data(20'000);
    const std::uint64_t half = seed % 2 * kBytes / 2;
    for (unsigned i = 0; i < kTransactions; ++i) {
      const auto length =
          static_cast<unsigned>(i % 16 == 0 ? 1 + random() % data.size() : 1 + random() % 200);
      const std::uint64_t at = half + random() % (kBytes / 2 - length);
      if (random() % 2 == 0) {
        for (unsigned k = 0; k < length; ++k)
          data[k] = shadow[at + k] = static_cast<std::uint8_t>(random());
        if (access(tlm::TLM_WRITE_COMMAND, to + at, data.data(), length, length) !=
            tlm::TLM_OK_RESPONSE)
          ++wrong;
      } else {
        if (access(tlm::TLM_READ_COMMAND, to + at, data.data(), length, length) !=
            tlm::TLM_OK_RESPONSE)
          ++wrong;
        if (!std::equal(data.begin(), data.begin() + length, shadow.begin() + long(at))) ++wrong;
      }
    }
    refusals.push_back(access(tlm::TLM_READ_COMMAND, to, data.data(), 8, 4));
    refusals.push_back(access(tlm::TLM_READ_COMMAND, ~0ULL << 49, data.data(), 8, 8));
    refusals.push_back(
        access(tlm::TLM_READ_COMMAND, Board::noc_address(15, 15, 0), data.data(), 8, 8));
    refusals.push_back(access(tlm::TLM_READ_COMMAND, Board::noc_address(1, 2, (1ULL << 36) - 4),
                              data.data(), 8, 8));
  }
};

/// A memory that accepts requests and never answers.
class Silent : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  explicit Silent(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_time&) override {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

Board::Parameters two_nodes(Board::Timing timing) {
  Board::Parameters parameters;
  parameters.foreign_nodes = {{.chip = 0, .x = 2, .y = 1}, {.chip = 0, .x = 4, .y = 5}};
  parameters.foreign_timing = timing;
  return parameters;
}

/// Two modules at nodes of a board that access each other.
struct Pair {
  Board board;
  Module a;
  Module b;
  tvp::tests::TlmChecker<> checker;  ///< before the memory of `b`

  Pair(const std::string& name, Board::Timing timing)
      : board((name + "_board").c_str(), two_nodes(timing)),
        a((name + "_a").c_str()),
        b((name + "_b").c_str()),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }) {
    board.node_memory({.chip = 0, .x = 2, .y = 1}).bind(a.arriving);
    board.node_memory({.chip = 0, .x = 4, .y = 5}).bind(checker.from_initiator);
    checker.to_target.bind(b.arriving);
    a.leaving.bind(board.node_requests({.chip = 0, .x = 2, .y = 1}));
    b.leaving.bind(board.node_requests({.chip = 0, .x = 4, .y = 5}));
    a.seed = 1;
    b.seed = 2;
    a.to = Board::noc_address(4, 5, 0);
    b.to = Board::noc_address(9 - 2, 11 - 1, 0, 1);  // node (2,1) in coordinates of NoC 1
  }
};

/// A module whose target never answers.
struct Lost {
  Board board;
  Silent silent{"silent"};
  Module module{"asking"};
  Lost() : board("lost_board", two_nodes(Board::Timing::kApproximate)) {
    board.node_memory({.chip = 0, .x = 2, .y = 1}).bind(module.arriving);
    board.node_memory({.chip = 0, .x = 4, .y = 5}).bind(silent.socket);
    module.leaving.bind(board.node_requests({.chip = 0, .x = 2, .y = 1}));
    module.to = Board::noc_address(4, 5, 0);
  }
};

struct Simulation {
  Pair loose{"loose", Board::Timing::kLoose};
  Pair approximate{"approximate", Board::Timing::kApproximate};
  Lost lost;
  Simulation() { sc_core::sc_start(); }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(Node, RandomRequestsOfTwoModulesArriveWhole) {
  for (Pair* pair : {&simulation().loose, &simulation().approximate}) {
    EXPECT_EQ(pair->a.wrong, 0u);
    EXPECT_EQ(pair->b.wrong, 0u);
    EXPECT_EQ(pair->checker.open(), 0u);
    EXPECT_GT(pair->checker.calls(), kTransactions);
    // The lower half of a's memory is b's, the upper half of b's memory a's.
    EXPECT_TRUE(std::equal(pair->b.bytes.begin() + kBytes / 2, pair->b.bytes.end(),
                           pair->a.shadow.begin() + kBytes / 2));
    EXPECT_TRUE(std::equal(pair->a.bytes.begin(), pair->a.bytes.begin() + kBytes / 2,
                           pair->b.shadow.begin()));
  }
}

TEST(Node, RefusesRequestsThatCannotBeSent) {
  const std::vector<tlm::tlm_response_status> expected = {
      tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
      tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE};
  EXPECT_EQ(simulation().loose.a.refusals, expected);
}

TEST(Node, NamesTheModuleThatNeverAnswers) {
  const std::vector<std::string> lines = simulation().lost.board.waiting();
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("foreign_4_5.memory.socket: the bound memory has not answered a "),
            std::string::npos)
      << lines[0];
}

}  // namespace
