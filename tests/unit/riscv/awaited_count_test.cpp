#include "models/riscv/polls/awaited_count.h"

#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::awaited_count_test {
namespace {

constexpr std::uint32_t kCode = 0x100;
constexpr std::uint32_t kCount = 5;  ///< in register 11

/// The count for which a core waits that is at the first of these instructions.
std::optional<std::uint32_t> awaited(const std::vector<std::uint32_t>& code) {
  static unsigned number = 0;
  bench::Tile tile(("awaited" + std::to_string(number++)).c_str());
  CoreConfig config;
  foundation::StopOnFault faults;
  Core& core = tile.add_core(
      {.master = support::BusMaster::kB, .where = "", .local_bytes = 8192, .iram_bytes = 0}, config,
      faults);
  tile.load(kCode, code);
  core.set_pc(kCode);
  core.set_reg(11, kCount);
  return AwaitedCount(core).get();
}

TEST(AwaitedCount, IsWhatALoopSubtracts) {
  using namespace assembler;
  EXPECT_EQ(awaited({lw(10, 8, 12), sub(10, 10, 11), blt(10, 0, -8)}), kCount);
  EXPECT_EQ(awaited({lw(10, 8, 12), addi(10, 10, -3), blt(10, 0, -8)}), 3U);
  EXPECT_EQ(awaited({lw(10, 8, 12), sub(10, 10, 11), blt(10, 0, -16)}), kCount);
}

TEST(AwaitedCount, IsNotKnownForOtherCode) {
  using namespace assembler;
  EXPECT_FALSE(awaited({lw(10, 8, 12), sub(10, 11, 10), blt(10, 0, -8)}));
  EXPECT_FALSE(awaited({lw(10, 8, 12), sub(10, 10, 11), bge(10, 0, -8)}));
  EXPECT_FALSE(awaited({lw(10, 8, 12), sub(10, 10, 11), blt(10, 0, 8)}));
  EXPECT_FALSE(awaited({lw(10, 8, 12), sub(13, 10, 11), blt(10, 0, -8)}));
  EXPECT_FALSE(awaited({lw(10, 8, 12), add(10, 10, 11), blt(10, 0, -8)}));
  EXPECT_FALSE(awaited({addi(10, 0, 8), sub(10, 10, 11), blt(10, 0, -8)}));
}

}  // namespace
}  // namespace tvp::riscv::awaited_count_test
