// Speed of the RISC-V core with timing, in simulated instructions per CPU second. Five programs are
// of different kinds. Two are hard for remembered block times: streams of accesses that other cores
// of a tile could delay, and code beyond the instruction cache. A busy loop and 80 cores on 80
// tiles of one chip follow. The last rows are the cost of 5 ms of cores that idle with a heartbeat:
// 16 cores on separate tiles, and 80 tiles of five.
//   bench_riscv [--short] [--json FILE]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/elf_image.h"
#include "models/riscv/execute/l1_arbiter.h"
#include "models/support/calendar.h"
#include "tests/support/bench_report.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"
#include "tests/unit/riscv/programs/bytes.h"
#include "tests/unit/riscv/programs/calls.h"
#include "tests/unit/riscv/programs/list_sort.h"
#include "tests/unit/riscv/programs/places.h"
#include "tests/unit/riscv/programs/records.h"
#include "tests/unit/riscv/programs/sieve.h"
#include "tests/unit/riscv/programs/small_matrices.h"
#include "tests/unit/riscv/programs/states.h"

namespace {

using namespace tvp;
using namespace tvp::riscv;
using namespace tvp::riscv::assembler;
using test::BenchReport;
using test::cpu_seconds;

constexpr unsigned kTiles = 80;
constexpr support::Cycle kTileToTile = 19;

/// Sums and transforms records: L1 loads and stores, a table and a stack in local RAM, a call,
/// multiplies, data-dependent branches. It never ends.
std::vector<std::uint32_t> program() {
  constexpr Word ra = 1, sp = 2, n = 8, p = 9, q = 18, sum = 10, v = 11, t0 = 5, t1 = 6, t2 = 7,
                 seed = 12, table = 19, a = 13, b = 14;
  std::vector<std::uint32_t> c = {
      lui(sp, 0xFFB01000),  // top of local RAM
      lui(table, 0xFFB00000),
      lui(seed, 0x12345000),
      addi(seed, seed, 0x679),
      // outer:
      lui(p, 0x20000),
      lui(q, 0x30000),
      addi(n, 0, 256),
      // record:
      lw(v, 0, p),
      lw(t0, 4, p),
      slli(t1, seed, 13),
      xor_(seed, seed, t1),
      srli(t1, seed, 17),
      xor_(seed, seed, t1),
      slli(t1, seed, 5),
      xor_(seed, seed, t1),
      andi(t2, seed, 0x3FC),
      add(t2, t2, table),
      lw(a, 0, t2),
      add(v, v, a),
      sw(v, 0, t2),
      andi(b, seed, 7),
      bne(b, 0, 12),  // mostly taken
      addi(sum, sum, 3),
      xori(sum, sum, 0x55),
      jal(ra, 4 * 10),  // function
      sw(v, 0, q),
      add(sum, sum, t0),
      addi(p, p, 8),
      addi(q, q, 4),
      addi(n, n, -1),
      bne(n, 0, -4 * 23),  // to record
      addi(q, q, 0),
      jal(0, -4 * 28),  // to outer
      nop(),
      // function:
      addi(sp, sp, -16),
      sw(ra, 12, sp),
      sw(p, 8, sp),
      mul(v, v, seed),
      add(sum, sum, v),
      srli(t1, v, 3),
      sub(sum, sum, t1),
      lw(p, 8, sp),
      lw(ra, 12, sp),
      addi(sp, sp, 16),
      jalr(0, ra, 0),
  };
  return c;
}

/// An idle core counts in its own word and polls a flag that no agent sets.
std::vector<std::uint32_t> heartbeat(unsigned core) {
  constexpr Word flag = 20, counts = 22, count = 5, raised = 6;
  return {lui(flag, 0x8000),     lui(counts, 0x9000 + 0x1000 * core),
          lw(count, 0, counts),  addi(count, count, 1),
          sw(count, 0, counts),  lw(raised, 0, flag),
          beq(raised, 0, -4 * 4)};
}

/// Tiles with idle cores.
struct IdleTiles {
  std::vector<std::unique_ptr<bench::Tile>> tiles;
  IdleTiles(const char* name, unsigned count, unsigned cores, CoreConfig& config,
            foundation::FaultPolicy& faults) {
    for (unsigned i = 0; i < count; ++i) {
      tiles.push_back(std::make_unique<bench::Tile>((name + std::to_string(i)).c_str(), 64 * 1024));
      for (unsigned core = 0; core < cores; ++core) {
        tiles.back()
            ->add_core({support::BusMaster::kB, "", 4096, 0}, config, faults)
            .set_counting_sleep(true);
        tiles.back()->load(0x1000 * core, heartbeat(core));
      }
    }
  }
  void run(BenchReport& report, const char* metric, support::Cycle cycles, double bar) {
    support::Calendar calendar({kTileToTile, kTileToTile});
    for (const auto& tile : tiles) {
      const unsigned index = calendar.add_tile(tile->scheduler);
      for (unsigned core = 0; core < tile->cores.size(); ++core) {
        tile->cores[core]->release_reset(0, 0x1000 * core);
      }
      calendar.tile_woken(index);
    }
    const double start = cpu_seconds();
    calendar.run_until(cycles);
    calendar.settle();
    const double ms = 1e3 * (cpu_seconds() - start);
    std::uint64_t executed = 0, slept = 0;
    for (const auto& tile : tiles) {
      for (const Core* core : tile->cores) {
        executed += core->executed_instructions();
        slept += core->slept_instructions(cycles);
      }
    }
    std::printf("%-20s %8.2f ms CPU  (%.3f M instructions executed, %.0f M slept through)\n",
                metric, ms, static_cast<double>(executed) * 1e-6,
                static_cast<double>(slept) * 1e-6);
    report.add(metric, ms, "ms", BenchReport::Better::kLower, bar);
  }
};

void add_mips(BenchReport& report, const char* metric, double bar, std::uint64_t instructions,
              double seconds, support::Cycle cycles) {
  const double mips = static_cast<double>(instructions) / seconds * 1e-6;
  std::printf("%-10s %8.1f MIPS  (%.0f M instructions, %.2f CPU s, %.2f cycles/instruction)\n",
              metric, mips, static_cast<double>(instructions) * 1e-6, seconds,
              static_cast<double>(cycles) / static_cast<double>(instructions));
  report.add(metric, mips, "MIPS", BenchReport::Better::kHigher, bar);
}

/// A program that is linked into L1, and the host's result of the same source.
struct Compiled {
  const char* name;
  std::uint32_t (*on_host)(std::uint32_t);
  std::uint32_t rounds;  ///< some 80 million instructions
};
constexpr Compiled kPrograms[] = {
    {"list_sort", programs::list_sort, 2400}, {"small_matrices", programs::small_matrices, 4800},
    {"bytes", programs::bytes, 7200},         {"calls", programs::calls, 14000},
    {"sieve", programs::sieve, 2900},
};
constexpr Compiled kHardPrograms[] = {
    {"records", programs::records, 16000},
    {"states", programs::states, 100000},
};

void load(bench::Tile& tile, const Compiled& program, std::uint32_t rounds) {
  const auto elf =
      foundation::ElfImage::from_file(std::string(TVP_PROGRAMS_DIR "/") + program.name + ".elf");
  for (const auto& segment : elf.segments()) {
    std::copy(segment.data.begin(), segment.data.end(), tile.l1.begin() + segment.load_address);
  }
  tile.load(programs::kRounds, {rounds});
}

/// A tile whose core could compete for L1 with others, as on chips.
struct ProgramTile {
  bench::Tile tile;
  L1Arbiter arbiter;
  ProgramTile(const Compiled& program, CoreConfig& config, foundation::FaultPolicy& faults)
      : tile(program.name, 64 * 1024) {
    tile.add_core({support::BusMaster::kB, "", 4096, 0}, config, faults).share_l1(arbiter);
  }
};
using ProgramTiles = std::vector<std::unique_ptr<ProgramTile>>;

/// Runs it to its end; false if its result differs from the host's.
bool measure(BenchReport& report, bench::Tile& tile, const Compiled& program, double& product) {
  const std::uint32_t rounds = report.is_short() ? program.rounds / 400 : program.rounds;
  load(tile, program, rounds);
  Core& core = *tile.cores[0];
  core.hooks().stop_at_odd_store(programs::kDone);
  core.release_reset(0, 0);
  const double start = cpu_seconds();
  tile.run();
  const double seconds = cpu_seconds() - start;
  const auto executed = static_cast<double>(core.executed_instructions());
  const double mips = executed / seconds * 1e-6;
  std::printf("%-14s %8.1f MIPS  (%.0f M instructions, %.2f CPU s, %.3f cycles/instruction)\n",
              program.name, mips, executed * 1e-6, seconds,
              static_cast<double>(core.time()) / executed);
  report.add(program.name, mips, "MIPS", BenchReport::Better::kHigher);
  product *= mips;
  if (tile.word(programs::kResult) == program.on_host(rounds)) return true;
  std::fprintf(stderr, "%s: wrong result\n", program.name);
  return false;
}

}  // namespace

int sc_main(int argc, char** argv) {
  BenchReport report("riscv", argc, argv);
  const support::Cycle cycles = report.is_short() ? 800'000 : 300'000'000;
  CoreConfig config;
  foundation::StopOnFault faults;
  std::vector<std::unique_ptr<bench::Tile>> tiles;
  support::Calendar calendar({kTileToTile, kTileToTile});
  const std::vector<std::uint32_t> code = program();
  for (unsigned i = 0; i <= kTiles; ++i) {
    tiles.push_back(
        std::make_unique<bench::Tile>(("tile" + std::to_string(i)).c_str(), 512 * 1024));
    tiles.back()->add_core({support::BusMaster::kB, "", 4096, 0}, config, faults);
    tiles.back()->load(0, code);
  }
  ProgramTiles program_tiles, hard_tiles;
  for (const Compiled& program : kPrograms)
    program_tiles.push_back(std::make_unique<ProgramTile>(program, config, faults));
  for (const Compiled& program : kHardPrograms)
    hard_tiles.push_back(std::make_unique<ProgramTile>(program, config, faults));
  IdleTiles ethernet("ethernet", 16, 1, config, faults);
  IdleTiles tensix("tensix", kTiles, 5, config, faults);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  double product = 1;
  for (std::size_t i = 0; i < std::size(kPrograms); ++i) {
    if (!measure(report, program_tiles[i]->tile, kPrograms[i], product)) return 1;
  }
  const double mean = std::pow(product, 1.0 / static_cast<double>(std::size(kPrograms)));
  std::printf("%-14s %8.1f MIPS\n", "geometric mean", mean);
  report.add("5 programs", mean, "MIPS", BenchReport::Better::kHigher, 300);
  for (std::size_t i = 0; i < std::size(kHardPrograms); ++i) {
    if (!measure(report, hard_tiles[i]->tile, kHardPrograms[i], product)) return 1;
  }

  Core& alone = *tiles[0]->cores[0];
  alone.release_reset(0, 0);
  double start = cpu_seconds();
  tiles[0]->run(cycles);
  add_mips(report, "1 core", 300, alone.executed_instructions(), cpu_seconds() - start, cycles);

  const support::Cycle each = cycles / kTiles;
  for (unsigned i = 1; i <= kTiles; ++i) {
    const unsigned index = calendar.add_tile(tiles[i]->scheduler);
    tiles[i]->cores[0]->release_reset(i, 0);
    calendar.tile_woken(index);
  }
  start = cpu_seconds();
  calendar.run_until(each);
  std::uint64_t executed = 0;
  for (unsigned i = 1; i <= kTiles; ++i) executed += tiles[i]->cores[0]->executed_instructions();
  add_mips(report, "80 cores", 200, executed, cpu_seconds() - start, each * kTiles);
  std::printf("           %.1f instructions per activation of a tile\n",
              static_cast<double>(executed) / static_cast<double>(calendar.tile_activations()));
  const support::Cycle idle = report.is_short() ? 100'000 : 5'000'000;
  ethernet.run(report, "16 heartbeats", idle, 30);
  tensix.run(report, "80 x 5 heartbeats", idle, 300);
  return report.finish();
}
