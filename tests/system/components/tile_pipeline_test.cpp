// Overlapping transfers of a Tensix tile that is alone take the cycles of the same tile in a board.

#include <gtest/gtest.h>

#include <cstdio>
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

struct Case {
  unsigned count;
  std::uint32_t bytes;
};

/// Reads pieces of the memory at node (2,1) without waiting between them, and stores the cycles.
std::vector<std::uint32_t> reading(const Case& c) {
  std::vector<std::uint32_t> program = {lui(2, kMailbox >> 12), lui(5, 0xFFB12),
                                        lui(6, 0xFFB20),        lw(8, 6, 0x208),
                                        addi(8, 8, c.count),    lw(9, 5, 0x1F0)};
  for (unsigned i = 0; i < c.count; ++i) {
    program.insert(program.end(), {lw(10, 6, noc::kCmdCtrl), back_if_different(10, 0, 4)});
    command(program, {{noc::kTargAddrLo, 0x4000 + i * c.bytes},
                      {noc::kTargAddrMid, noc::mid_unicast(2, 1)},
                      {noc::kRetAddrLo, 0x20000 + i * c.bytes},
                      {noc::kRetAddrMid, noc::mid_unicast(1, 1)},
                      {noc::kCtrl, noc::kCmdRd | noc::kCmdRespMarked},
                      {noc::kAtLenBe, c.bytes}});
  }
  program.insert(program.end(), {lw(10, 6, 0x208), back_if_different(10, 8, 4), lw(11, 5, 0x1F0),
                                 sub(11, 11, 9), sw(11, 2, 4), kStay});
  return program;
}

TEST(TilePipeline, Explore) {
  ReportRecorder reports;
  const Case cases[] = {{1, 64},   {2, 64},   {4, 2048}, {15, 96},  {7, 2048},
                        {1, 8192}, {3, 1024}, {2, 1024}, {2, 2048}, {4, 256}};
  std::vector<std::unique_ptr<Alone>> alone;
  std::vector<std::unique_ptr<OnBoard>> boards;
  std::vector<std::unique_ptr<OnBoard>> fast;
  int n = 0;
  for (const Case& c : cases) {
    const std::string name = "case" + std::to_string(n++);
    alone.push_back(std::make_unique<Alone>(name + "_alone", TensixTile::Parameters{}));
    alone.back()->memory.latency += sc_time(10 * kHopCycles, sc_core::SC_NS);
    alone.back()->host.program = reading(c);
    boards.push_back(std::make_unique<OnBoard>(name + "_board"));
    boards.back()->host.program = reading(c);
    fast.push_back(std::make_unique<OnBoard>(name + "_fast", true));
    fast.back()->host.program = reading(c);
  }
  sc_core::sc_start(sc_time(150, sc_core::SC_US));
  for (unsigned i = 0; i < std::size(cases); ++i) {
    std::printf("%u x %u: alone %u detailed %u fast %u\n", cases[i].count, cases[i].bytes,
                alone[i]->host.mailbox[1], boards[i]->host.mailbox[1], fast[i]->host.mailbox[1]);
    for (const Memory* m : {&alone[i]->memory, &boards[i]->memory, &fast[i]->memory}) {
      for (const sc_time& t : m->arrivals) std::printf(" %.0f", t.to_seconds() * 1e9);
      std::printf("\n");
    }
  }
  sc_core::sc_stop();
}

}  // namespace
