// The cores of Blackhole: instructions compared with an independent interpreter and, if
// TVP_QEMU_RISCV32 names it, with QEMU; CSRs, atomic operations, and times that were measured.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "foundation/process.h"
#include "foundation/settings_registry.h"
#include "tests/support/described_chips.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"
#include "tests/unit/riscv/golden_machine.h"
#include "tests/unit/riscv/random_program.h"

namespace tvp::riscv::blackhole_core_test {
namespace {

using namespace assembler;
using Program = std::vector<Word>;

constexpr std::uint32_t kL1Bytes = 64 * 1024;

struct World {
  CoreConfig one_by_one, translated;
  foundation::StopOnFault faults;
  bench::Tile tile{"tile", kL1Bytes};
  bench::Tile translating{"translating", kL1Bytes};
  World() {
    for (CoreConfig* config : {&one_by_one, &translated}) {
      foundation::SettingsRegistry registry;
      registry.add(*config);
      for (const auto& [key, value] : tests::blackhole().settings) {
        if (key.starts_with("riscv.")) registry.set(key, value, "");
      }
    }
    one_by_one.block_timing.set("off");
    translated.block_timing.set("always");
    for (const Generation generation : {Generation::kBlackhole, Generation::kWormhole}) {
      Identity identity{support::BusMaster::kB, "", 4096, 0};
      identity.generation = generation;
      tile.add_core(identity, one_by_one, faults);
      translating.add_core(identity, translated, faults);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

class BlackholeCore : public ::testing::Test {
 protected:
  static World& world() {
    static World w;
    return w;
  }
  bench::Tile& tile_ = world().tile;
  Core& core_ = *tile_.cores[0];

  static Program with_end(Program code) {
    code.push_back(lui(28, bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    return code;
  }
  /// Runs the program at `pc`; returns the cycle at which its last instruction is reached.
  support::Cycle run(const Program& program, std::uint32_t pc = 0) {
    tile_.load(pc, with_end(program));
    core_.release_reset(0, pc);
    tile_.run();
    EXPECT_EQ(core_.state(), CoreState::kBlocked);
    return core_.time();
  }
  std::string message(const Program& program, unsigned core) {
    tile_.load(0, with_end(program));
    tile_.cores[core]->release_reset(0, 0);
    try {
      tile_.run();
    } catch (const foundation::Fault& fault) {
      tile_.cores[core]->assert_reset(0);
      return fault.message();
    }
    return "";
  }
  /// Cycles for each round of a loop around `body`.
  double round(const Program& body, const Program& before = {}) {
    constexpr unsigned kRounds = 40;
    const auto took = [&](unsigned rounds) {
      Program program = before;
      program.push_back(addi(29, 0, static_cast<std::int32_t>(rounds)));
      program.insert(program.end(), body.begin(), body.end());
      program.push_back(addi(29, 29, -1));
      // A branch does not reach over a long body.
      program.push_back(beq(29, 0, 8));
      program.push_back(jal(0, -4 * static_cast<std::int32_t>(body.size() + 2)));
      return static_cast<double>(run(program));
    };
    return (took(2 * kRounds) - took(kRounds)) / kRounds;
  }
  /// Cycles for each instruction of `group`, as the difference of a long and a short body.
  double each(const Program& group, const Program& before) {
    constexpr unsigned kMore = 32;
    return (round(times(2 * kMore, group), before) - round(times(kMore, group), before)) / kMore;
  }
  static Program times(unsigned n, const Program& group) {
    Program program;
    while (program.size() < n) program.insert(program.end(), group.begin(), group.end());
    return program;
  }
};

TEST_F(BlackholeCore, RandomProgramsEqualTheGoldenInterpreter) {
  std::vector<support::Cycle> took;
  for (const bool translated : {false, true}) {
    bench::Tile& tile = translated ? world().translating : world().tile;
    Core& core = *tile.cores[0];
    for (unsigned seed = 0; seed < 300; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const auto code = with_end(RandomProgram(seed, RandomProgram::Words::kBlackhole).make(600));
      golden::Machine golden;
      golden.l1.assign(kL1Bytes, 0);
      golden.local.assign(4096, 0);
      std::memcpy(golden.l1.data(), code.data(), code.size() * 4);
      tile.l1 = golden.l1;
      std::vector<std::uint8_t> local(4096);
      ASSERT_TRUE(core.debug_write(Core::kLocalBase, local.data(), 4096));
      while (golden.step()) {
      }
      core.release_reset(0, 0);
      tile.run();
      ASSERT_EQ(core.state(), CoreState::kBlocked);
      if (translated) {
        ASSERT_EQ(core.time(), took[seed]);
      }
      took.push_back(core.time());
      for (unsigned r = 0; r < 32; ++r) ASSERT_EQ(core.reg(r), golden.x[r]) << "x" << r;
      ASSERT_TRUE(tile.l1 == golden.l1);
      ASSERT_TRUE(core.debug_read(Core::kLocalBase, local.data(), 4096));
      ASSERT_TRUE(local == golden.local);
    }
  }
}

/// A program for Linux: `code` at kBase, then a write of kData - 256 to kData + 384, where the
/// registers follow the data.
constexpr std::uint32_t kBase = 0x1000, kEnd = 0x6000;
std::string linux_program(Program code) {
  constexpr std::uint32_t kBelow = RandomProgram::kData - 256;
  code.push_back(lui(31, RandomProgram::kData));
  for (Word r = 1; r < 31; ++r) code.push_back(sw(r, 256 + 4 * static_cast<std::int32_t>(r), 31));
  for (const Word w : {addi(11, 31, -256), addi(10, 0, 1), addi(12, 0, 640), addi(17, 0, 64),
                       ecall(), addi(10, 0, 0), addi(17, 0, 93), ecall()}) {
    code.push_back(w);
  }
  EXPECT_LT(kBase + 4 * code.size(), kBelow);
  std::string file(kEnd, '\0');
  const std::uint32_t header[] = {0x464C457F,
                                  0x00010101,
                                  0,
                                  0,
                                  0x00F30002,
                                  1,
                                  kBase,
                                  52,
                                  0,
                                  0,
                                  0x00200034,
                                  0x00000001,
                                  0,
                                  1,
                                  kBase,
                                  kBase,
                                  kBase,
                                  kEnd - kBase,
                                  kEnd - kBase,
                                  7,
                                  0x1000};
  std::memcpy(file.data(), header, sizeof header);
  std::memcpy(file.data() + kBase, code.data(), 4 * code.size());
  return file;
}

TEST_F(BlackholeCore, RandomProgramsEqualQemu) {
  const char* const qemu = std::getenv("TVP_QEMU_RISCV32");
  if (qemu == nullptr) GTEST_SKIP() << "TVP_QEMU_RISCV32 does not name qemu-riscv32";
  const std::string path = ::testing::TempDir() + "blackhole_core_test.elf";
  const std::string dump = path + ".out";
  unsigned instructions = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program code = RandomProgram(seed, RandomProgram::Words::kBlackhole).make(600);
    // x31 points to L1 too.
    code[1] = lui(31, RandomProgram::kData);
    code[2] = nop();
    std::ofstream(path, std::ios::binary) << linux_program(code);
    const auto ran = foundation::Process::run(
        {.command = {"/bin/sh", "-c",
                     std::string("chmod +x ") + path + "; " + qemu + " " + path + " > " + dump}});
    ASSERT_EQ(ran.exit_code(), 0) << ran.said();
    std::ifstream in(dump, std::ios::binary);
    const std::string out{std::istreambuf_iterator<char>(in), {}};
    ASSERT_EQ(out.size(), 640U);
    tile_.l1.assign(kL1Bytes, 0);
    const std::uint64_t before = core_.executed_instructions();
    run(code, kBase);
    instructions += static_cast<unsigned>(core_.executed_instructions() - before);
    ASSERT_EQ(std::memcmp(out.data(), tile_.l1.data() + RandomProgram::kData - 256, 512), 0);
    for (unsigned r = 1; r < 31; ++r) {
      std::uint32_t value = 0;
      std::memcpy(&value, out.data() + 512 + 4 * r, 4);
      if (r == 28) continue;  // the end of the program here uses it
      ASSERT_EQ(core_.reg(r), value) << "x" << r;
    }
  }
  RecordProperty("instructions", static_cast<int>(instructions));
  std::printf("%u instructions\n", instructions);
}

TEST_F(BlackholeCore, WormholeRefusesItsInstructions) {
  EXPECT_EQ(message({0x60001093}, 1),
            "invalid instruction 0x60001093: clz ra,zero is an instruction of Blackhole's cores, "
            "and this is a core of Wormhole, pc 0x00000000");
  EXPECT_NE(message({0xF1402573}, 1).find("csrrs a0,0xf14,zero is an instruction of Blackhole"),
            std::string::npos);
  EXPECT_NE(message({0x0005202F}, 1).find("amoadd.w zero,zero,(a0) is an instruction"),
            std::string::npos);
  EXPECT_EQ(message({0x60001093}, 0), "");
}

constexpr Word csrrw(Word rd, Word csr, Word rs1) {
  return csr << 20 | rs1 << 15 | 0x1073 | rd << 7;
}
constexpr Word csrrs(Word rd, Word csr, Word rs1) {
  return csr << 20 | rs1 << 15 | 0x2073 | rd << 7;
}
constexpr Word csrrci(Word rd, Word csr, Word n) { return csr << 20 | n << 15 | 0x7073 | rd << 7; }

TEST_F(BlackholeCore, Csrs) {
  run({csrrs(1, 0xF14, 0), csrrs(2, 0x301, 0), csrrs(3, 0x300, 0), csrrs(4, 0xC22, 0),
       csrrs(5, 0x7C0, 0), addi(6, 0, 0x55), csrrw(7, 0x7C3, 6), csrrci(8, 0x7C3, 5),
       csrrs(9, 0x7C3, 0), csrrs(10, 0xC00, 0), csrrs(11, 0xC00, 0), csrrs(12, 0xC02, 0),
       csrrw(0, 0xB02, 0), csrrs(13, 0xC02, 0)});
  EXPECT_EQ(core_.reg(1), 0U);
  EXPECT_EQ(core_.reg(2), 0x40201123U);
  EXPECT_EQ(core_.reg(3), 0x80006600U);
  EXPECT_EQ(core_.reg(4), 16U);
  EXPECT_EQ(core_.reg(5), 16U << 13);
  EXPECT_EQ(core_.reg(7), 0U);
  EXPECT_EQ(core_.reg(8), 0x55U);
  EXPECT_EQ(core_.reg(9), 0x50U);
  // Each access waits for the one before to retire.
  EXPECT_EQ(core_.reg(11) - core_.reg(10), 2U);
  EXPECT_EQ(core_.reg(13), 1U);
  EXPECT_EQ(message({csrrs(1, 0x123, 0)}, 0),
            "access of CSR 0x00000123, which cores of Blackhole do not have, pc 0x00000000");
}

TEST_F(BlackholeCore, AtomicOperationsOnlyOnL1) {
  EXPECT_EQ(message({lui(5, Core::kLocalBase), r_type(0, 1, 5, 2, 3, 0x2F)}, 0),
            "atomic operation on address 0xffb00000, which is not in L1, pc 0x00000004");
  EXPECT_NE(message({addi(5, 0, 0x402), r_type(0, 1, 5, 2, 3, 0x2F)}, 0).find("misaligned atomic"),
            std::string::npos);
}

struct Row {
  const char* what;
  double silicon, here;
};

// mesham/tt-sim docs/bh_arch.md 1.1 to 1.8, measured on a card with L0 data caches off.
TEST_F(BlackholeCore, TimesEqualThoseMeasured) {
  const auto adds = [&](unsigned bytes) {
    return round(times(bytes / 4 - 3, {addi(5, 5, 1)})) / (bytes / 4.0);
  };
  const Program base = {lui(20, 0x8000),    lui(21, Core::kLocalBase), addi(6, 0, 3),
                        lui(7, 0x12345000), addi(7, 7, 0x678),         sw(20, 0, 20),
                        sw(21, 0, 21)};
  const auto loop = [&](const Program& group) { return each(group, base); };
  const std::vector<Row> rows = {
      {"addi, loop of 2 KiB", 0.998, adds(2048)},
      {"addi, loop of 4 KiB", 1.000, adds(4096)},
      {"addi, loop of 5 KiB", 1.153, adds(5120)},
      {"addi, loop of 6 KiB", 1.252, adds(6144)},
      {"addi, loop of 8 KiB", 1.251, adds(8192)},
      {"branch never taken", 0.999, loop({bne(0, 0, 4)})},
      {"branch always taken", 0.963, loop({beq(0, 0, 4)})},
      {"jump", 0.962, loop({jal(0, 4)})},
      {"divu of 0x12345678 by 3", 33.001, loop({divu(8, 7, 6)})},
      {"pointers in L1", 8.098, loop({lw(20, 0, 20)})},
      {"pointers in local RAM", 1.985, loop({lw(21, 0, 21)})},
      {"independent loads of L1", 1.742,
       loop({lw(8, 0, 20), lw(9, 16, 20), lw(10, 32, 20), lw(11, 48, 20)})},
      {"stores to 4 blocks in turn", 5.255,
       loop({sw(6, 0, 20), sw(6, 16, 20), sw(6, 32, 20), sw(6, 48, 20)})},
      {"stores in one block", 0.999, loop({sw(6, 0, 20), sw(6, 4, 20)})},
      {"stores to local RAM", 0.999, loop({sw(6, 0, 21), sw(6, 4, 21)})},
      {"independent products", 0.999, loop({mul(8, 6, 6), mul(9, 6, 6)})},
      {"dependent products", 1.985, loop({mul(8, 8, 6)})},
  };
  for (const Row& row : rows) {
    std::printf("%-28s %7.3f %7.3f %+5.1f %%\n", row.what, row.silicon, row.here,
                100 * (row.here / row.silicon - 1));
    EXPECT_NEAR(row.here, row.silicon, 0.05 * row.silicon) << row.what;
  }
}

TEST_F(BlackholeCore, MispredictionCostsFourCycles) {
  const support::Cycle straight = run({nop(), nop()});
  EXPECT_EQ(run({beq(0, 0, 4), nop()}) - straight, 4U);
}

TEST_F(BlackholeCore, StoresJoinOnlyNeighbors) {
  const Program base = {lui(20, 0x8000)};
  const auto loop = [&](const Program& body) { return round(body, base); };
  EXPECT_EQ(loop({sw(6, 0, 20), sw(6, 4, 20), sw(6, 8, 20), sw(6, 12, 20), nop(), nop()}), 9);
  // In other blocks, too far apart, or behind a store to another memory.
  EXPECT_EQ(loop({sw(6, 0, 20), sw(6, 16, 20)}), 10);
  EXPECT_EQ(loop({sw(6, 0, 20), sw(6, 8, 20)}), 10);
  // cfg0 bit 12.
  EXPECT_EQ(
      round({sw(6, 0, 20), sw(6, 4, 20)}, {lui(20, 0x8000), lui(7, 0x1000), csrrs(0, 0x7C0, 7)}),
      10);
}

}  // namespace
}  // namespace tvp::riscv::blackhole_core_test
