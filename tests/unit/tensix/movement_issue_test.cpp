// Unpackers and packers behind the wait gates of a whole coprocessor. An instruction pushed at
// cycle p can pass the gate at p + 3.

#include <memory>

#include "models/tensix/coprocessor/packers.h"
#include "models/tensix/coprocessor/unpackers.h"
#include "tests/unit/tensix/coprocessor_bench.h"

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
  /// 512 B at 16 B a cycle by PlainL1, then the pipeline.
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

/// Real units of a coprocessor, with SrcB full after two tiles.
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
  bench.push(0, 0, {kUnpack, kUnpack, kUnpack, kUnpack});
  bench.run(500);
  // The third has left the gate and waits; the fourth is held at the gate.
  EXPECT_EQ(unpackers.counters(1).instructions, 3u);
  EXPECT_TRUE(unpackers.waits_for_bank(1, 0));
  EXPECT_FALSE(unpackers.waits_for_bank(0, 0));
  EXPECT_EQ(srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_FALSE(bench.coprocessor.thread_idle(0));
  bench.push(1, 500, {kGiveBack});
  bench.run(2000);
  // Given back by the instruction that passes the gate at 503; what the pipeline holds is there
  // already, the rest follows at the rate of L1.
  EXPECT_EQ(srcb.bank[0].allowed_from, 504 + kFetch);
  EXPECT_EQ(srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(unpackers.counters(1).instructions, 4u);
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
  // SETADCXX stands for something that must not happen before the unpacker is done.
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

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
