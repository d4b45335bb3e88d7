// Unpackers and packers behind the wait gates of a whole coprocessor. An instruction that is pushed
// at cycle p can pass the gate at p + 3.

#include "models/tensix/coprocessor/pack/packers.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"
#include "tests/support/fault_of.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

namespace cfg = regs::config;
using Times = std::vector<Cycle>;

class MovementIssue : public ::testing::Test {
 protected:
  MovementIssue() {
    bench.coprocessor.backend().attach(Unit::kUnpacker0, unpackers);
    bench.coprocessor.backend().attach(Unit::kUnpacker1, unpackers);
    bench.coprocessor.backend().attach(Unit::kPackers, packers);
    for (const cfg::UnpackerFields& f : cfg::kUnpacker) {
      set(f.tile.in_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kBf16));
      set(f.out_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kBf16));
      set(f.tile.is_uncompressed, 1);
      set(f.tile.x_dim, 256);
      set(f.tile.y_dim, 1);
      set(f.channel1.base, 4 * 16 * 2);
    }
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      bench.coprocessor.state().adcs.execute(op::encode_setadcxx(0, 1, 1, 255, 0), thread);
    }
  }
  void set(const cfg::Field& f, std::uint32_t value) {
    std::uint32_t& word = bench.coprocessor.state().config.bank[0][f.addr32];
    word = f.insert(word, value);
  }
  std::uint32_t flip(unsigned unpacker) {
    return op::encode_unpacr(unpacker, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  }
  /// 512 B at 16 B per cycle from PlainL1, then the pipeline.
  Cycle done_after(Cycle issued) const { return issued + 2 + 32 + config.unpack_pipeline_cycles; }

  Bench bench;
  MovementConfig config;
  Unpackers unpackers{config,
                      bench.coprocessor.state().config,
                      bench.coprocessor.state().adcs,
                      bench.coprocessor.state().registers,
                      bench.l1,
                      bench.faults,
                      "bench"};
  Packers packers{config,
                  bench.coprocessor.state().config,
                  bench.coprocessor.state().adcs,
                  bench.coprocessor.state().registers,
                  bench.l1,
                  bench.faults,
                  "bench"};
};

TEST_F(MovementIssue, AddressGenerationHoldsItsThread) {
  bench.push(0, 0, {flip(1), sfpnop()});
  bench.push(1, 0, {nop(), sfpnop()});
  bench.run(200);
  EXPECT_EQ(bench.vector.times(), (Times{4, 5}));  // thread 1 passes, thread 0 is held until 5
}

TEST_F(MovementIssue, AddressGenerationHoldsUnpackInstructionsOfOthers) {
  bench.push(0, 0, {flip(1)});
  bench.push(1, 0, {flip(0), sfpnop()});
  bench.run(200);
  EXPECT_EQ(bench.coprocessor.state().registers.srcb.bank[0].allowed_from, done_after(3));
  EXPECT_EQ(bench.coprocessor.state().registers.srca.bank[0].allowed_from, done_after(5));
  EXPECT_EQ(bench.vector.times(), (Times{7}));
}

TEST_F(MovementIssue, StallwaitSeesTheUnpackersPipeline) {
  bench.push(0, 0, {flip(1), op::encode_stallwait(kBlockVector, 1U << 2), sfpnop()});
  bench.run(200);
  EXPECT_EQ(bench.vector.times(), (Times{done_after(3) + 1}));
}

/// The coprocessor's own units, with SrcB full after two tiles.
class BankIssue : public ::testing::Test {
 protected:
  BankIssue() {
    const cfg::UnpackerFields& f = cfg::kUnpacker[1];
    set(f.tile.in_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kBf16));
    set(f.out_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kBf16));
    set(f.tile.is_uncompressed, 1);
    set(f.tile.x_dim, 256);
    set(f.tile.y_dim, 1);
    bench.coprocessor.state().adcs.execute(op::encode_setadcxx(0, 1, 1, 255, 0), 0);
  }
  void set(const cfg::Field& f, std::uint32_t value) {
    std::uint32_t& word = bench.coprocessor.state().config.bank[0][f.addr32];
    word = f.insert(word, value);
  }
  static constexpr std::uint32_t kUnpack =
      op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  static constexpr std::uint32_t kGiveBack = op::encode_cleardvalid(1, 0, 0, 0);
  static constexpr Cycle kFetch = 32;  // 512 B at 16 B a cycle

  Bench bench{"coprocessor", Units::kReal};
  const SrcFile& srcb = bench.coprocessor.state().registers.srcb;
  const Unpackers& unpackers = bench.coprocessor.backend().unpackers();
};

TEST_F(BankIssue, AThirdTileWaitsInTheUnpackerForItsBank) {
  bench.push(0, 0, {kUnpack, kUnpack, kUnpack, kUnpack, kUnpack});
  bench.run(500);
  // The third instruction has left the gate and waits, the fourth after it; the fifth is held at
  // the gate.
  EXPECT_EQ(unpackers.counters(1).instructions, 4u);
  EXPECT_TRUE(unpackers.waits_for_bank(1, 0));
  EXPECT_FALSE(unpackers.waits_for_bank(0, 0));
  EXPECT_EQ(srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_FALSE(bench.coprocessor.thread_idle(0));
  bench.push(1, 500, {kGiveBack});
  bench.run(2000);
  // The instruction that passes the gate at 503 frees the bank. Data in the pipeline is there
  // already; the rest follows at the rate of L1.
  EXPECT_EQ(srcb.bank[0].allowed_from, 504 + kFetch);
  EXPECT_EQ(srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(unpackers.counters(1).instructions, 5u);
  EXPECT_EQ(unpackers.counters(1).banks_given, 3u);
  EXPECT_TRUE(unpackers.waits_for_bank(1, 0));
}

TEST_F(BankIssue, AThreadIsIdleWhenItsWaitingTileHasArrived) {
  bench.push(0, 0, {kUnpack, kUnpack, kUnpack});
  bench.push(1, 500, {kGiveBack});
  bench.run(504 + kFetch);
  EXPECT_FALSE(bench.coprocessor.thread_idle(0));
  bench.run(504 + kFetch + 2);
  EXPECT_TRUE(bench.coprocessor.thread_idle(0));
}

TEST_F(BankIssue, StallwaitWaitsForATileThatWaits) {
  // SETADCXX stands for an instruction that must not run before the unpacker is done.
  bench.push(0, 0,
             {kUnpack, kUnpack, kUnpack, op::encode_stallwait(1, 1U << 2),
              op::encode_setadcxx(0, 1, 1, 99, 0)});
  bench.push(1, 500, {kGiveBack});
  const auto& counters = bench.coprocessor.state().adcs.of(0).unpacker[1];
  bench.run(504 + kFetch);
  EXPECT_EQ(counters.channel[1].x, 255u);
  bench.run(504 + kFetch + 4);
  EXPECT_EQ(counters.channel[1].x, 99u);
}

TEST_F(BankIssue, SaysWhatATileWaitsFor) {
  bench.push(0, 0, {kUnpack, kUnpack, kUnpack});
  bench.run(500);
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(0),
            "an UNPACR whose Src bank belongs to the matrix unit");
}

// ---- Waits that are not there -------------------------------------------------------------------

/// The fault that ends a run; "" if there is none.
std::string fault_of(Bench& bench, Cycle end) {
  return test::fault_of([&] { bench.run(end); }, {}, "");
}

constexpr std::uint16_t kUntilUnpacker1 = 1U << 2;

class ConfigurationUnderUnpacker : public BankIssue {
 protected:
  /// RMWCIB of the lowest byte of a field's word.
  static std::uint32_t write(const cfg::Field& f, std::uint32_t value) {
    return op::encode_rmwcib0(f.mask & 0xFF, value << f.shift & 0xFF, f.addr32);
  }
  const cfg::UnpackerFields& f = cfg::kUnpacker[1];
  const std::uint32_t other_format =
      write(f.out_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kFp16));
};

TEST_F(ConfigurationUnderUnpacker, IsFoundWithoutAWait) {
  const std::uint32_t pc = 0x1234;
  bench.coprocessor.issue().set_core(0, pc);
  bench.push(0, 0, {kUnpack, other_format});
  const std::string text = fault_of(bench, 500);
  for (const char* part :
       {"tile.T0: RMWCIB0", "changes configuration word", "unpacker 1 (UNPACR",
        "still works, until cycle", "a wait is missing", ", which its core pushed at pc 0x1234"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST_F(ConfigurationUnderUnpacker, OfAnyThread) {
  bench.push(0, 0, {kUnpack});
  bench.push(2, 10, {other_format});
  EXPECT_NE(fault_of(bench, 500).find("tile.T2: RMWCIB0"), std::string::npos);
}

TEST_F(ConfigurationUnderUnpacker, WhileItWaitsForABank) {
  bench.push(0, 0, {kUnpack, kUnpack, kUnpack});
  bench.push(0, 300, {other_format});
  EXPECT_NE(fault_of(bench, 500).find("still works: a wait is missing"), std::string::npos);
}

TEST_F(ConfigurationUnderUnpacker, OfWrcfg) {
  auto& gpr = bench.coprocessor.state().gprs[0][20];
  gpr = 0;  // FP32
  bench.push(0, 0, {kUnpack, op::encode_wrcfg(20, 0, f.out_data_format.addr32)});
  EXPECT_NE(fault_of(bench, 500).find("tile.T0: WRCFG"), std::string::npos);
}

TEST_F(ConfigurationUnderUnpacker, OfACore) {
  bench.push(0, 0, {kUnpack});
  bench.at(0, 20, [this](Cycle now) {
    bench.coprocessor.backend().configuration().write_window(f.out_data_format.addr32, 0, now);
  });
  EXPECT_NE(fault_of(bench, 500).find("a store of a core changes configuration word"),
            std::string::npos);
}

TEST_F(ConfigurationUnderUnpacker, IsFineBehindAWait) {
  bench.push(0, 0,
             {kUnpack, op::encode_stallwait(kBlockConfiguration, kUntilUnpacker1), other_format});
  EXPECT_EQ(fault_of(bench, 500), "");
}

TEST_F(ConfigurationUnderUnpacker, IsFineWhereNothingChangesOrOthersRead) {
  const auto same = write(f.out_data_format, static_cast<std::uint32_t>(cfg::DataFormat::kBf16));
  // An instruction samples the next address when it starts, as published firmware assumes.
  const std::uint32_t address = op::encode_rmwcib0(0xFF, 0x40, f.base_address.addr32);
  const std::uint32_t other_unpacker =
      op::encode_rmwcib0(0xF, 0, cfg::kUnpacker[0].out_data_format.addr32);
  bench.push(0, 0, {kUnpack, same, address, other_unpacker});
  EXPECT_EQ(fault_of(bench, 500), "");
}

/// Unpacker 0 to Dst; a tile of 256 datums fills rows 0 to 15.
class DstUnderUnpacker : public ::testing::Test {
 protected:
  DstUnderUnpacker() {
    const cfg::UnpackerFields& f = cfg::kUnpacker[0];
    const auto bf16 = static_cast<std::uint32_t>(cfg::DataFormat::kBf16);
    for (const auto& [field, value] : {std::pair{f.tile.in_data_format, bf16},
                                       {f.out_data_format, bf16},
                                       {f.tile.is_uncompressed, 1U},
                                       {f.tile.x_dim, 256U},
                                       {f.tile.y_dim, 1U},
                                       {f.unpack_to_dst_context(0), 1U},
                                       {f.disable_zero_compress(0), 1U},
                                       {f.dest_context(0), 64U}}) {
      std::uint32_t& word = bench.coprocessor.state().config.bank[0][field.addr32];
      word = field.insert(word, value);
    }
    bench.coprocessor.state().adcs.execute(op::encode_setadcxx(0, 1, 1, 255, 0), 0);
  }
  static constexpr std::uint32_t kUnpack =
      op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  static constexpr std::uint32_t kUntilUnpacker0 = 1U << 1;
  Bench bench{"coprocessor", Units::kReal};
};

TEST_F(DstUnderUnpacker, IsNotToBeUsed) {
  for (const std::uint32_t use : {op::encode_sfpload(0, 0, 0, 0), op::encode_sfpstore(0, 2, 0, 4),
                                  op::encode_zeroacc(0, 0, 0, 0, 0)}) {
    for (const bool waits : {false, true}) {
      Bench fresh{"coprocessor", Units::kReal};
      fresh.coprocessor.state().config = bench.coprocessor.state().config;
      fresh.coprocessor.state().adcs = bench.coprocessor.state().adcs;
      const std::uint32_t wait =
          waits ? op::encode_stallwait(kBlockVector | kBlockMatrix, kUntilUnpacker0) : nop();
      fresh.push(0, 0, {kUnpack, wait, use});
      const std::string text = fault_of(fresh, 500);
      if (waits) {
        EXPECT_EQ(text, "") << op::disassemble(use);
      } else {
        EXPECT_NE(text.find("which an unpacker still writes (UNPACR"), std::string::npos)
            << op::disassemble(use) << ": " << text;
      }
    }
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
