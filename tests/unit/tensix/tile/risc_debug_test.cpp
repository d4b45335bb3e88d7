// The debug units of a tile's cores, as tt-exalens uses them: registers of tile control at
// 0xFFB12000, written and read by the host.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "foundation/regs/tensix_tile.h"
#include "models/noc/boot.h"
#include "models/noc/torus/make_torus.h"
#include "models/tensix/tile/tensix_tile.h"
#include "tests/support/fault_of.h"
#include "tests/unit/noc/wormhole_grid.h"
#include "tests/unit/riscv/assembler.h"

namespace tvp::tensix::risc_debug_test {
namespace {

using namespace riscv::assembler;
using test::fault_of;

constexpr std::uint32_t kStatus = 0, kCommand = 1, kArgument0 = 2, kArgument1 = 3, kResult = 4,
                        kSettings = 5, kWatchpoint0 = 10;
constexpr std::uint32_t kMode = 0x80000000;
constexpr std::uint32_t kHalt = kMode | 1, kStep = kMode | 2, kContinue = kMode | 4,
                        kReadRegister = kMode | 8, kWriteRegister = kMode | 0x10,
                        kReadMemory = kMode | 0x20, kWriteMemory = kMode | 0x40;
constexpr std::uint32_t kHalted = 1, kAtPc = 2, kAtAccess = 4, kAtBreak = 8, kFirstHit = 0x100;
constexpr std::uint32_t kPc = 32;
constexpr std::uint32_t kEbreak = 0x00100073;
constexpr std::uint32_t kData = 0x2000;

/// A tile on both NoCs.
class Bench : public sc_core::sc_module {
 public:
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    for (unsigned noc = 0; noc < 2; ++noc)
      tori[noc] = noc::make_torus(noc == 0 ? "noc0" : "noc1", noc_config, noc::wormhole_grid(), noc,
                                  calendar);
    tile = std::make_unique<TensixTile>(
        "tile", "tile", 1U, 1U, 0U,
        TileEnvironment{noc::wormhole_grid(), noc_config, riscv_config, coprocessor_config,
                        movement_config, sc_core::sc_time(1, sc_core::SC_NS), calendar, faults});
    for (unsigned noc = 0; noc < 2; ++noc) {
      tori[noc]->attach(tile->niu(noc));
      noc::boot_niu(tile->niu(noc), true);
    }
  }

  noc::NocConfig noc_config;
  riscv::CoreConfig riscv_config;
  coprocessor::CoprocessorConfig coprocessor_config;
  coprocessor::MovementConfig movement_config;
  foundation::StopOnFault faults;
  support::Calendar calendar{noc::lookahead(noc_config)};
  std::unique_ptr<noc::Torus> tori[2];
  std::unique_ptr<TensixTile> tile;
};

Bench& bench() {
  static Bench b("debugged");
  static const bool elaborated = (sc_core::sc_start(sc_core::SC_ZERO_TIME), true);
  (void)elaborated;
  return b;
}

class RiscDebugTest : public ::testing::Test {
 protected:
  ~RiscDebugTest() override { reset(true); }

  static void pass(support::Cycle cycles = 200) {
    Bench& b = bench();
    b.calendar.tile_woken(b.tile->calendar_index());
    b.calendar.run_until(b.calendar.now() + cycles);
  }
  static void put(std::uint32_t offset, std::uint32_t value) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
    EXPECT_TRUE(bench().tile->debug_access(regs::tensix_tile::kControl + offset, bytes, 4, true));
  }
  static std::uint32_t get(std::uint32_t offset) {
    std::uint32_t value = 0;
    auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
    EXPECT_TRUE(bench().tile->debug_access(regs::tensix_tile::kControl + offset, bytes, 4, false));
    return value;
  }
  static void reset(bool on) { put(regs::tensix_tile::kSoftReset0, on ? 0x47800U : 0x47000U); }

  // Registers of the debug unit of a core: B is 0, T0 is 1.
  static void write(std::uint32_t index, std::uint32_t value, std::uint32_t core = 0) {
    put(regs::tensix_tile::kRiscDebugControl1, value);
    put(regs::tensix_tile::kRiscDebugControl0, 0x80010000 | core << 17 | index);
    put(regs::tensix_tile::kRiscDebugControl0, 0);
    pass();
  }
  static std::uint32_t read(std::uint32_t index, std::uint32_t core = 0) {
    put(regs::tensix_tile::kRiscDebugControl0, 0x80000000 | core << 17 | index);
    put(regs::tensix_tile::kRiscDebugControl0, 0);
    EXPECT_NE(get(regs::tensix_tile::kRiscDebugStatus0) & 1U << 30, 0U);
    return get(regs::tensix_tile::kRiscDebugStatus1);
  }
  static std::uint32_t reg(std::uint32_t number) {
    write(kArgument0, number);
    write(kCommand, kReadRegister);
    return read(kResult);
  }
  static void set_reg(std::uint32_t number, std::uint32_t value) {
    write(kArgument1, value);
    write(kArgument0, number);
    write(kCommand, kWriteRegister);
  }
  static std::uint32_t word(std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, bench().tile->l1().bytes() + address, 4);
    return value;
  }
  static void start(const std::vector<std::uint32_t>& code) {
    std::memset(bench().tile->l1().bytes(), 0, 0x3000);
    std::memcpy(bench().tile->l1().bytes(), code.data(), 4 * code.size());
    reset(false);
    pass();
  }
};

/// Counts in x1 and stores the count at kData, forever.
const std::vector<std::uint32_t> kCount = {lui(2, kData), addi(1, 1, 1), sw(1, 0, 2), jal(0, -8)};

TEST_F(RiscDebugTest, ACoreHaltsAndContinues) {
  start(kCount);
  EXPECT_EQ(read(kStatus), 0U);
  write(kCommand, kHalt);
  EXPECT_EQ(read(kStatus), kHalted);
  const std::uint32_t count = word(kData);
  EXPECT_GT(count, 10U);
  pass();
  EXPECT_EQ(word(kData), count);
  EXPECT_EQ(reg(2), kData);
  set_reg(1, 5000);
  EXPECT_EQ(reg(1), 5000U);
  write(kCommand, kContinue);
  EXPECT_EQ(read(kStatus), 0U);
  EXPECT_GT(word(kData), 5000U);
}

TEST_F(RiscDebugTest, ACoreThatPollsHaltsInItsLoop) {
  start({lui(2, kData), lw(1, 0, 2), beq(1, 0, -4), addi(3, 0, 7), jal(0, 0)});
  write(kCommand, kHalt);
  EXPECT_EQ(read(kStatus), kHalted);
  const std::uint32_t one = 1;
  std::memcpy(bench().tile->l1().bytes() + kData, &one, 4);
  pass();
  EXPECT_EQ(reg(3), 0U);
  write(kCommand, kContinue);
  EXPECT_EQ(reg(3), 7U);
}

TEST_F(RiscDebugTest, AStepIsOneInstruction) {
  start({jal(0, 0), kEbreak, addi(1, 0, 1), addi(1, 1, 1), addi(1, 1, 1), jal(0, 0)});
  write(kCommand, kHalt);
  set_reg(kPc, 4);
  write(kCommand, kContinue);
  EXPECT_EQ(read(kStatus), kHalted | kAtBreak);
  EXPECT_EQ(reg(kPc), 8U);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    write(kCommand, kStep);
    EXPECT_EQ(read(kStatus), kHalted);
    EXPECT_EQ(reg(1), i);
    EXPECT_EQ(reg(kPc), 8 + 4 * i);
  }
  set_reg(kPc, 12);
  write(kCommand, kStep);
  EXPECT_EQ(reg(1), 4U);
}

TEST_F(RiscDebugTest, WatchpointsHaltAtAPcAndAfterAnAccess) {
  start(kCount);
  write(kCommand, kHalt);
  write(kWatchpoint0, 8);
  write(kSettings, 0x8);
  write(kCommand, kContinue);
  EXPECT_EQ(read(kStatus), kHalted | kAtPc | kFirstHit);
  EXPECT_EQ(reg(kPc), 8U);
  const std::uint32_t stored = word(kData);
  EXPECT_EQ(reg(1), stored + 1);
  // Only watchpoint 1 is enabled, for stores.
  write(kWatchpoint0 + 1, kData);
  write(kSettings, 0xA0);
  write(kCommand, kContinue);
  EXPECT_EQ(read(kStatus), kHalted | kAtAccess | kFirstHit << 1);
  EXPECT_EQ(reg(kPc), 12U);
  EXPECT_EQ(word(kData), stored + 1);
  // A load would not be one.
  write(kSettings, 0x90);
  write(kCommand, kContinue);
  EXPECT_EQ(read(kStatus), 0U);
  // A reset forgets them.
  reset(true);
  reset(false);
  pass();
  EXPECT_EQ(read(kSettings), 0U);
}

TEST_F(RiscDebugTest, MemoryIsWhatTheCoreSees) {
  start({addi(1, 0, 77), lui(2, riscv::Core::kLocalBase), sw(1, 16, 2), jal(0, 0)});
  write(kCommand, kHalt);
  const auto load = [](std::uint32_t address) {
    write(kArgument0, address);
    write(kCommand, kReadMemory);
    return read(kResult);
  };
  const auto store = [](std::uint32_t address, std::uint32_t value) {
    write(kArgument1, value);
    write(kArgument0, address);
    write(kCommand, kWriteMemory);
  };
  EXPECT_EQ(load(riscv::Core::kLocalBase + 16), 77U);
  store(riscv::Core::kLocalBase + 16, 78);
  EXPECT_EQ(load(riscv::Core::kLocalBase + 16), 78U);
  store(kData, 79);
  EXPECT_EQ(word(kData), 79U);
  EXPECT_EQ(load(kData), 79U);
  // A configuration register, which the NoC does not reach.
  store(regs::tensix_tile::kConfig + 8, 0x55);
  EXPECT_EQ(load(regs::tensix_tile::kConfig + 8), 0x55U);
}

TEST_F(RiscDebugTest, TheDebugBusHasProgramCounters) {
  start({addi(0, 0, 0), addi(0, 0, 0), jal(0, 0)});
  write(kCommand, kHalt);
  put(regs::tensix_tile::kDebugBusControl, 1U << 29 | 7U << 16 | 10U);
  EXPECT_EQ(get(regs::tensix_tile::kDebugBusData), 8U);
  put(regs::tensix_tile::kDebugBusControl, 1U << 29 | 7U << 16 | 9U);
  EXPECT_NE(fault_of([] {
              get(regs::tensix_tile::kDebugBusData);
            }).find("signal 0x20070009 of the debug bus is not modelled"),
            std::string::npos);
}

TEST_F(RiscDebugTest, MistakesAreFaults) {
  start({jal(0, 0)});
  const auto expect = [](const std::string& text, std::uint32_t index, std::uint32_t value,
                         std::uint32_t core = 0) {
    EXPECT_NE(fault_of([&] { write(index, value, core); }).find(text), std::string::npos) << text;
  };
  write(kArgument0, 1);
  expect("writes a register of a core that is not halted", kCommand, kWriteRegister);
  expect("debug command 0x80000003 of a core is not modelled", kCommand, kMode | 3);
  expect("write of debug register 7", 7, 0);
  write(kCommand, kHalt);
  write(kArgument0, 33);
  expect("reads register 33; expected 0 to 31, or 32 for the pc", kCommand, kReadRegister);
  write(kArgument0, 0xFFBD0000);
  expect("reads address 0xffbd0000, which the core cannot access now", kCommand, kReadMemory);
}

}  // namespace
}  // namespace tvp::tensix::risc_debug_test
