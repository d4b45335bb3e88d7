// Random traffic at every socket: legal transactions are served, illegal ones refused or reported.
// TVP_FUZZ_CASES and TVP_FUZZ_SEED select other runs (tests/fuzz/README.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/dram_memory.h"
#include "tensix_vp/systemc/riscv_core.h"
#include "tensix_vp/systemc/tensix_tile.h"
#include "tests/support/fuzz_cases.h"
#include "tests/support/random_responder.h"
#include "tests/support/random_traffic.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"
#include "tests/system/components/rv32.h"

namespace {

using tensix_vp::Board;
using tensix_vp::DramMemory;
using tensix_vp::TensixTile;
using tvp::tests::RandomResponder;
using tvp::tests::RandomTraffic;
using tvp::tests::ReportRecorder;
using tvp::tests::TrafficRules;

constexpr std::uint64_t kWindowRegisters = 0x1FC00000;  // ISA PCIExpressTile/README.md
constexpr std::uint64_t kMiB = 1 << 20;

std::uint64_t transactions() { return tvp::test::fuzz_cases(3000); }

/// L1 of tile (1,1) through the first window of BAR 0.
TrafficRules pcie_rules() {
  const std::uint64_t bar0 = Board::bar(0, 0);
  TrafficRules rules;
  rules.setup = {{bar0 + kWindowRegisters, 1ULL << 16 | 1ULL << 22 | 1ULL << 45}};
  rules.memory = {{bar0 + 0x10000, 0x10000, false}};
  rules.absent = {0, 0x1000, Board::bar(0, 2) + 0x8000'000, Board::bar(1, 0), Board::bar(7, 4)};
  rules.wild = {{bar0 + kMiB, 400 * kMiB}, {Board::bar(0, 2), kMiB}, {Board::bar(0, 4), 32 * kMiB}};
  rules.maximal = 20'000;
  return rules;
}

TrafficRules node_rules(std::uint64_t address, std::uint64_t bytes) {
  TrafficRules rules;
  rules.memory = {{address, bytes, false}};
  rules.absent = {Board::noc_address(15, 15, 0), ~0ULL << 49, ~0ULL - 0x1000};
  rules.maximal = 20'000;
  rules.byte_enables = false;
  rules.debug = false;
  return rules;
}

/// The local address space of a tile.
TrafficRules local_rules() {
  constexpr std::uint64_t kL1End = 0x16E000;  // ISA TensixTile/L1.md: 1464 KiB
  TrafficRules rules;
  rules.memory = {{0x10000, 0x40000, false}, {kL1End - 0x8000, 0x8000, true}};
  rules.absent = {kL1End, 0x200000, 0x80000000, 1ULL << 32, ~0ULL - 0x1000};
  rules.wild = {{0xFF000000, 0x1000000}};
  rules.maximal = 20'000;
  return rules;
}

TrafficRules dram_rules(const DramMemory& memory, bool dmi) {
  TrafficRules rules;
  rules.memory = {
      {0, 0x10000, false}, {0x123'0000, 0x10000, false}, {memory.bytes() - 0x20000, 0x20000, true}};
  rules.absent = {memory.bytes(), memory.bytes() + 0x1000, ~0ULL - 0x1000};
  rules.maximal = 3000;
  rules.dmi = dmi;
  rules.ordered = true;
  return rules;
}

DramMemory::Parameters preset(const char* name, bool dmi) {
  DramMemory::Parameters parameters;
  parameters.preset = name;
  parameters.dmi = dmi;
  return parameters;
}

/// A memory with an initiator.
struct Dram {
  DramMemory memory;
  RandomTraffic traffic;
  Dram(const std::string& name, const char* preset_name, bool dmi, std::uint64_t seed)
      : memory((name + "_memory").c_str(), preset(preset_name, dmi)),
        traffic((name + "_traffic").c_str(), dram_rules(memory, dmi), seed, transactions()) {
    traffic.socket.bind(memory.socket);
  }
};

using Checkers = std::vector<std::unique_ptr<tvp::tests::TlmChecker<>>>;

/// Binds an initiator to a memory, with a checker between them if the memory is well-behaved.
void link(Checkers& checkers, tlm::tlm_base_initiator_socket<>& socket, RandomResponder& memory,
          const RandomResponder::Manners& manners) {
  if (!manners.acts.empty()) return socket.bind(memory.socket);
  checkers.push_back(std::make_unique<tvp::tests::TlmChecker<>>(
      (std::string(memory.basename()) + "_checker").c_str(),
      [] { return sc_core::sc_time_stamp(); }));
  socket.bind(checkers.back()->from_initiator);
  checkers.back()->to_target.bind(memory.socket);
}

/// A board with modules at four nodes. Their requests go to a memory at another node, to a channel
/// of DRAM, to the memory of the host and to a Tensix tile.
struct Nodes {
  static constexpr Board::Node kFirst{0, 2, 1};
  static constexpr Board::Node kSecond{0, 4, 5};
  static constexpr Board::Node kThird{0, 6, 7};
  static constexpr Board::Node kFourth{0, 8, 9};
  static constexpr Board::DramChannel kChannel{0, 0, 0};

  static Board::Parameters parameters(Board::Timing timing) {
    Board::Parameters parameters;
    parameters.foreign_nodes = {kFirst, kSecond, kThird, kFourth};
    parameters.foreign_dram = {kChannel};
    parameters.foreign_host_memory = true;
    parameters.foreign_timing = timing;
    return parameters;
  }

  std::string name;
  Board board;
  std::vector<std::unique_ptr<RandomTraffic>> traffic;
  std::vector<std::unique_ptr<RandomResponder>> memories;
  Checkers checkers;

  Nodes(const std::string& its_name, Board::Timing timing, const RandomResponder::Manners& manners,
        std::uint64_t seed)
      : name(its_name), board((name + "_board").c_str(), parameters(timing)) {
    const auto memory = [&](tlm::tlm_initiator_socket<>& socket) {
      const std::string its = name + "_memory" + std::to_string(memories.size());
      memories.push_back(
          std::make_unique<RandomResponder>(its.c_str(), seed + memories.size(), manners));
      link(checkers, socket, *memories.back(), manners);
    };
    memory(board.node_memory(kFirst));
    memory(board.node_memory(kSecond));
    memory(board.node_memory(kThird));
    memory(board.node_memory(kFourth));
    memory(board.dram(kChannel));
    memory(board.host_memory());
    const auto requests = [&](const Board::Node& from, std::uint64_t address) {
      const std::string its = name + "_traffic" + std::to_string(traffic.size());
      traffic.push_back(std::make_unique<RandomTraffic>(its.c_str(), node_rules(address, 0x10000),
                                                        seed + traffic.size(), transactions()));
      traffic.back()->socket.bind(board.node_requests(from));
    };
    requests(kFirst, Board::noc_address(kSecond.x, kSecond.y, 0x7'1234'5000));
    requests(kSecond, Board::noc_address(0, 0, 0x1000));
    requests(kThird, Board::noc_address(0, 3, 8ULL << 32));
    requests(kFourth, Board::noc_address(1, 2, 0x10000));
  }
};

/// A tile without a chip, with traffic at both target sockets.
struct Tile {
  TensixTile tile{"tile"};
  RandomResponder others{"others", tvp::test::fuzz_seed() + 40};
  RandomTraffic local{"local", local_rules(), tvp::test::fuzz_seed() + 41, transactions()};
  RandomTraffic arriving;

  Tile() : arriving("arriving", arriving_rules(), tvp::test::fuzz_seed() + 42, transactions()) {
    tile.noc_memory().bind(others.socket);
    local.socket.bind(tile.local);
    arriving.socket.bind(tile.noc_requests());
  }
  static TrafficRules arriving_rules() {
    TrafficRules rules = node_rules(Board::noc_address(1, 1, 0x60000), 0x40000);
    rules.absent.push_back(Board::noc_address(3, 1, 0));
    return rules;
  }
};

/// A core with a random program of loads and stores, and what they must leave.
struct Core {
  static constexpr std::uint32_t kBase = 0x1000;
  static constexpr std::uint32_t kBytes = 2048;

  tensix_vp::RiscvCore core;
  RandomResponder code;
  RandomResponder data;
  Checkers checkers;
  std::array<std::uint32_t, 32> registers{};
  std::array<std::uint8_t, kBytes> bytes{};

  Core(const std::string& name, std::uint64_t seed, const RandomResponder::Manners& manners)
      : core((name + "_core").c_str()),
        code((name + "_code").c_str(), seed),
        data((name + "_data").c_str(), seed, manners) {
    core.instruction.bind(code.socket);
    link(checkers, core.data, data, manners);
    tvp::foundation::Random random(seed);
    put(rv32::lui(1, kBase >> 12));
    registers[1] = kBase;
    for (unsigned r = 2; r < 32; ++r) {
      registers[r] = r * 5;
      put(rv32::addi(r, 0, r * 5));
    }
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(transactions(), 200'000); ++i) {
      access(random);
    }
    put(rv32::kEbreak);
    core.release_reset();
  }

 private:
  void put(std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) {
      code.byte(end_++) = static_cast<std::uint8_t>(word >> (8 * i));
    }
  }
  /// Loads or stores 1, 2 or 4 bytes.
  void access(tvp::foundation::Random& random) {
    const unsigned width = random.below(3);
    const unsigned size = 1U << width;
    const std::uint32_t at = random.below(kBytes / size) * size;
    const unsigned r = 2 + random.below(30);
    if (random.below(2) == 0) {
      put(at / 32 << 25 | r << 20 | 1 << 15 | width << 12 | at % 32 << 7 | 0x23);
      std::memcpy(&bytes[at], &registers[r], size);
      return;
    }
    const bool sign = random.below(2) == 0 || size == 4;
    put(at << 20 | 1 << 15 | (width | (sign ? 0U : 4U)) << 12 | r << 7 | 0x03);
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[at], size);
    const unsigned unused = 32 - 8 * size;
    registers[r] =
        sign ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused)
             : value;
  }
  std::uint64_t end_ = 0;
};

struct Simulation {
  ReportRecorder reports;
  Board board{"board"};
  RandomTraffic pcie{"pcie", pcie_rules(), tvp::test::fuzz_seed(), transactions()};
  Dram ddr4{"ddr4", "ddr4_2400", true, tvp::test::fuzz_seed()};
  Dram ddr5{"ddr5", "ddr5_4800", false, tvp::test::fuzz_seed() + 1};
  Dram gddr6{"gddr6", "gddr6_14", true, tvp::test::fuzz_seed() + 2};
  Nodes loose{"loose", Board::Timing::kLoose, {}, tvp::test::fuzz_seed()};
  Nodes approximate{"approximate", Board::Timing::kApproximate, {}, tvp::test::fuzz_seed() + 10};
  Tile tile;
  Nodes rude{
      "rude",
      Board::Timing::kApproximate,
      {{RandomResponder::Act::kPast, RandomResponder::Act::kPhase, RandomResponder::Act::kTwice,
        RandomResponder::Act::kStranger, RandomResponder::Act::kChange},
       200},
      tvp::test::fuzz_seed() + 20};

  Core core{"plain", tvp::test::fuzz_seed(), {}};
  Core rude_core{"rude", tvp::test::fuzz_seed() + 1, {{RandomResponder::Act::kChange}, 200}};

  Simulation() {
    pcie.socket.bind(board.pcie);
    sc_core::sc_start();
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

void expect_all_kinds(const RandomTraffic& traffic) {
  EXPECT_TRUE(traffic.finished()) << traffic.name();
  const RandomTraffic::Counts& counts = traffic.counts();
  EXPECT_GT(counts.blocking, transactions() / 10);
  EXPECT_GT(counts.phased, transactions() / 10);
  EXPECT_GT(counts.refused, transactions() / 100);
  EXPECT_GT(counts.wrong_phases, transactions() / 200);
  EXPECT_GT(counts.debug, transactions() / 100);
}

TEST(Traffic, Pcie) { expect_all_kinds(simulation().pcie); }

TEST(Traffic, DramMemory) {
  for (const Dram* dram : {&simulation().ddr4, &simulation().ddr5, &simulation().gddr6}) {
    expect_all_kinds(dram->traffic);
  }
  EXPECT_GT(simulation().ddr4.traffic.counts().direct, 0u);
}

TEST(Traffic, NodeRequestsAndForeignMemories) {
  for (const Nodes* nodes : {&simulation().loose, &simulation().approximate, &simulation().rude}) {
    for (const auto& traffic : nodes->traffic) expect_all_kinds(*traffic);
    for (const auto& checker : nodes->checkers) EXPECT_EQ(checker->open(), 0u);
    EXPECT_GT(nodes->memories[1]->requests(), transactions() / 2);  // node_memory()
    EXPECT_GT(nodes->memories[4]->requests(), transactions() / 2);  // dram()
    EXPECT_GT(nodes->memories[5]->requests(), transactions() / 2);  // host_memory()
  }
}

TEST(Traffic, TensixTile) {
  expect_all_kinds(simulation().tile.local);
  expect_all_kinds(simulation().tile.arriving);
}

TEST(Traffic, CoreLoadsAndStores) {
  for (Core* bench : {&simulation().core, &simulation().rude_core}) {
    EXPECT_TRUE(bench->core.halted());
    EXPECT_EQ(bench->data.requests(), std::min<std::uint64_t>(transactions(), 200'000));
    for (unsigned r = 1; r < 32; ++r) EXPECT_EQ(bench->core.reg(r), bench->registers[r]) << r;
    for (std::uint32_t i = 0; i < Core::kBytes; ++i)
      ASSERT_EQ(bench->data.byte(Core::kBase + i), bench->bytes[i]) << i;
  }
}

TEST(Traffic, EachIllegalAnswerIsReported) {
  std::uint64_t acts = 0;
  for (const auto& memory : simulation().rude.memories) acts += memory->illegal_acts();
  EXPECT_GT(acts, transactions() / 10);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR,
                                  {"rude_board.", "socket: the bound memory ", "address 0x"}),
            acts);
  const std::uint64_t of_core = simulation().rude_core.data.illegal_acts();
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR,
                                  {"rude_core.data: the bound module changes the ", "address 0x"}),
            of_core);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {}), acts + of_core);
}

}  // namespace
