// The RISC-V core on a bus of the user: times of the bus, halts, errors.

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <map>
#include <vector>

#include "tensix_vp/systemc/riscv_core.h"
#include "tests/support/tlm_checker.h"
#include "tests/system/components/rv32.h"

namespace {

using namespace rv32;
using sc_core::sc_time;
using tensix_vp::RiscvCore;

/// Memory whose accesses take `latency`, annotated or waited for.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> code;
  tlm_utils::simple_target_socket<Memory> data;
  sc_time latency;
  bool waits = false;
  std::map<std::uint64_t, std::uint32_t> words;
  std::vector<sc_time> loads;  ///< times at which they came

  explicit Memory(const sc_core::sc_module_name& name)
      : sc_module(name), code("code"), data("data") {
    code.register_transport_dbg(this, &Memory::transport_dbg);
    data.register_b_transport(this, &Memory::b_transport);
  }

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    std::memcpy(payload.get_data_ptr(), &words[payload.get_address()], payload.get_data_length());
    return payload.get_data_length();
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    if (payload.get_address() >= 0x1000) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    std::uint32_t& word = words[payload.get_address()];
    if (payload.is_write()) {
      std::memcpy(&word, payload.get_data_ptr(), payload.get_data_length());
    } else {
      loads.push_back(sc_core::sc_time_stamp() + delay);
      std::memcpy(payload.get_data_ptr(), &word, payload.get_data_length());
    }
    delay += latency;
    if (waits) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A core with a memory of its own and a checker before it.
struct Bench {
  Memory memory;
  RiscvCore core;
  tvp::tests::TlmChecker<> checker;

  Bench(const std::string& name, unsigned ns, bool waits, const std::vector<std::uint32_t>& program)
      : memory((name + "_memory").c_str()),
        core((name + "_core").c_str()),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }) {
    core.instruction.bind(memory.code);
    core.data.bind(checker.from_initiator);
    checker.to_target.bind(memory.data);
    memory.latency = sc_time(ns, sc_core::SC_NS);
    memory.waits = waits;
    memory.words[0x800] = 40;
    for (std::size_t i = 0; i < program.size(); ++i) memory.words[4 * i] = program[i];
    core.release_reset();
  }
};

/// Two loads, the second of which needs the value of the first, a sum and a store.
const std::vector<std::uint32_t> kChain = {addi(1, 0, 0x400), lw(2, 1, 0x400), add(3, 2, 1),
                                           lw(4, 3, 0x3D8),   add(5, 4, 2),    sw(5, 1, 4),
                                           lw(6, 1, 4),       kEbreak};

struct Simulation {
  Bench near{"near", 5, false, kChain};
  Bench far{"far", 105, false, kChain};
  Bench waiting{"waiting", 105, true, kChain};
  Bench lost{"lost", 5, false, {lui(1, 0x10), sw(1, 1, 0), lw(2, 1, 0), addi(3, 0, 7), kEbreak}};
  Simulation() { sc_core::sc_start(sc_time(1, sc_core::SC_MS)); }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(RiscvCore, LoadsAndStoresThroughTheBus) {
  for (Bench* bench : {&simulation().near, &simulation().far, &simulation().waiting}) {
    EXPECT_TRUE(bench->core.halted());
    EXPECT_EQ(bench->core.reg(2), 40u);
    EXPECT_EQ(bench->core.reg(6), 80u);
    EXPECT_EQ(bench->memory.words[0x404], 80u);
    EXPECT_EQ(bench->core.instructions(), kChain.size());
  }
}

/// A load that needs the value of another comes when that is there.
TEST(RiscvCore, DependentLoadsWaitForTheBus) {
  const auto distance = [](const Bench& bench) {
    return (bench.memory.loads.at(1) - bench.memory.loads.at(0)).to_seconds() * 1e9;
  };
  const double near = distance(simulation().near);
  EXPECT_GE(near, 5);
  EXPECT_NEAR(distance(simulation().far) - near, 100, 1);
  EXPECT_EQ(distance(simulation().waiting), distance(simulation().far));
}

TEST(RiscvCore, HaltsAtALoadThatGetsAnError) {
  const Bench& lost = simulation().lost;
  EXPECT_TRUE(lost.core.halted());
  EXPECT_EQ(lost.core.reg(3), 0u);
  EXPECT_EQ(lost.core.pc(), 8u);
}

}  // namespace
