// The DMA engine with DDR4-2400, compared with times by hand. In cycles of 1200 MHz: tRCD 17, CL
// 17, CWL 12, BL 4, tCCD_L 6, tRP 17, tRAS 39, tRC 56, tRRD_L 6, tFAW 26. The engine counts 350
// MHz. An edge of one clock is seen at the first edge of the other one at or after it: n * 24 / 7
// or n * 7 / 24, rounded up.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>

#include "foundation/regs/pim.h"
#include "models/pim/unit/dma_engine.h"
#include "models/support/tile_scheduler.h"
#include "tests/support/fault_of.h"
#include "tests/support/memory_recorder.h"
#include "tests/unit/pim/register_rules.h"

namespace tvp::pim::dma_test {
namespace {

namespace regs = tvp::regs::pim::dma;
using support::Cycle;

constexpr Cycle kStart = 100;

/// The engines of some banks of one chip, without cores.
struct Chip {
  struct Bank {
    Bank(Chip& chip, unsigned number)
        : wram(watch_hub),
          bank(*dram::find_preset("ddr4_2400"), chip.window, "bank" + std::to_string(number),
               chip.faults),
          dma("unit" + std::to_string(number), number, chip.config, bank, wram, chip.calendar,
              chip.calendar.add_tile(scheduler), watch_hub, chip.faults) {
      scheduler.add(dma);
      bank.set_owner(dram::BankOwner::kProcessor, 0);
    }
    support::MmioAccess write(std::uint32_t offset, std::uint32_t data, Cycle now) {
      support::MmioAccess access{.write = true, .offset = offset, .data = data, .now = now};
      dma.access(access);
      return access;
    }
    support::MmioAccess go(std::uint32_t direction, std::uint32_t bank_address, std::uint32_t bytes,
                           Cycle now, std::uint32_t wram_address = 0) {
      write(regs::kWramAddress, wram_address, now);
      write(regs::kBankAddress, bank_address, now);
      write(regs::kBytes, bytes, now);
      return write(regs::kGo, direction, now);
    }
    std::uint32_t completed() {
      support::MmioAccess access{.offset = regs::kCompleted};
      dma.access(access);
      return access.data;
    }
    support::TileScheduler scheduler;
    support::WatchHub watch_hub;
    Wram wram;
    dram::BankPort bank;
    DmaEngine dma;
  };

  explicit Chip(unsigned banks_count = 1, const char* width = "64") {
    config.dma_bytes_per_cycle.set(width);
    for (unsigned i = 0; i < banks_count; ++i) banks.push_back(std::make_unique<Bank>(*this, i));
    calendar.run_until(kStart);
  }
  Bank& bank(unsigned i = 0) { return *banks[i]; }
  /// The cycle at which the `count`th descriptor of a bank is done.
  Cycle done(unsigned count, unsigned i = 0) {
    Cycle now = calendar.now();
    while (bank(i).completed() < count && now < 100000) calendar.run_until(++now);
    return now - 1;
  }

  foundation::StopOnFault faults;
  PimConfig config;
  support::Calendar calendar{lookahead(config)};
  dram::ActivationWindow window{dram::find_preset("ddr4_2400")->timing};
  std::vector<std::unique_ptr<Bank>> banks;
};

std::string fault_of(const std::function<void()>& work) {
  return tvp::test::fault_of([&] { work(); }, foundation::FaultKind::kFirmware);
}

TEST(DmaEngine, HasTheRegistersOfItsTable) {
#define DMA(Name, offset, count, access) {#Name, offset, RegisterRow::Access::access},
  const std::vector<RegisterRow> rows{
#include "foundation/regs/pim.def"
  };
  Chip chip;
  expect_registers(chip.bank().dma, rows, tvp::regs::pim::kWindowBytes);
}

TEST(DmaTiming, ReadsOneBurst) {
  Chip chip;
  chip.bank().go(regs::kGoRead, 0, 8, kStart);
  // First command at 102 -> 350; ACT 350, RD 367, data until 388 -> 114, 2 to synchronize.
  EXPECT_EQ(chip.done(1), 116U);
}

TEST(DmaTiming, ReadsBurstsOfARowEveryTccdL) {
  Chip chip;
  chip.bank().go(regs::kGoRead, 0, 64, kStart);
  EXPECT_EQ(chip.done(1), 128U);  // last RD 367 + 7 * 6 = 409, data until 430 -> 126
}

TEST(DmaTiming, WritesOneBurst) {
  Chip chip;
  chip.bank().go(regs::kGoWrite, 0, 8, kStart);
  EXPECT_EQ(chip.done(1), 114U);  // WR 367, data until 383 -> 112
}

TEST(DmaTiming, IsBoundByItsWidth) {
  Chip chip(1, "2");
  chip.bank().go(regs::kGoRead, 0, 64, kStart);
  EXPECT_EQ(chip.done(1), 136U);  // 102 + 64 / 2 + 2
}

TEST(DmaTiming, FindsTheRowOpen) {
  Chip chip;
  chip.bank().go(regs::kGoRead, 0, 8, kStart);
  chip.bank().go(regs::kGoRead, 8, 8, kStart);
  // Second from 116 + 2 -> 405: RD 405, data until 426 -> 125.
  EXPECT_EQ(chip.done(2), 127U);
}

TEST(DmaTiming, ClosesAnotherRow) {
  Chip chip;
  chip.bank().go(regs::kGoRead, 0, 8, kStart);
  chip.bank().go(regs::kGoRead, 1024, 8, kStart);
  // PRE 405 (tRAS is over at 389), ACT 422 (tRC at 406), RD 439, data until 460 -> 135.
  EXPECT_EQ(chip.done(2), 137U);
}

TEST(DmaTiming, SharesActivationsWithTheOtherBanksOfTheChip) {
  Chip chip(5);
  for (unsigned i = 0; i < 5; ++i) chip.bank(i).go(regs::kGoRead, 0, 8, kStart);
  // ACT 350, 356, 362, 368 by tRRD_L, the fifth 376 by tFAW; data until ACT + 38.
  const Cycle expected[] = {116, 117, 119, 121, 123};
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(chip.done(1, i), expected[i]) << i;
}

/// The times of ReadsOneBurst and WritesOneBurst.
TEST(DmaEngine, ObserversSeeBothItsMemoriesAndNothingElseMoves) {
  using support::BusMaster;
  using support::MemoryKind;
  support::MemoryRecorder seen;
  Chip chip(2);
  for (unsigned i = 0; i < 2; ++i) {
    Chip::Bank& bank = chip.bank(i);
    bank.wram.observe(&seen);
    bank.bank.observe(&seen, dram::ClockRatio(bank.bank.timing().tck, dram::Period::of_mhz(350)));
  }
  chip.bank(0).go(regs::kGoRead, 24, 8, kStart, 64);
  EXPECT_EQ(chip.done(1, 0), 116U);
  using Accesses = std::vector<support::ProbeEvent>;
  EXPECT_EQ(seen.seen, (Accesses{{.kind = support::ProbeEvent::Kind::kRead,
                                  .agent = BusMaster::kPimDma,
                                  .memory = MemoryKind::kBank,
                                  .bytes = 8,
                                  .address = 24,
                                  .cycle = 102,
                                  .done = 114},
                                 {.kind = support::ProbeEvent::Kind::kWritten,
                                  .agent = BusMaster::kPimDma,
                                  .memory = MemoryKind::kWram,
                                  .bytes = 8,
                                  .address = 64,
                                  .cycle = 116,
                                  .done = 116}}));
  seen.seen.clear();
  const std::uint64_t word = 7;
  chip.bank(1).bank.debug_write(32, reinterpret_cast<const std::uint8_t*>(&word), 8, 116);
  EXPECT_EQ(seen.seen, (Accesses{{.kind = support::ProbeEvent::Kind::kWritten,
                                  .agent = BusMaster::kDebug,
                                  .memory = MemoryKind::kBank,
                                  .bytes = 8,
                                  .address = 32,
                                  .cycle = 116,
                                  .done = 116}}));
}

TEST(DmaEngine, AnObserverSeesTheDmaReadWramWhenItBegins) {
  support::MemoryRecorder seen;
  Chip chip;
  chip.bank().wram.observe(&seen);
  chip.bank().go(regs::kGoWrite, 0, 8, kStart, 16);
  EXPECT_EQ(chip.done(1), 114U);
  ASSERT_EQ(seen.seen.size(), 1U);
  EXPECT_EQ(seen.seen[0], (support::ProbeEvent{.kind = support::ProbeEvent::Kind::kRead,
                                               .agent = support::BusMaster::kPimDma,
                                               .memory = support::MemoryKind::kWram,
                                               .bytes = 8,
                                               .address = 16,
                                               .cycle = kStart,
                                               .done = kStart}));
}

TEST(DmaEngine, MovesBytesBothWaysInOrder) {
  Chip chip;
  auto& unit = chip.bank();
  std::iota(unit.wram.bytes(), unit.wram.bytes() + 4096, std::uint8_t{1});
  unit.go(regs::kGoWrite, 1000, 4096, kStart, 0);
  unit.go(regs::kGoRead, 1000, 4096, kStart, 8192);
  chip.done(2);
  EXPECT_TRUE(std::equal(unit.wram.bytes(), unit.wram.bytes() + 4096, unit.wram.bytes() + 8192));
  EXPECT_EQ(unit.dma.stats().bytes_written, 4096U);
  EXPECT_EQ(unit.dma.stats().bytes_read, 4096U);
}

TEST(DmaEngine, HoldsTheStoreThatFindsTheQueueFull) {
  Chip chip;
  for (std::uint32_t i = 0; i < regs::kQueue; ++i) {
    EXPECT_FALSE(chip.bank().go(regs::kGoRead, 8 * i, 8, kStart).blocked);
  }
  const auto held = chip.bank().go(regs::kGoRead, 64, 8, kStart);
  EXPECT_TRUE(held.blocked);
  EXPECT_NE(held.watch, support::Watch::kNone);
  const Cycle first = chip.done(1);
  EXPECT_FALSE(chip.bank().write(regs::kGo, regs::kGoRead, first + 1).blocked);
  chip.done(regs::kQueue + 1);
  EXPECT_TRUE(chip.bank().dma.idle());
}

TEST(DmaEngine, RefusesWhatItCannotMove) {
  Chip chip;
  auto& unit = chip.bank();
  const auto text = [&](std::uint32_t direction, std::uint32_t bank, std::uint32_t bytes,
                        std::uint32_t wram) {
    return fault_of([&] { unit.go(direction, bank, bytes, kStart, wram); });
  };
  EXPECT_NE(text(regs::kGoRead, 4, 8, 0).find("multiples of 8"), std::string::npos);
  EXPECT_NE(text(regs::kGoRead, 0, 12, 0).find("multiples of 8"), std::string::npos);
  EXPECT_NE(text(regs::kGoRead, 0, 0, 0).find("nothing to move"), std::string::npos);
  EXPECT_NE(text(regs::kGoRead, 0, 16, 65528).find("leaves WRAM"), std::string::npos);
  EXPECT_NE(text(regs::kGoRead, 64U << 20, 8, 0).find("leaves the bank of 67108864 bytes"),
            std::string::npos);
  // The last bytes of the bank, and one burst more.
  constexpr std::uint32_t kBank = 64U << 20;
  EXPECT_EQ(text(regs::kGoRead, kBank - 16, 16, 0), "no fault");
  EXPECT_NE(text(regs::kGoRead, kBank - 16, 24, 0).find("leaves the bank"), std::string::npos);
  EXPECT_NE(text(regs::kGoWrite, kBank - 8, 16, 0).find("leaves the bank"), std::string::npos);
  EXPECT_NE(text(3, 0, 8, 0).find("go must be 1 (read) or 2 (write)"), std::string::npos);
  unit.bank.set_owner(dram::BankOwner::kHost, 0);
  EXPECT_NE(text(regs::kGoRead, 0, 8, 0).find("unit0: DMA of 8 bytes"), std::string::npos);
  EXPECT_NE(text(regs::kGoRead, 0, 8, 0).find("the host owns the bank"), std::string::npos);
}

}  // namespace
}  // namespace tvp::pim::dma_test
