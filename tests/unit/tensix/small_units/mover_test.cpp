// Mover and TDMA-RISC (ISA Mover.md, TDMA-RISC.md, XMOV.md).

#include "foundation/regs/tensix_config.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

using support::BusMaster;

class MoverTest : public ::testing::Test {
 protected:
  void fill(std::uint32_t address, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) {
      bench.l1.bytes()[address + i] = static_cast<std::uint8_t>(i * 7 + 1);
    }
  }
  support::MmioAccess store(std::uint32_t offset, std::uint32_t data, Cycle now,
                            BusMaster master = BusMaster::kT0) {
    return bench.mmio(bench.coprocessor.tdma_window(), master, true, offset, data, now);
  }
  std::uint32_t load(std::uint32_t offset, Cycle now, BusMaster master = BusMaster::kT0) {
    return bench.mmio(bench.coprocessor.tdma_window(), master, false, offset, 0, now).data;
  }
  /// A move command at `now`; addresses and size in bytes.
  void move(std::uint32_t source, std::uint32_t destination, std::uint32_t bytes,
            std::uint32_t direction, Cycle now) {
    store(0x00, source / 16, now);
    store(0x04, destination / 16, now);
    store(0x08, bytes / 16, now);
    store(0x0C, direction, now);
    store(0x10, 0x40, now);
  }
  bool equal(std::uint32_t a, std::uint32_t b, std::uint32_t bytes) {
    return std::memcmp(bench.l1.bytes() + a, bench.l1.bytes() + b, bytes) == 0;
  }
  /// The cycle at which the mover becomes idle, checked in every cycle.
  Cycle idle_from(Cycle start) {
    for (Cycle now = start; now < start + 10000; ++now) {
      bench.run(now + 1);
      if (!bench.coprocessor.mover().busy() && bench.coprocessor.mover().queued() == 0) return now;
    }
    return kNever;
  }

  Bench bench;
};

TEST_F(MoverTest, CopiesEightUnitsEvery11Cycles) {
  fill(0x1000, 512);
  move(0x1000, 0x8000, 512, 3, 0);
  // The move is accepted at 0 and executed at 1; four bursts of eight units follow.
  EXPECT_EQ(idle_from(0), 1U + 4 * 11);
  EXPECT_TRUE(equal(0x1000, 0x8000, 512));
}

TEST_F(MoverTest, SmallCopyAndNothingBeyond) {
  fill(0x1000, 64);
  bench.l1.bytes()[0x8000 + 48] = 0xEE;
  move(0x1000, 0x8000, 48, 3, 0);
  EXPECT_EQ(idle_from(0), 1U + 5);  // ceil(3 * 11 / 8)
  EXPECT_TRUE(equal(0x1000, 0x8000, 48));
  EXPECT_EQ(bench.l1.bytes()[0x8000 + 48], 0xEE);
}

TEST_F(MoverTest, ClearsOneUnitACycle) {
  fill(0x1000, 256);
  move(0x7770, 0x1000, 160, 0, 0);
  EXPECT_EQ(idle_from(0), 1U + 10);
  for (unsigned i = 0; i < 160; ++i) EXPECT_EQ(bench.l1.bytes()[0x1000 + i], 0);
  EXPECT_NE(bench.l1.bytes()[0x1000 + 160], 0);
}

TEST_F(MoverTest, ABusyPortMakesItSlower) {
  bench.l1.extra_wait = 30;
  fill(0x1000, 128);
  move(0x1000, 0x8000, 128, 3, 0);
  EXPECT_EQ(idle_from(0), 1U + 38);
}

// Nine bits each: three in one register, the fourth above the other register's bits.
TEST_F(MoverTest, KeepsTheUpperHalvesOfPackersRegisterValues) {
  store(0x3C, 0x001 | 0x102 << 9 | 0x1FFU << 18, 0);
  store(0x28, 0x0155007F, 1);
  const auto& kept = dynamic_cast<TdmaRisc&>(bench.coprocessor.tdma_window()).pack_setreg();
  EXPECT_EQ(kept.high_scaler, (std::array<std::uint32_t, 4>{0x001, 0x102, 0x1FF, 0x155}));
  EXPECT_EQ(load(0x28, 2), 0x0155007FU);
}

TEST_F(MoverTest, CopiesToConfiguration) {
  fill(0x1000, 32);
  // Words from 152 on are global.
  move(0x1000, 152 * 4 / 16 * 16, 32, 1, 0);
  idle_from(0);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(bench.coprocessor.state().config.bank[0][152 + i], bench.l1.word(0x1000 + 4 * i));
    EXPECT_EQ(bench.coprocessor.state().config.bank[1][152 + i], bench.l1.word(0x1000 + 4 * i));
  }
  move(0, 152 * 4, 16, 2, 100);
  idle_from(100);
  EXPECT_EQ(bench.coprocessor.state().config.bank[0][152], 0U);
  EXPECT_NE(bench.coprocessor.state().config.bank[0][156], 0U);
}

TEST_F(MoverTest, CopiesToInstructionRam) {
  fill(0x1000, 1024);
  move(0x1000, 0x40000 + 0x100, 1024, 1, 0);
  idle_from(0);
  EXPECT_EQ(std::memcmp(bench.instruction_ram.data() + 0x100, bench.l1.bytes() + 0x1000, 1024), 0);
}

TEST_F(MoverTest, CompactCommand) {
  fill(0x2000 + 0x50, 48);
  store(0x2C, 0x2000 / 16, 0, BusMaster::kT1);
  EXPECT_EQ(load(0x2C, 0, BusMaster::kT1), 0x200U);
  EXPECT_EQ(load(0x2C, 0, BusMaster::kT2), 0U);
  // L1 to L1, 3 units, destination 0x1F0, source base + 5 units.
  store(0x10, 1U << 31 | 1U << 30 | 3U << 24 | 0x1FU << 16 | 5U << 8 | 0x40, 0, BusMaster::kT1);
  idle_from(0);
  EXPECT_TRUE(equal(0x2050, 0x1F0, 48));
}

TEST_F(MoverTest, QueueStatusAndBackPressure) {
  EXPECT_EQ(load(0x14, 0), 1U << 3 | 1U << 5 | 4U << 8);
  move(0, 0x8000, 16 * 64, 3, 0);
  bench.run(2);
  EXPECT_EQ(load(0x14, 2), 1U | 1U << 3 | 1U << 5 | 4U << 8);
  for (int i = 0; i < 4; ++i) store(0x10, 0x80000046, 2);
  EXPECT_EQ(load(0x14, 2), 1U | 1U << 2 | 1U << 5);
  EXPECT_TRUE(store(0x10, 0x80000089, 2).blocked);
  EXPECT_EQ(store(0x10, 0x80000089, 2).watch, support::Watch::kTdma);
  // 64 units end at 1 + 88; then one wait command per cycle.
  EXPECT_EQ(idle_from(3), 1U + 88 + 3);
}

TEST_F(MoverTest, WriteCommands) {
  store(0x00, 0x3000, 0);
  store(0x08, 0x11223344, 0);
  store(0x0C, 0x55667788, 0);
  store(0x10, 0x766, 0);
  idle_from(0);
  EXPECT_EQ(bench.l1.word(0x3000), 0x11223344U);
  EXPECT_EQ(bench.l1.word(0x3004), 0x55667788U);
  store(0x00, 0x3008, 50);
  store(0x10, 0x666, 50);
  idle_from(50);
  EXPECT_EQ(bench.l1.word(0x3008), 0x11223344U);
  EXPECT_EQ(bench.l1.word(0x300C), 0U);
}

TEST_F(MoverTest, UndefinedUsesAreFaults) {
  move(0, 1464 * 1024 - 16, 32, 3, 0);
  EXPECT_THROW(bench.run(10), foundation::Fault);
  Bench other("other");
  const auto command = [&](std::uint32_t word) {
    return other.mmio(other.coprocessor.tdma_window(), BusMaster::kB, true, 0x10, word, 0);
  };
  command(0x89);
  command(0x89);
  EXPECT_THROW(command(0x89), foundation::Fault) << "third command with parameters";
}

TEST_F(MoverTest, UnknownRegistersStopByName) {
  EXPECT_THROW(load(0x30, 0), foundation::Fault);
  EXPECT_THROW(store(0x80, 1, 0), foundation::Fault);
}

TEST_F(MoverTest, XmovTakesItsParametersFromConfiguration) {
  fill(0x1000, 128);
  auto& bank = bench.coprocessor.state().config.bank[0];
  bank[76] = 0x100;
  bank[77] = 0x800;
  bank[78] = 3U << 30 | 8;
  bench.push(0, 0,
             {op::encode_xmov(), op::encode_xmov(), op::encode_stallwait(kBlockMatrix, 1U << 12),
              mvmul()});
  bench.run(500);
  EXPECT_TRUE(equal(0x1000, 0x8000, 128));
  // XMOV at 3, moves from 4 to 15. The second one passes at 15 and moves from 16 to 27. The
  // STALLWAIT of 16 sees idle at 27 and releases at 28.
  EXPECT_EQ(bench.matrix.times(), (std::vector<Cycle>{28}));
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
