// Overlapping reads of a Tensix tile that is alone take the cycles of the same tile in a board.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "foundation/regs/noc.h"
#include "tests/support/report_recorder.h"
#include "tests/system/components/rv32.h"
#include "tests/system/components/tile_bench.h"

namespace {

namespace noc = tvp::regs::noc;
using namespace rv32;
using namespace tvp::tests;

struct Reads {
  unsigned count;
  std::uint32_t bytes;
};
constexpr Reads kReads[] = {{1, 64},   {1, 8192}, {15, 96},  {4, 256},
                            {3, 1024}, {2, 2048}, {4, 2048}, {7, 2048}};

/// Reads pieces of the memory at node (2,1) without waiting between them, and stores the cycles.
std::vector<std::uint32_t> reading(const Reads& reads) {
  constexpr std::uint32_t kAnswered = 0x208;  // MST_RD_RESP_RECEIVED
  std::vector<std::uint32_t> program = {lui(2, kMailbox >> 12),  lui(5, 0xFFB12),
                                        lui(6, 0xFFB20),         lw(8, 6, kAnswered),
                                        addi(8, 8, reads.count), lw(9, 5, 0x1F0)};
  for (unsigned i = 0; i < reads.count; ++i) {
    program.insert(program.end(), {lw(10, 6, noc::kCmdCtrl), back_if_different(10, 0, 4)});
    command(program, {{noc::kTargAddrLo, 0x4000 + i * reads.bytes},
                      {noc::kTargAddrMid, noc::mid_unicast(2, 1)},
                      {noc::kRetAddrLo, 0x20000 + i * reads.bytes},
                      {noc::kRetAddrMid, noc::mid_unicast(1, 1)},
                      {noc::kCtrl, noc::kCmdRd | noc::kCmdRespMarked},
                      {noc::kAtLenBe, reads.bytes}});
  }
  program.insert(program.end(), {lw(10, 6, kAnswered), back_if_different(10, 8, 4),
                                 lw(11, 5, 0x1F0), sub(11, 11, 9), sw(11, 2, 4), kStay});
  return program;
}

/// The same reads by a tile with a network of the user, and by tiles of two boards. The way to the
/// memory is a hop on the board and the way back nine. The network has all ten on the way back.
struct Bench {
  const Reads reads;
  Alone alone;
  OnBoard fast;
  OnBoard detailed;

  Bench(const std::string& name, const Reads& its)
      : reads(its), alone(name + "_alone", {}), fast(name + "_fast", "fast"), detailed(name) {
    alone.memory.hops = sc_time(10 * kHopCycles, sc_core::SC_NS);
    for (Host* host : {&alone.host, &fast.host, &detailed.host}) host->program = reading(reads);
  }
  std::string text() const {
    return std::to_string(reads.count) + " reads of " + std::to_string(reads.bytes) + " bytes";
  }
};

struct Simulation {
  ReportRecorder reports;
  std::vector<std::unique_ptr<Bench>> benches;
  Simulation() {
    for (const Reads& reads : kReads) {
      const std::string name = "bench" + std::to_string(benches.size());
      benches.push_back(std::make_unique<Bench>(name, reads));
    }
    sc_core::sc_start(sc_time(150, sc_core::SC_US));
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

std::uint32_t cycles(const Host& host) { return host.mailbox[1]; }

TEST(TilePipeline, TakesTheCyclesOfABoard) {
  for (const auto& bench : simulation().benches) {
    EXPECT_GT(cycles(bench->alone.host), 10 * kHopCycles);
    EXPECT_EQ(cycles(bench->alone.host), cycles(bench->fast.host)) << bench->text();
  }
}

/// Overlapping long responses take turns on the links of the detailed torus.
TEST(TilePipeline, LongOverlappingResponsesTakeTurns) {
  for (const auto& bench : simulation().benches) {
    const bool takes_turns = bench->reads.count > 1 && bench->reads.bytes > 1024;
    const std::uint32_t detailed = cycles(bench->detailed.host);
    if (takes_turns) {
      EXPECT_GT(detailed, cycles(bench->fast.host)) << bench->text();
    } else {
      EXPECT_EQ(detailed, cycles(bench->fast.host)) << bench->text();
    }
  }
}

/// Each request arrives a hop earlier than on the board.
TEST(TilePipeline, RequestsLeaveAtTheTimesOfABoard) {
  for (const auto& bench : simulation().benches) {
    const std::vector<sc_time>& alone = bench->alone.memory.arrivals;
    ASSERT_EQ(alone.size(), bench->reads.count);
    for (const OnBoard* board : {&bench->fast, &bench->detailed}) {
      ASSERT_EQ(board->memory.arrivals.size(), alone.size());
      for (std::size_t i = 0; i < alone.size(); ++i)
        EXPECT_EQ(alone[i] + sc_time(kHopCycles, sc_core::SC_NS), board->memory.arrivals[i]);
    }
  }
}

}  // namespace
