// If the host grants no executable memory, or stops granting it, blocks are interpreted with the
// same times.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "tests/unit/riscv/block_program.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::refused_code_test {
namespace {

/// Number of calls of mprotect with that protection that still succeed; negative: all.
int writable_left = -1, executable_left = -1;

bool is_refused(int& left) {
  if (left < 0) return false;
  if (left > 0) --left;
  return left == 0;
}

}  // namespace

int protect(void* at, std::size_t bytes, int protection) {
  if (((protection & PROT_EXEC) != 0 && is_refused(executable_left)) ||
      ((protection & PROT_WRITE) != 0 && is_refused(writable_left))) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(syscall(SYS_mprotect, at, bytes, protection));
}

}  // namespace tvp::riscv::refused_code_test

/// Replaces the C library's function.
extern "C" int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  return tvp::riscv::refused_code_test::protect(at, bytes, protection);
}

namespace tvp::riscv::refused_code_test {
namespace {

using support::Cycle;

struct Refusal {
  int writable, executable;
  bool translates;  ///< true if some code is translated before that
};
constexpr Refusal kRefusals[] = {{1, -1, false}, {-1, 1, false}, {2, -1, false}, {20, -1, true},
                                 {-1, 2, false}, {-1, 3, true},  {-1, 40, true}};

struct World {
  CoreConfig config;
  foundation::StopOnFault faults;
  std::vector<std::unique_ptr<bench::Tile>> tiles;
  World() {
    for (std::size_t i = 0; i <= std::size(kRefusals); ++i) {
      tiles.push_back(
          std::make_unique<bench::Tile>(("refusing" + std::to_string(i)).c_str(), 64 * 1024));
      tiles.back()->add_core({support::BusMaster::kT1, "", 4096, 0}, config, faults);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};
World& world() {
  static World w;
  return w;
}

struct Ran {
  Cycle time;
  std::uint64_t executed;
  std::array<std::uint32_t, 32> regs;
  std::vector<std::uint8_t> l1;
  bool operator==(const Ran&) const = default;
};

Ran run(bench::Tile& tile, unsigned seed, const char* blocks) {
  world().config.block_timing.set(blocks);
  Core& core = *tile.cores[0];
  core.assert_reset(0);
  std::fill(tile.l1.begin(), tile.l1.end(), std::uint8_t{0});
  tile.fifo.clear();
  tile.load(0x8000, BlockProgram(seed, 0x8000).make());
  core.debug_write(Core::kLocalBase, tile.l1.data(), 4096);
  const std::uint64_t executed = core.executed_instructions();
  core.release_reset(0, 0x8000);
  tile.run();
  Ran ran{core.time(), core.executed_instructions() - executed, {}, tile.l1};
  for (unsigned r = 0; r < 32; ++r) ran.regs[r] = core.reg(r);
  return ran;
}

TEST(RefusedCode, IsInterpretedInTheSameTime) {
  World& w = world();
  for (std::size_t i = 0; i < std::size(kRefusals); ++i) {
    const Refusal& refusal = kRefusals[i];
    bench::Tile& tile = *w.tiles[i];
    writable_left = refusal.writable;
    executable_left = refusal.executable;
    std::uint64_t translated = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE("refusal " + std::to_string(i) + ", seed " + std::to_string(seed));
      const Ran expected = run(*w.tiles.back(), seed, "off");
      const std::uint64_t before = tile.cores[0]->translated_instructions();
      EXPECT_EQ(run(tile, seed, "always"), expected);
      translated = tile.cores[0]->translated_instructions() - before;
#if defined(__x86_64__) && defined(__linux__)
      if (seed == 0) {
        EXPECT_EQ(translated != 0, refusal.translates);
      }
#endif
    }
    EXPECT_EQ(translated, 0U);
    writable_left = executable_left = -1;
  }
}

}  // namespace
}  // namespace tvp::riscv::refused_code_test
