// Wrong use of sockets, and the texts that name it.

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/dram_memory.h"
#include "tensix_vp/systemc/riscv_core.h"
#include "tests/support/child_output.h"
#include "tests/support/random_responder.h"
#include "tests/support/report_recorder.h"
#include "tests/system/components/rv32.h"

namespace {

using sc_core::sc_time;
using tensix_vp::Board;
using tensix_vp::DramMemory;
using tensix_vp::RiscvCore;
using tvp::tests::RandomResponder;
using tvp::tests::ReportRecorder;
using Act = RandomResponder::Act;
using Payload = tlm::tlm_generic_payload;

struct Manager : tlm::tlm_mm_interface {
  void free(Payload*) override {}
};

/// Runs its job in a thread at the start.
class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::function<void(Initiator&)> job;
  unsigned responses = 0;

  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Initiator);
    socket.register_nb_transport_bw(this, &Initiator::backward);
    SC_THREAD(run);
  }
  /// A read of 4 bytes at the address.
  Payload& payload(std::uint64_t address, bool managed = true) {
    tlm::tlm_mm_interface* const manager = managed ? &manager_ : nullptr;
    all_.push_back(std::make_unique<Payload>(manager));
    Payload& payload = *all_.back();
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data_);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    if (managed) payload.acquire();
    return payload;
  }
  tlm::tlm_sync_enum forward(Payload& payload, const tlm::tlm_phase& phase) {
    tlm::tlm_phase its = phase;
    sc_time delay;
    return socket->nb_transport_fw(payload, its, delay);
  }
  tlm::tlm_response_status read(std::uint64_t address) {
    sc_time delay;
    Payload& read = payload(address);
    socket->b_transport(read, delay);
    return read.get_response_status();
  }

 private:
  void run() {
    if (job) job(*this);
  }
  tlm::tlm_sync_enum backward(Payload&, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++responses;
    return tlm::TLM_COMPLETED;
  }
  Manager manager_;
  std::vector<std::unique_ptr<Payload>> all_;
  unsigned char data_[4] = {};
};

constexpr Board::Node kFrom{0, 2, 1};
constexpr Board::Node kTo{0, 4, 5};

Board::Parameters two_nodes() {
  Board::Parameters parameters;
  parameters.foreign_nodes = {kFrom, kTo};
  return parameters;
}

/// An initiator at a node whose target does what it must not.
struct Pair {
  Board board;
  Initiator from;
  RandomResponder other;
  RandomResponder to;
  unsigned answers = 0;

  Pair(const std::string& name, Act act, unsigned requests)
      : board((name + "_board").c_str(), two_nodes()),
        from((name + "_from").c_str()),
        other((name + "_other").c_str(), 1),
        to((name + "_to").c_str(), 1, RandomResponder::Manners{{act}, 1000}) {
    board.node_memory(kFrom).bind(other.socket);
    board.node_memory(kTo).bind(to.socket);
    from.socket.bind(board.node_requests(kFrom));
    from.job = [this, requests](Initiator& initiator) {
      for (unsigned i = 0; i < requests; ++i) {
        initiator.read(Board::noc_address(kTo.x, kTo.y, 0x40 + 4 * i));
        ++answers;
      }
    };
  }
};

/// Code of which only the first word exists, and a bus without memory.
struct Lost {
  class Target : public sc_core::sc_module {
   public:
    tlm_utils::simple_target_socket<Target> socket;
    explicit Target(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
      socket.register_b_transport(this, &Target::b_transport);
      socket.register_transport_dbg(this, &Target::transport_dbg);
    }

   private:
    void b_transport(Payload& payload, sc_time&) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    unsigned transport_dbg(Payload& payload) {
      if (payload.get_address() > 0) return 0;
      const std::uint32_t word = rv32::addi(1, 0, 5);
      std::memcpy(payload.get_data_ptr(), &word, sizeof word);
      return sizeof word;
    }
  };
  RiscvCore core{"lost_core"};
  Target code{"lost_code"};
  Target data{"lost_data"};
  Lost() {
    core.instruction.bind(code.socket);
    core.data.bind(data.socket);
    core.release_reset();
  }
};

struct Simulation {
  ReportRecorder reports;
  Board board{"board"};
  DramMemory memory{"memory"};
  Initiator host{"host"};
  Initiator cpu{"cpu"};
  Pair past{"past", Act::kPast, 8};
  Pair phase{"phase", Act::kPhase, 1};
  Pair twice{"twice", Act::kTwice, 1};
  Pair stranger{"stranger", Act::kStranger, 1};
  Pair change{"change", Act::kChange, 1};
  Pair no_status{"no_status", Act::kNoStatus, 1};
  Pair error{"error", Act::kError, 1};
  Pair never{"never", Act::kNever, 1};
  Lost lost;
  std::vector<std::string> texts;  ///< reports about the host and the CPU
  tlm::tlm_response_status misaligned{};
  std::vector<std::string> waiting;

  Simulation() {
    host.socket.bind(board.pcie);
    cpu.socket.bind(memory.socket);
    const auto last = [this] {
      texts.push_back(ReportRecorder::reports().empty() ? "none"
                                                        : ReportRecorder::reports().back().text);
      ReportRecorder::reports().clear();
    };
    host.job = [this, last](Initiator& initiator) {
      const std::uint64_t bar0 = Board::bar(0, 0);
      initiator.forward(initiator.payload(bar0), tlm::END_RESP);
      last();
      initiator.forward(initiator.payload(bar0), tlm::BEGIN_RESP);
      last();
      initiator.forward(initiator.payload(bar0, false), tlm::BEGIN_REQ);
      last();
      Payload& payload = initiator.payload(bar0 + 0x1FC00000);
      initiator.forward(payload, tlm::BEGIN_REQ);
      initiator.forward(payload, tlm::BEGIN_REQ);
      last();
      misaligned = initiator.read(Board::bar(0, 2) + 2);
      last();
    };
    cpu.job = [last](Initiator& initiator) {
      initiator.forward(initiator.payload(0x80), tlm::BEGIN_REQ);
      initiator.forward(initiator.payload(0xC0), tlm::BEGIN_REQ);
      last();
      initiator.forward(initiator.payload(0x100), tlm::END_RESP);
      last();
    };
    sc_core::sc_start();
    waiting = never.board.waiting();
  }
  /// The report of the board with the name.
  static std::string of(const std::string& name) {
    for (const auto& report : ReportRecorder::reports())
      if (report.text.find(name + "_board.") != std::string::npos) return report.text;
    return "none";
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

/// The error of SystemC when the elaboration ends.
std::string elaboration_error(const std::function<void()>& make) {
  return tvp::test::output_of_child([&]() -> std::string {
           try {
             make();
             sc_core::sc_start();
           } catch (const std::exception& error) {
             return error.what();
           }
           return "none";
         })
      .text;
}

// Before the simulation starts, since the elaboration happens once in a process.
TEST(Misuse, UnboundSocketsAreNamed) {
  static std::vector<std::shared_ptr<void>> kept;
  const auto expect = [](const std::function<void()>& make, const std::string& socket) {
    const std::string text = elaboration_error(make);
    const std::string expected =
        "Error: (E109) complete binding failed: port not bound: port '" + socket;
    EXPECT_TRUE(text.starts_with(expected)) << text << " instead of " << expected;
  };
  expect([] { kept.push_back(std::make_shared<DramMemory>("memory")); }, "memory.socket");
  expect([] { kept.push_back(std::make_shared<RiscvCore>("core")); }, "core.data'");
  expect(
      [] {
        kept.push_back(std::make_shared<RandomResponder>("data", 1));
        kept.push_back(std::make_shared<RiscvCore>("core"));
        static_cast<RiscvCore*>(kept[1].get())
            ->data.bind(static_cast<RandomResponder*>(kept[0].get())->socket);
      },
      "core.instruction'");
  expect(
      [] {
        Board::Parameters parameters;
        parameters.foreign_dram = {{0, 0, 0}};
        kept.push_back(std::make_shared<Board>("board", parameters));
      },
      "board.machine.chip0.dram_0.channel0.memory.socket'");
}

TEST(Misuse, PhasesOfTheHostAreNamed) {
  const std::string from = "board.pcie: the initiator of the transaction at address ";
  const std::vector<std::string>& texts = simulation().texts;
  ASSERT_EQ(texts.size(), 7u);
  EXPECT_EQ(texts[0], from + "0x100000000 sends END_RESP without a BEGIN_RESP at 0 s");
  EXPECT_EQ(texts[1], from + "0x100000000 sends a phase of the target at 0 s");
  EXPECT_EQ(texts[2], from + "0x100000000 has no memory manager at 0 s");
  EXPECT_EQ(texts[3], from + "0x11fc00000 sends BEGIN_REQ before the end of its response at 0 s");
  EXPECT_EQ(simulation().host.responses, 1u);
}

TEST(Misuse, MisalignedAccessesOfBar2AreNamed) {
  EXPECT_EQ(simulation().misaligned, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(
      simulation().texts[4],
      "board.pcie: chip0.pcie: host access at BAR 2 offset 0x2: aligned 32-bit words only, at 0 s");
}

TEST(Misuse, ASecondRequestOfOneIsNamed) {
  const std::string from = "memory.target.socket: the initiator of the transaction at address ";
  EXPECT_EQ(simulation().texts[5],
            from + "0xc0 sends BEGIN_REQ before the END_REQ of another at 0 s");
  EXPECT_EQ(simulation().texts[6], from + "0x100 sends END_RESP without a BEGIN_RESP at 0 s");
  EXPECT_EQ(simulation().cpu.responses, 1u);
}

TEST(Misuse, DirectAccessIsRefusedWhereThereIsNone) {
  Simulation& s = simulation();
  for (Initiator* initiator : {&s.host, &s.cpu, &s.past.from}) {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator->socket->get_direct_mem_ptr(initiator->payload(0x40), dmi));
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_dmi_ptr(), nullptr);
  }
}

TEST(Misuse, IllegalAnswersOfMemoriesAreNamed) {
  const auto expect = [](const std::string& name, const std::string& what) {
    const std::string text = Simulation::of(name);
    EXPECT_TRUE(text.starts_with(
        name + "_board.machine.chip0.foreign_4_5.memory.socket: " + "the bound memory " + what))
        << text;
    EXPECT_NE(text.find("ddress 0x40"), std::string::npos) << text;
    EXPECT_NE(text.find(", now "), std::string::npos) << text;
  };
  expect("phase", "answers BEGIN_REQ with ");
  expect("twice", "sends END_REQ out of order (address ");
  expect("change", "changes the ");
  expect("no_status", "sets no response status (address ");
  expect("error", "answers TLM_GENERIC_ERROR_RESPONSE (address ");
  EXPECT_TRUE(Simulation::of("stranger")
                  .find("sends BEGIN_RESP of a transaction that is not of "
                        "this socket, address 0x40, at ") != std::string::npos)
      << Simulation::of("stranger");
  EXPECT_TRUE(Simulation::of("past").find("responds before the request arrives (address 0x") !=
              std::string::npos)
      << Simulation::of("past");
}

TEST(Misuse, TheSimulationGoesOnAfterAReport) {
  Simulation& s = simulation();
  for (const Pair* pair : {&s.phase, &s.twice, &s.stranger, &s.change})
    EXPECT_EQ(pair->answers, 1u);
  EXPECT_EQ(s.past.answers, 8u);
}

TEST(Misuse, MissingCodeIsNamed) {
  EXPECT_TRUE(simulation().lost.core.halted());
  EXPECT_EQ(simulation().lost.core.reg(1), 5u);
  EXPECT_EQ(
      ReportRecorder::count(sc_core::SC_WARNING, {"lost_core: instruction fetch from 0x00000004"}),
      1u);
}

/// A NoC has no error responses: the fault names the request.
TEST(Misuse, AnErrorResponseEndsTheBoard) {
  EXPECT_EQ(simulation().error.answers, 0u);
  EXPECT_GE(ReportRecorder::count(sc_core::SC_ERROR,
                                  {"remote request to address 0x40: TLM_GENERIC_ERROR_RESPONSE"}),
            1u);
}

TEST(Misuse, AMemoryThatNeverAnswersIsNamed) {
  EXPECT_EQ(simulation().never.answers, 0u);
  ASSERT_FALSE(simulation().waiting.empty());
  EXPECT_TRUE(simulation().waiting[0].starts_with(
      "never_board.machine.chip0.foreign_4_5.memory.socket: the bound memory has not accepted a "
      "read of 4 bytes at address 0x40, sent at "))
      << simulation().waiting[0];
}

}  // namespace
