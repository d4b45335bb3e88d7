// Registers of the user on the bus of a tile: values, times, errors, missing answers.

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sw/examples/systemc/tile_host.h"
#include "tensix_vp/systemc/board.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"
#include "tests/system/components/rv32.h"

namespace {

using namespace rv32;
using sc_core::sc_time;
using tensix_vp::Board;
using tvp::tests::ReportRecorder;

constexpr std::uint32_t kBase = 0x8000'0000;
constexpr std::uint32_t kRegisters = 0x800;  ///< bytes; nothing behind
constexpr std::uint32_t kReady = 0x400;      ///< not zero from a time on
constexpr std::uint32_t kNeverAnswers = 0x404;
constexpr std::uint32_t kMailbox = 0x8000;
constexpr unsigned kAccesses = 1500;  ///< random ones of each core; they fit the space up to T0

/// Registers that answer after a latency.
class Device : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Device> socket;
  sc_time latency;
  bool waits = false;
  bool varies = false;
  sc_time ready_at;
  std::uint32_t words[kRegisters / 4] = {};
  std::vector<sc_time> calls;

  explicit Device(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Device::b_transport);
    socket.register_transport_dbg(this, &Device::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    calls.push_back(sc_core::sc_time_stamp() + delay);
    if (address == kNeverAnswers) wait(never_);
    if (address == kReady) words[kReady / 4] = sc_core::sc_time_stamp() >= ready_at ? 1 : 0;
    if (transport_dbg(payload) == 0) {
      return payload.set_response_status(payload.is_read() ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                           : tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
    const sc_time time = varies ? sc_time(double(random_() % 30000), sc_core::SC_PS) : latency;
    if (waits || (varies && random_() % 2 == 0)) {
      wait(time);
    } else {
      delay += time;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    if (address + payload.get_data_length() > kRegisters || payload.get_data_length() != 4)
      return 0;
    std::uint32_t& word = words[address / 4];
    if (payload.is_write()) {
      std::memcpy(&word, payload.get_data_ptr(), 4);
    } else {
      std::memcpy(payload.get_data_ptr(), &word, 4);
    }
    return 4;
  }

  std::mt19937 random_{7};
  sc_core::sc_event never_;
};

Board::Parameters with_devices() {
  Board::Parameters parameters;
  parameters.foreign_devices = {{.chip = 0, .x = 1, .y = 1}};
  parameters.settings = {{"faults", "warn"}};
  return parameters;
}

/// A program of a core, and the address at which it begins after reset.
struct Program {
  std::uint32_t at = 0;
  std::vector<std::uint32_t> words;
};

/// A board whose tile (1,1) has a device, and the host that loads its programs.
class Bench : public TileHost {
 public:
  Board board;
  Device device;
  tvp::tests::TlmChecker<> checker;
  std::uint32_t mailbox[8] = {};
  bool reset_again = false;  ///< in the middle of the first access

  Bench(const std::string& name, std::vector<Program> programs)
      : TileHost((name + "_host").c_str()),
        board((name + "_board").c_str(), with_devices()),
        device((name + "_device").c_str()),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }),
        programs_(std::move(programs)) {
    bus.bind(board.pcie);
    board.device({.chip = 0, .x = 1, .y = 1}).bind(checker.from_initiator);
    checker.to_target.bind(device.socket);
  }
  std::uint32_t seen = 0;  ///< the register at 4, as the host reads it

 private:
  void release(std::uint32_t held) { write(1, 1, 0xFFB121B0, &held, 4); }
  void run() override {
    for (const Program& program : programs_) {
      write(1, 1, program.at, program.words.data(), unsigned(4 * program.words.size()));
    }
    // T2 runs if it has a program.
    const std::uint32_t held = programs_.size() > 1 ? 0x43000 : 0x47000;
    release(held);
    if (reset_again) {
      wait(500, sc_core::SC_NS);
      release(0x47800);
      wait(100, sc_core::SC_NS);
      release(held);
    }
    wait(400, sc_core::SC_US);
    read(1, 1, kMailbox, mailbox, sizeof mailbox);
    read(1, 1, kBase + 4, &seen, 4);
  }

  const std::vector<Program> programs_;
};

/// Reads a register, measures the time, writes it back plus 1, and polls for kReady.
std::vector<std::uint32_t> measuring() {
  return {lui(1, kBase >> 12),
          lui(2, kMailbox >> 12),
          lui(5, 0xFFB12),
          lw(6, 5, 0x1F0),
          lw(3, 1, 0),
          addi(3, 3, 1),
          lw(7, 5, 0x1F0),
          sw(3, 1, 4),
          lw(8, 5, 0x1F0),
          sub(6, 7, 6),
          sub(7, 8, 7),
          sw(3, 2, 0),
          sw(6, 2, 4),
          sw(7, 2, 8),
          lw(4, 1, kReady),
          back_if_zero(4, 4),
          lw(9, 5, 0x1F0),
          sw(9, 2, 12),
          lhu(10, 1, 0x102),
          lbu(11, 1, 0x101),
          sw(10, 2, 16),
          sw(11, 2, 20),
          kStay};
}

std::vector<std::uint32_t> losing() {
  return {lui(1, kBase >> 12), lui(2, kMailbox >> 12),
          sb(1, 1, 0),         sw(1, 1, 0x7FC),
          addi(1, 1, 0x7FC),   sw(1, 1, 4),
          sw(1, 2, 0),         lw(3, 1, 8),
          sw(1, 2, 4),         kStay};
}

std::vector<std::uint32_t> asking_in_vain() {
  return {lui(1, kBase >> 12), lui(2, kMailbox >> 12), lw(3, 1, kNeverAnswers), sw(1, 2, 0), kStay};
}

/// Random loads and stores in [first, first + 0x200) of the device. The sum of what it loads is
/// stored to `sum_at`; the argument gets the value that is expected there.
std::vector<std::uint32_t> mixing(unsigned seed, std::uint32_t first, std::uint32_t sum_at,
                                  std::uint32_t& expected) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> program;
  std::uint32_t shadow[0x200 / 4] = {};
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(shadow);
  load_constant(program, 1, kBase + first);
  load_constant(program, 2, kMailbox);
  load_constant(program, 4, seed * 0x9E3779B9);
  std::uint32_t value = seed * 0x9E3779B9;
  program.push_back(addi(8, 0, 0));
  expected = 0;
  for (unsigned i = 0; i < kAccesses; ++i) {
    const std::uint32_t word = std::uint32_t(random()) % std::size(shadow);
    std::uint32_t at = 4 * word;
    switch (random() % 4) {
      case 0:
        at += std::uint32_t(random()) % 4;
        program.push_back(lbu(3, 1, at));
        expected += bytes[at];
        break;
      case 1:
        at += std::uint32_t(random()) % 2 * 2;
        program.push_back(lhu(3, 1, at));
        expected += bytes[at] + bytes[at + 1] * 256U;
        break;
      case 2:
        program.push_back(lw(3, 1, at));
        expected += shadow[word];
        break;
      default:
        value += expected;
        shadow[word] = value;
        program.push_back(add(4, 4, 8));
        program.push_back(sw(4, 1, at));
        continue;
    }
    program.push_back(add(8, 8, 3));
  }
  program.push_back(sw(8, 2, sum_at));
  program.push_back(kStay);
  return program;
}

/// The message of a refused construction.
std::string complaint(const Board::Devices& devices) {
  Board::Parameters parameters;
  parameters.foreign_devices = {devices};
  try {
    const Board board("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

struct Simulation {
  ReportRecorder reports;
  Bench near{"near", {{0, measuring()}}};
  Bench annotating{"annotating", {{0, measuring()}}};
  Bench waiting{"waiting", {{0, measuring()}}};
  Bench lost{"lost", {{0, losing()}}};
  Bench silent{"silent", {{0, asking_in_vain()}}};
  Bench restarted{"restarted", {{0, measuring()}}};
  std::uint32_t sums[2] = {};
  Bench random{"random", {{0, mixing(1, 0, 0, sums[0])}, {0xE000, mixing(2, 0x200, 4, sums[1])}}};

  std::vector<std::string> complaints = {
      complaint({.x = 0, .y = 1}),
      complaint({.chip = 3, .x = 1, .y = 1}),
      complaint({.x = 1, .y = 1, .base = 0x1000}),
      complaint({.x = 1, .y = 1, .base = 0x80000002}),
      complaint({.x = 1, .y = 1, .bytes = 0}),
      complaint({.x = 1, .y = 1, .base = 0xFFB00000 - 16, .bytes = 20})};

  Simulation() {
    for (Bench* bench : {&near, &annotating, &waiting, &restarted}) {
      bench->device.words[0] = 41;
      bench->device.words[0x100 / 4] = 0x12345678;
      bench->device.ready_at = sc_time(5, sc_core::SC_US);
    }
    annotating.device.latency = waiting.device.latency = sc_time(100, sc_core::SC_NS);
    waiting.device.waits = true;
    restarted.device.latency = sc_time(800, sc_core::SC_NS);
    restarted.device.waits = restarted.reset_again = true;
    random.device.varies = true;
    sc_core::sc_start();
    sc_core::sc_stop();
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(Device, CoresLoadAndStoreItsRegisters) {
  for (Bench* bench : {&simulation().near, &simulation().annotating, &simulation().waiting,
                       &simulation().restarted}) {
    EXPECT_EQ(bench->mailbox[0], 42u);
    EXPECT_EQ(bench->device.words[1], 42u);
    EXPECT_EQ(bench->seen, 42u);
    EXPECT_EQ(bench->mailbox[4], 0x1234u);  // parts of words, which the device does not see
    EXPECT_EQ(bench->mailbox[5], 0x56u);
    EXPECT_GE(bench->mailbox[3], 5000u);
  }
}

TEST(Device, TheCoreWaitsForTheResponse) {
  const auto cycles = [](const Bench& bench, unsigned i) { return bench.mailbox[i]; };
  EXPECT_LE(cycles(simulation().near, 1), 20u);
  for (const unsigned i : {1, 2}) {
    EXPECT_EQ(cycles(simulation().annotating, i), cycles(simulation().near, i) + 100);
    EXPECT_EQ(cycles(simulation().waiting, i), cycles(simulation().annotating, i));
  }
}

TEST(Device, ACoreThatWasResetAsksAgain) {
  // The core comes to its load again while the device still works for the first one.
  const std::vector<sc_time>& calls = simulation().restarted.device.calls;
  EXPECT_EQ(calls.at(1), calls.at(0) + sc_time(801, sc_core::SC_NS));
  EXPECT_EQ(calls.at(2) - calls.at(1), simulation().waiting.device.calls.at(1) -
                                           simulation().waiting.device.calls.at(0) +
                                           sc_time(700, sc_core::SC_NS));
}

TEST(Device, RandomAccessesOfTwoCores) {
  const Bench& bench = simulation().random;
  EXPECT_EQ(bench.mailbox[0], simulation().sums[0]);
  EXPECT_EQ(bench.mailbox[1], simulation().sums[1]);
  EXPECT_EQ(bench.checker.calls(), 2 * kAccesses);
}

TEST(Device, NamesCoreAndAddressOfAnError) {
  const Bench& lost = simulation().lost;
  EXPECT_EQ(lost.mailbox[0], kBase + 0x7FC);  // a store is dropped, a load stops the core
  EXPECT_EQ(lost.mailbox[1], 0u);
  for (const char* const expected :
       {"store to address 0x80000000 refused: TLM_BURST_ERROR_RESPONSE",
        "store to address 0x80000800 refused: TLM_COMMAND_ERROR_RESPONSE",
        "load from unmapped address 0x80000804"}) {
    EXPECT_EQ(ReportRecorder::count(sc_core::SC_WARNING, {"chip0.tensix(1,1).BRISC: ", expected}),
              1u)
        << expected;
  }
}

TEST(Device, NamesTheDeviceThatNeverAnswers) {
  EXPECT_EQ(simulation().silent.mailbox[0], 0u);
  const std::vector<std::string> lines = simulation().silent.board.waiting();
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("devices_1_1.socket: the bound memory has not answered a read of 4 bytes "
                          "at address 0x404"),
            std::string::npos)
      << lines[0];
}

TEST(Device, NamesParametersThatDoNotFit) {
  const std::vector<std::string>& complaints = simulation().complaints;
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    const char* const expected =
        i < 2 ? "expected a Tensix tile" : "whole words within [0x1000000, 0xffb00000)";
    EXPECT_NE(complaints[i].find(expected), std::string::npos) << complaints[i];
  }
}

}  // namespace
