// Every instruction compared with an independent interpreter.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"
#include "tests/unit/riscv/golden_machine.h"
#include "tests/unit/riscv/random_program.h"

namespace tvp::riscv::core_isa_test {
namespace {

using namespace assembler;

class CoreIsa : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kL1Bytes = 64 * 1024;

  struct World {
    CoreConfig config;
    foundation::StopOnFault faults;
    bench::Tile tile{"tile", kL1Bytes};
    World() {
      tile.add_core({support::BusMaster::kNc, "", 4096, 16 * 1024}, config, faults);
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
  };
  static World& world() {
    static World w;
    return w;
  }

  bench::Tile& tile_ = world().tile;
  Core& core_ = *tile_.cores[0];

  /// Every program ends with a load from the empty FIFO, which blocks the core.
  static std::vector<std::uint32_t> with_end(std::vector<std::uint32_t> code) {
    code.push_back(lui(28, bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    return code;
  }
  void run_to_end(std::uint32_t pc) {
    core_.release_reset(0, pc);
    tile_.run();
    ASSERT_EQ(core_.state(), CoreState::kBlocked);
  }
};

TEST_F(CoreIsa, RandomProgramsEqualTheGoldenInterpreter) {
  std::set<std::uint32_t> kinds;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto code = with_end(RandomProgram(seed).make(600));
    golden::Machine golden;
    golden.l1.assign(kL1Bytes, 0);
    golden.local.assign(4096, 0);
    std::mt19937 random(seed);
    for (std::uint32_t i = 0; i < 512; ++i) {
      golden.l1[RandomProgram::kData - 256 + i] = static_cast<std::uint8_t>(random());
    }
    // At a random place in L1, across pages of predecoded code.
    const std::uint32_t base = 4 * (seed % 700);
    std::memcpy(golden.l1.data() + base, code.data(), code.size() * 4);
    tile_.l1 = golden.l1;
    std::vector<std::uint8_t> zeros(4096);
    ASSERT_TRUE(core_.debug_write(Core::kLocalBase, zeros.data(), 4096));

    golden.pc = base;
    while (true) {
      const std::uint32_t w = golden.fetch();
      kinds.insert((w & 0x7F) | (w & 0x7000) | ((w & 0x7F) == 0x33 ? w & 0xFE000000U : 0));
      if (!golden.step()) break;
    }
    const std::uint64_t before = core_.executed_instructions();
    run_to_end(base);
    for (unsigned r = 0; r < 32; ++r) ASSERT_EQ(core_.reg(r), golden.x[r]) << "x" << r;
    ASSERT_EQ(core_.pc(), golden.pc);
    ASSERT_EQ(core_.executed_instructions() - before, golden.steps);
    ASSERT_TRUE(tile_.l1 == golden.l1);
    std::vector<std::uint8_t> local(4096);
    ASSERT_TRUE(core_.debug_read(Core::kLocalBase, local.data(), 4096));
    ASSERT_TRUE(local == golden.local);
  }
  // 10 immediate forms (both right shifts are one), 18 register forms, 6 branches, 5 loads. 3
  // stores, fence and jalr; lui, auipc and jal count once per value of funct3's bits.
  EXPECT_GE(kinds.size(), 8U + 18U + 6U + 5U + 3U + 2U + 3U);
}

// Every two-operand instruction on every pair of corner values.
TEST_F(CoreIsa, CornerValues) {
  constexpr std::uint32_t kCorners[] = {0,           1,           2,           0x7FFFFFFFU,
                                        0x80000000U, 0x80000001U, 0xFFFFFFFFU, 0xFFFFFFFEU,
                                        31,          32,          0x55555555U, 0xAAAAAAABU};
  for (Word f7 : {0U, 1U, 32U}) {
    for (Word f3 = 0; f3 < 8; ++f3) {
      if (f7 == 32 && f3 != 0 && f3 != 5) continue;
      tile_.load(0, with_end({r_type(f7, 2, 1, f3, 3, 0x33)}));
      for (std::uint32_t a : kCorners) {
        for (std::uint32_t b : kCorners) {
          golden::Machine golden;
          golden.l1.resize(64);
          std::memcpy(golden.l1.data(), tile_.l1.data(), 64);
          golden.x[1] = a;
          golden.x[2] = b;
          golden.step();
          core_.release_reset(0, 0);
          core_.set_reg(1, a);
          core_.set_reg(2, b);
          tile_.run();
          ASSERT_EQ(core_.reg(3), golden.x[3])
              << std::hex << "funct7 " << f7 << " funct3 " << f3 << ": " << a << ", " << b;
        }
      }
    }
  }
}

TEST_F(CoreIsa, WritesToX0AreDropped) {
  tile_.load(0, with_end({addi(0, 0, 5), lui(0, 0x1000), lw(0, 0, 0), jal(0, 4), add(1, 0, 0),
                          mul(0, 3, 3), add(2, 0, 0)}));
  run_to_end(0);
  EXPECT_EQ(core_.reg(0), 0U);
  EXPECT_EQ(core_.reg(1), 0U);
  EXPECT_EQ(core_.reg(2), 0U);
}

// jalr reads its base before it writes the link, also for a single register.
TEST_F(CoreIsa, JalrWithOneRegister) {
  tile_.load(0, with_end({addi(5, 0, 0x10), jalr(5, 5, 0), nop(), nop()}));
  run_to_end(0);
  EXPECT_EQ(core_.reg(5), 8U);
}

TEST_F(CoreIsa, RunsFromInstructionRam) {
  const auto code = with_end({addi(1, 0, 42), auipc(2, 0)});
  std::vector<std::uint8_t> bytes(code.size() * 4);
  std::memcpy(bytes.data(), code.data(), bytes.size());
  core_.write_iram(0x100, bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  run_to_end(0xFFC00100);
  EXPECT_EQ(core_.reg(1), 42U);
  EXPECT_EQ(core_.reg(2), 0xFFC00104U);
  // ISA InstructionCache.md: needs no invalidation.
  tile_.fifo = {0};
  const std::uint32_t again[] = {jal(0, -16), addi(1, 0, 43)};
  core_.write_iram(0x110, reinterpret_cast<const std::uint8_t*>(again), 4);
  core_.write_iram(0x100, reinterpret_cast<const std::uint8_t*>(again + 1), 4);
  tile_.watches.changed(support::Watch::kMailbox, 1000, 0);
  tile_.run();
  EXPECT_EQ(core_.reg(1), 43U);
}

}  // namespace
}  // namespace tvp::riscv::core_isa_test
