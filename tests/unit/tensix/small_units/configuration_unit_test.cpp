// Backend configuration and its special cases (ISA BackendConfiguration.md, ConfigurationUnit.md,
// WRCFG.md, RMWCIB.md, SETC16.md, RDCFG.md).

#include "foundation/regs/tensix_config.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

namespace cfg = regs::config;
using support::BusMaster;
using Times = std::vector<Cycle>;

struct Listener : ConfigListener {
  void invalidate_instruction_caches(std::uint32_t mask, Cycle) override {
    invalidated.push_back(mask);
  }
  void seed_prng(std::uint32_t seed) override { seeds.push_back(seed); }
  void reset_context_counters(unsigned thread) override { resets.push_back(thread); }
  void changes(unsigned, unsigned, std::uint32_t, Cycle) override {}
  std::vector<std::uint32_t> invalidated, seeds;
  std::vector<unsigned> resets;
};

TEST(ConfigurationUnit, WritesThatActAtOnce) {
  BackendConfig config;
  Gprs gprs;
  WriteBack write_back;
  Listener listener;
  foundation::StopOnFault faults;
  ConfigurationUnit unit("config", config, gprs, write_back, listener, faults);
  unit.issue(op::encode_setc16(39, 0x10), 2, 0);
  unit.issue(op::encode_setc16(38, 0x10), 1, 0);
  unit.write(1, 164, 0xACE1, 0);
  unit.write(0, 157, 0xFFFFFFFF, 0);
  EXPECT_EQ(listener.resets, (std::vector<unsigned>{2}));
  EXPECT_EQ(listener.seeds, (std::vector<std::uint32_t>{0xACE1}));
  EXPECT_EQ(listener.invalidated, (std::vector<std::uint32_t>{0x1F}));
}

// A core's store to it is a firmware fault, not an invalid address.
TEST(ConfigurationUnit, KeepsThreadConfigurationFromCores) {
  struct : foundation::FaultPolicy {
    void raise(const foundation::Fault& fault) override { text += fault.what(); }
    std::string text;
  } faults;
  BackendConfig config;
  Gprs gprs;
  WriteBack write_back;
  Listener listener;
  ConfigurationUnit unit("config", config, gprs, write_back, listener, faults);
  EXPECT_TRUE(unit.write_window(2 * 188, 5, 0));
  EXPECT_NE(faults.text.find("which only SETC16 can write"), std::string::npos);
  EXPECT_EQ(config.thread[0][0], 0U);
}

/// A unit that records a configuration word at each of its instructions.
struct Reader : ExecutionUnit {
  explicit Reader(const BackendConfig& read_from) : config(read_from) {}
  Issue issue(std::uint32_t, unsigned thread, Cycle now) override {
    values.push_back(config.of(thread)[60]);
    return Issue::started(now + 1, now + 1);
  }
  const BackendConfig& config;
  std::vector<std::uint32_t> values;
};

TEST(ConfigurationUnit, Setc16IsPrivateToItsThread) {
  Bench bench;
  bench.push(1, 0, {op::encode_setc16(3, 0xBEEF)});
  bench.run(20);
  EXPECT_EQ(bench.coprocessor.state().config.thread[1][3], 0xBEEFU);
  EXPECT_EQ(bench.coprocessor.state().config.thread[0][3], 0U);
  // The window has 2 * 188 words, then 16 B per entry.
  const unsigned word = 2 * 188 + (1 * 57 + 3) * 4;
  EXPECT_EQ(bench.coprocessor.config_word(word), 0xBEEFU);
  EXPECT_EQ(bench.coprocessor.config_word(word + 1), 0U);
}

TEST(ConfigurationUnit, Setc16ThreeInOneCycle) {
  Bench bench;
  bench.matrix.occupancy = 0;
  for (unsigned t = 0; t < 3; ++t) bench.push(t, 0, {op::encode_setc16(1, 7), mvmul(t)});
  bench.run(20);
  EXPECT_EQ(bench.matrix.times(), (Times{4, 4, 4}));
}

TEST(ConfigurationUnit, WrcfgIsNotSeenByTheNextInstruction) {
  Bench bench;
  Reader reader(bench.coprocessor.state().config);
  bench.coprocessor.backend().attach(Unit::kMatrix, reader);
  bench.coprocessor.state().gprs[0][4] = 0x12345678;
  bench.push(0, 0, {op::encode_wrcfg(4, 0, 60), mvmul(), mvmul()});
  bench.run(20);
  EXPECT_EQ(reader.values, (std::vector<std::uint32_t>{0, 0x12345678}));
}

TEST(ConfigurationUnit, Wrcfg128BitsAlignsBothSides) {
  Bench bench;
  for (unsigned i = 0; i < 8; ++i) bench.coprocessor.state().gprs[2][i] = 0x100 + i;
  bench.push(2, 0, {op::encode_setc16(0, 1), op::encode_wrcfg(6, 1, 63)});
  bench.run(20);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.coprocessor.state().config.bank[1][60 + i], 0x104 + i);
    EXPECT_EQ(bench.coprocessor.state().config.bank[0][60 + i], 0U);
  }
}

TEST(ConfigurationUnit, RmwcibChangesMaskedBitsOfOneByte) {
  Bench bench;
  bench.coprocessor.state().config.bank[0][20] = 0x11223344;
  bench.push(0, 0, {op::encode_rmwcib2(0xF0, 0xAB, 20)});
  bench.run(20);
  EXPECT_EQ(bench.coprocessor.state().config.bank[0][20], 0x11A23344U);
}

TEST(ConfigurationUnit, OneRmwcibACycleAndNoneBehindWrcfg) {
  Bench bench;
  bench.matrix.occupancy = 0;
  for (unsigned t = 0; t < 3; ++t) bench.push(t, 0, {op::encode_rmwcib0(1, 1, t), mvmul(t)});
  bench.run(20);
  EXPECT_EQ(bench.matrix.times(), (Times{4, 5, 6}));

  Bench behind("behind");
  behind.matrix.occupancy = 0;
  behind.push(0, 0, {op::encode_wrcfg(0, 0, 1), op::encode_rmwcib0(1, 1, 2), mvmul()});
  behind.run(20);
  // WRCFG passes at 3, RMWCIB at 5 instead of 4.
  EXPECT_EQ(behind.matrix.times(), (Times{6}));
}

TEST(ConfigurationUnit, RdcfgHoldsItsThreadForTwoCycles) {
  Bench bench;
  bench.coprocessor.state().config.bank[0][33] = 0xCAFE;
  bench.push(0, 0, {op::encode_rdcfg(9, 33), mvmul()});
  bench.run(20);
  EXPECT_EQ(bench.coprocessor.state().gprs[0][9], 0xCAFEU);
  EXPECT_EQ(bench.matrix.times(), (Times{5}));
}

TEST(ConfigurationUnit, RdcfgOfTwoThreadsGoOneAfterTheOther) {
  Bench bench;
  bench.coprocessor.state().config.bank[0][33] = 0xCAFE;
  bench.push(0, 0, {op::encode_rdcfg(9, 33), mvmul()});
  bench.push(1, 0, {op::encode_rdcfg(9, 33), mvmul()});
  bench.run(20);
  for (const unsigned thread : {0U, 1U}) {
    EXPECT_EQ(bench.coprocessor.state().gprs[thread][9], 0xCAFEU);
  }
  // No RDCFG at 4, the cycle after the first one's.
  EXPECT_EQ(bench.matrix.times(), (Times{5, 7}));
}

TEST(ConfigurationUnit, WordsThatDoNotExistAreAFault) {
  for (const std::uint32_t bad : {op::encode_wrcfg(0, 0, 188), op::encode_setc16(57, 1),
                                  op::encode_rmwcib0(1, 1, 188), op::encode_rdcfg(0, 188)}) {
    Bench bench;
    bench.push(0, 0, {bad});
    EXPECT_THROW(bench.run(20), foundation::Fault) << std::hex << bad;
  }
}

TEST(ConfigurationUnit, GlobalWordsAreInBothBanks) {
  Bench bench;
  auto& window = bench.coprocessor.windows().config();
  bench.mmio(window, BusMaster::kB, true, 4 * 158, 0x6000, 0);       // TRISC_RESET_PC_SEC0
  bench.mmio(window, BusMaster::kB, true, 4 * (188 + 161), 0x7, 0);  // through bank 1
  bench.mmio(window, BusMaster::kB, true, 4 * 157, 0xFFFFFFFF, 0);   // RISCV_IC_INVALIDATE
  const BackendConfig& config = bench.coprocessor.state().config;
  for (unsigned bank = 0; bank < 2; ++bank) {
    EXPECT_EQ(cfg::global::trisc_reset_pc(0).get(config.bank[bank]), 0x6000U);
    EXPECT_EQ(cfg::global::kTriscResetPcOverride.get(config.bank[bank]), 7U);
  }
  EXPECT_EQ(bench.invalidated, (std::vector<std::uint32_t>{0x1F}));
}

TEST(ConfigurationUnit, OtherWordsAreInOneBank) {
  Bench bench;
  bench.mmio(bench.coprocessor.windows().config(), BusMaster::kT1, true, 4 * (188 + 151), 5, 0);
  EXPECT_EQ(bench.coprocessor.state().config.bank[0][151], 0U);
  EXPECT_EQ(bench.coprocessor.state().config.bank[1][151], 5U);
  const auto read = bench.mmio(bench.coprocessor.windows().config(), BusMaster::kT1, false,
                               4 * (188 + 151), 0, 0);
  EXPECT_EQ(read.data, 5U);
  EXPECT_EQ(read.watch, support::Watch::kConfig);
}

/// A core that sleeps while it polls the configuration wakes at each instruction that writes it.
TEST(ConfigurationUnit, InstructionsWakeSleepersAtTheirCycle) {
  struct : support::Sleeper {
    void location_changed(Cycle when, unsigned) override { changes.push_back(when); }
    Times changes;
  } sleeper;
  Bench bench;
  bench.watch_hub.sleep(sleeper, 1U << static_cast<unsigned>(support::Watch::kConfig), {});
  bench.at(0, 20, [&](Cycle) { EXPECT_EQ(sleeper.changes.size(), 1U); });
  bench.push(0, 30, {op::encode_rmwcib0(0xFF, 1, 4)});
  bench.push(0, 0, {op::encode_setc16(3, 1)});
  bench.run(100);
  ASSERT_EQ(sleeper.changes.size(), 2U);
  EXPECT_EQ(sleeper.changes[1], sleeper.changes[0] + 30);
}

TEST(ConfigurationUnit, StateResetClearsTheBankBelowTheGlobalWords) {
  Bench bench;
  auto& config = bench.coprocessor.state().config;
  for (auto& bank : config.bank) bank.fill(0xFFFFFFFF);
  config.thread[0].fill(0xFFFE);  // StateID 0
  // RMWCIB does not reset anything.
  bench.push(0, 0, {op::encode_rmwcib0(0xFF, 1, 4)});
  bench.run(20);
  EXPECT_EQ(config.bank[0][5], 0xFFFFFFFFU);
  bench.mmio(bench.coprocessor.windows().config(), BusMaster::kB, true, 4 * 4, 1, 20);
  for (unsigned i = 0; i < 188; ++i) {
    EXPECT_EQ(config.bank[0][i], i < 152 ? 0U : 0xFFFFFFFFU) << i;
    EXPECT_EQ(config.bank[1][i], 0xFFFFFFFFU) << i;
  }
  EXPECT_EQ(config.thread[0][7], 0xFFFEU);
}

TEST(ConfigurationUnit, CoresCannotWriteThreadConfig) {
  Bench bench;
  EXPECT_THROW(
      bench.mmio(bench.coprocessor.windows().config(), BusMaster::kB, true, 4 * 2 * 188, 1, 0),
      foundation::Fault);
  const unsigned end = 4 * (2 * 188 + 3 * 57 * 4);
  EXPECT_TRUE(
      bench.mmio(bench.coprocessor.windows().config(), BusMaster::kB, false, end, 0, 0).unmapped);
}

TEST(ConfigurationUnit, WriteOfACoreWakesABlockedThread) {
  Bench bench;
  bench.matrix.blocked = true;
  bench.push(1, 0, {mvmul()});
  bench.at(0, 50, [&](Cycle now) {
    bench.matrix.blocked = false;
    bench.mmio(bench.coprocessor.windows().config(), BusMaster::kT0, true, 0, 1, now);
  });
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{51}));
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
