#include "models/tensix/coprocessor/unpack/unpackers.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "tests/support/fault_of.h"
#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

constexpr std::uint32_t kBase = 0x20000;

std::uint32_t unpacr(unsigned u, bool flip = true) {
  return op::encode_unpacr(u, 0, 0, 0, 0, 0, 0, 0, 0, flip, 0, 0, 0, 0);
}

float src_value(std::uint32_t x) {
  const std::uint32_t bits = (x >> 18) << 31 | (x & 0xFF) << 23 | (x >> 8 & 0x3FF) << 13;
  return std::bit_cast<float>(bits);
}

float dst32_value(std::uint32_t x) {
  return std::bit_cast<float>((x >> 31) << 31 | (x >> 16 & 0xFF) << 23 | (x >> 24 & 0x7F) << 16 |
                              (x & 0xFFFF));
}

class UnpackersTest : public ::testing::Test {
 protected:
  void SetUp() override { bench_ = std::make_unique<MovementBench>(); }
  MovementBench& b() { return *bench_; }
  Cycle fault_time_ = 1000000;

  /// Stores the bf16 numbers 0, 1, 2, … from `address` on.
  void store_bf16_ramp(std::uint32_t address, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      b().store16(address + 2 * i, std::bit_cast<std::uint32_t>(static_cast<float>(i % 256)) >> 16);
    }
  }
  /// Returns a fault's text.
  std::string fault_of(std::uint32_t instruction, foundation::FaultKind kind) {
    return tvp::test::fault_of(
        [&] {
          for (SrcBank& bank : b().registers.srca.bank) bank.give(SrcClient::kUnpackers, 0);
          b().unpackers.issue(instruction, 0, fault_time_ += 100);
        },
        kind);
  }

 private:
  std::unique_ptr<MovementBench> bench_;
};

TEST_F(UnpackersTest, ATileOfBf16FillsABankOfSrcB) {
  store_bf16_ramp(kBase, 1024);
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
  EXPECT_EQ(b().unpackers.issue(unpacr(1), 0, 0).kind, Issue::Kind::kStarted);
  for (unsigned i = 0; i < 1024; ++i) {
    ASSERT_EQ(src_value(b().registers.srcb.bank[0].rows[i / 16][i % 16]), i % 256);
  }
  EXPECT_EQ(b().unpackers.counters(1).datums, 1024u);
  EXPECT_EQ(b().unpackers.counters(1).l1_bytes, 2048u);
  EXPECT_EQ(b().unpackers.counters(1).banks_given, 1u);
}

TEST_F(UnpackersTest, SrcAIsFilledAFaceAtATime) {
  store_bf16_ramp(kBase, 1024);
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256, 1, 4);
  b().set(cfg::kUnpacker[0].src_reg_set_update, 1);
  const std::uint32_t face = op::encode_unpacr(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  Cycle now = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const Issue issued = b().unpackers.issue(face, 0, now);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);
    now = issued.done;
  }
  for (unsigned i = 0; i < 1024; ++i) {
    ASSERT_EQ(src_value(b().registers.srca.bank[0].rows[i / 16][i % 16]), i % 256) << i;
  }
  EXPECT_EQ(b().adcs.of(0).unpacker[0].channel[0].z, 4u);
}

TEST_F(UnpackersTest, HaloizeTransposesEachFaceOfSrcA) {
  store_bf16_ramp(kBase, 256);
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  b().set(cfg::kUnpacker[0].haloize_mode, 1);
  b().unpackers.issue(unpacr(0), 0, 0);
  for (unsigned r = 0; r < 16; ++r) {
    for (unsigned c = 0; c < 16; ++c) {
      ASSERT_EQ(src_value(b().registers.srca.bank[0].rows[c][r]), r * 16 + c);
    }
  }
}

TEST_F(UnpackersTest, Fp32GoesToDst) {
  TestRandom random(2);
  std::array<float, 256> values;
  for (unsigned i = 0; i < 256; ++i) {
    values[i] = std::bit_cast<float>(random.bits(30));
    b().store32(kBase + 4 * i, std::bit_cast<std::uint32_t>(values[i]));
  }
  b().unpack_source(0, kBase, DataFormat::kFp32, DataFormat::kFp32, 256);
  b().set(cfg::kUnpacker[0].unpack_to_dst, 1);
  // 4 rows below the first row of Dst, then 32 rows further by the context's destination.
  b().set(cfg::kUnpacker[0].dest_context(0), 32 * 16);
  b().set(cfg::kUnpacker[0].unpack_to_dst_context(0), 1);
  b().set(cfg::kUnpacker[0].disable_zero_compress(0), 1);
  b().set(cfg::kUnpacker[0].tile_x_dim_context(0), 256);
  b().unpackers.issue(op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), 0, 0);
  for (unsigned i = 0; i < 256; ++i) {
    ASSERT_EQ(dst32_value(b().registers.dst.read32(32 + i / 16, i % 16)), values[i]);
    ASSERT_FALSE(b().registers.dst.undefined32(32 + i / 16));
  }
  EXPECT_TRUE(b().registers.dst.undefined32(31));
}

TEST_F(UnpackersTest, TilizeGathersRowsOfAWiderMatrix) {
  store_bf16_ramp(kBase, 4096);
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  b().set(cfg::kUnpacker[0].tileize_mode, 1);
  constexpr unsigned kStrideBytes = 64 * 2;  // a matrix of 64 columns
  b().set(cfg::kUnpacker[0].shift_amount(0), kStrideBytes >> 4 & 0xF);
  b().set(cfg::kUnpacker[0].shift_amount(1), kStrideBytes >> 8 & 0xF);
  b().set(cfg::kUnpacker[0].shift_amount(2), kStrideBytes >> 12 & 0xF);
  b().unpackers.issue(unpacr(0), 0, 0);
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned index = i / 16 * 64 + i % 16;
    ASSERT_EQ(src_value(b().registers.srca.bank[0].rows[i / 16][i % 16]), index % 256);
  }
}

TEST_F(UnpackersTest, AllDatumsAreZeroWritesZeros) {
  store_bf16_ramp(kBase, 256);
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  b().registers.srcb.bank[0].rows[3][3] = 77;
  b().unpackers.issue(op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0), 0, 0);
  for (const auto& row : b().registers.srcb.bank[0].rows) {
    for (const std::uint32_t datum : row) ASSERT_EQ(datum, 0u);
  }
}

TEST_F(UnpackersTest, ZerosNeedNoConversion) {
  Cycle now = 0;
  unsigned turn = 0;
  for (const DataFormat format : {DataFormat::kInt32, DataFormat::kFp32, DataFormat::kTf32}) {
    b().unpack_source(1, kBase, format, format, 256);
    SrcBank& bank = b().registers.srcb.bank[turn++ % 2];
    bank.give(SrcClient::kUnpackers, 0);
    bank.rows[3][3] = 77;
    now = b().unpackers.issue(op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0), 0, now)
              .done;
    EXPECT_EQ(bank.rows[3][3], 0U) << static_cast<unsigned>(format);
  }
}

TEST_F(UnpackersTest, ContextsTakeTurns) {
  const cfg::UnpackerFields& f = cfg::kUnpacker[1];
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 16);
  b().set(f.context_count, 1);
  b().set(f.base_context(1), (kBase + 0x1000) / 16 - 1);
  b().set(f.offset_context(1), 2);
  b().set(f.disable_zero_compress(0), 1);
  b().set(f.disable_zero_compress(1), 1);
  b().store16(kBase, 0x3F80);
  b().store16(kBase + 0x1020, 0x4000);
  // Multi-context mode, context by counter, counters of thread 0.
  const std::uint32_t word = op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0);
  Cycle now = 0;
  for (unsigned i = 0; i < 4; ++i) {
    SrcBank& bank = b().registers.srcb.bank[i % 2];
    bank.give(SrcClient::kUnpackers, 0);
    now = b().unpackers.issue(word, 0, now).done;
    EXPECT_EQ(src_value(bank.rows[0][0]), i % 2 == 0 ? 1 : 2) << i;
    EXPECT_EQ(b().unpackers.context_counter(1, 0), (i + 1) % 2);
  }
  // The thread's offset is added to the counter.
  b().set_thread(0, cfg::thread::context_offset(1), 1);
  b().registers.srcb.bank[0].give(SrcClient::kUnpackers, 0);
  b().unpackers.issue(word, 0, now);
  EXPECT_EQ(src_value(b().registers.srcb.bank[0].rows[0][0]), 2);
}

TEST_F(UnpackersTest, RowSearchReadsARowOrABlob) {
  store_bf16_ramp(kBase, 1024);
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 64, 4);
  const std::uint32_t word = op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0);
  AddressChannels& adc = b().adcs.of(0).unpacker[1];
  adc.channel[0].set_x(7);  // ignored: a search begins at the row's start
  adc.channel[0].set_y(2);
  adc.channel[1].set_x(48);  // end, not last
  b().unpackers.issue(word, 0, 0);
  EXPECT_EQ(b().unpackers.counters(1).datums, 48u);
  EXPECT_EQ(src_value(b().registers.srcb.bank[0].rows[0][0]), 2 * 64 % 256);

  // Three blobs that start at X 0, 32 and 48 of an XDim of 64; Y selects the start, X the end.
  b().set(cfg::kUnpacker[1].tile.blobs_per_xy_plane, 3);
  b().set(cfg::kUnpacker[1].tile.blobs_y_start_low, 0x0320);
  adc.channel[0].set_y(1);
  adc.channel[0].set_x(1);
  b().unpackers.issue(word, 0, 1000);
  EXPECT_EQ(b().unpackers.counters(1).datums, 48u + 16);
  EXPECT_EQ(src_value(b().registers.srcb.bank[0].rows[0][0]), 32);
  adc.channel[0].set_y(2);
  adc.channel[0].set_x(2);  // the last blob ends with the plane
  b().unpackers.issue(word, 0, 2000);
  EXPECT_EQ(b().unpackers.counters(1).datums, 48u + 16 + 16);
  EXPECT_EQ(src_value(b().registers.srcb.bank[0].rows[0][0]), 48);
}

// ---- Banks --------------------------------------------------------------------------------------

TEST_F(UnpackersTest, ABankIsHandedOverWhenItsLastDatumHasArrived) {
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
  const Issue issued = b().unpackers.issue(unpacr(1), 0, 100);
  // 2 cycles of address, 2048 B at 64 B in four cycles of five, then the pipeline.
  EXPECT_EQ(issued.done, 100 + 2 + 40 + b().config.unpack_pipeline_cycles);
  const SrcBank& bank = b().registers.srcb.bank[0];
  EXPECT_FALSE(bank.allows(SrcClient::kMatrixUnit, issued.done - 1));
  EXPECT_TRUE(bank.allows(SrcClient::kMatrixUnit, issued.done));
  EXPECT_EQ(b().registers.srcb.unpacker_bank, 1);
}

TEST_F(UnpackersTest, WaitsForABankThatTheMatrixUnitOwns) {
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  Cycle now = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const Issue issued = b().unpackers.issue(unpacr(0), 0, now);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);
    now = issued.done;
  }
  b().store16(kBase, 0x3F80);
  EXPECT_EQ(b().unpackers.issue(unpacr(0), 0, now).kind, Issue::Kind::kStarted);
  EXPECT_EQ(b().unpackers.idle_from(0, 0), support::kNever);
  EXPECT_EQ(b().unpackers.idle_from(0, 1), 0u);
  EXPECT_EQ(src_value(b().registers.srca.bank[0].rows[0][0]), 0);
  // The instruction fills the pipeline and one more waits after it; the other unpacker is
  // independent.
  EXPECT_EQ(b().unpackers.issue(unpacr(0), 0, now + 10).kind, Issue::Kind::kStarted);
  EXPECT_EQ(b().unpackers.issue(unpacr(0), 0, now + 20).kind, Issue::Kind::kBlocked);
  EXPECT_EQ(b().unpackers.issue(op::encode_unpacr_nop_setdvalid(0), 0, now + 20).kind,
            Issue::Kind::kBlocked);
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  EXPECT_EQ(b().unpackers.issue(unpacr(1), 0, now + 20).kind, Issue::Kind::kStarted);
  EXPECT_FALSE(b().unpackers.banks_given_back(now + 25));
  // A later configuration does not affect the waiting instruction.
  b().set(cfg::kUnpacker[0].base_address, 0);
  b().registers.srca.bank[0].give(SrcClient::kUnpackers, now + 51);
  EXPECT_TRUE(b().unpackers.banks_given_back(now + 50));
  EXPECT_EQ(src_value(b().registers.srca.bank[0].rows[0][0]), 1);
  EXPECT_EQ(b().registers.srca.bank[0].allowed_from, now + 51 + 8);  // 512 B at 64 B a cycle
  // The other instruction still waits for the other bank.
  EXPECT_TRUE(b().unpackers.waits_for_bank(0, 0));
  EXPECT_EQ(b().unpackers.idle_from(0, 0), support::kNever);
  b().registers.srca.bank[1].give(SrcClient::kUnpackers, now + 52);
  EXPECT_TRUE(b().unpackers.banks_given_back(now + 51));
  EXPECT_EQ(b().registers.srca.bank[1].allowed_from, now + 51 + 8 + 8);
  EXPECT_EQ(b().unpackers.idle_from(0, 0), now + 51 + 8 + 8);
  EXPECT_FALSE(b().unpackers.any_waits_for_bank());
}

/// After a waiting instruction the pipeline fetches as much as it has room for; the next
/// instruction waits.
TEST_F(UnpackersTest, FetchesOnBehindOneThatWaitsForItsBank) {
  constexpr unsigned kBeats = 4;  // 256 B each
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 128);
  b().registers.srca.bank[0].give(SrcClient::kMatrixUnit, 0);
  const Cycle pipeline = b().config.unpack_pipeline_cycles;
  Cycle now = 0;
  for (unsigned i = 0; i < pipeline / kBeats + 1; ++i, now += kBeats)
    ASSERT_EQ(b().unpackers.issue(unpacr(0, false), 0, now).kind, Issue::Kind::kStarted) << i;
  EXPECT_EQ(b().unpackers.issue(unpacr(0, false), 0, now + 10).kind, Issue::Kind::kBlocked);
  b().registers.srca.bank[0].give(SrcClient::kUnpackers, now + 50);
  EXPECT_TRUE(b().unpackers.banks_given_back(now + 49));
  // None of them waits for L1 any more.
  EXPECT_EQ(b().unpackers.idle_from(0, 0), now + 50 + pipeline + kBeats);
  EXPECT_EQ(b().unpackers.issue(unpacr(0, false), 0, now + 50).kind, Issue::Kind::kStarted);
}

TEST_F(UnpackersTest, SetdvalidHandsOverAfterTheDataBeforeIt) {
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
  b().set_thread(2, cfg::thread::kSrcBSetBase, 3);
  const Issue data = b().unpackers.issue(unpacr(1, false), 2, 0);
  const Issue given = b().unpackers.issue(op::encode_unpacr_nop_setdvalid(1), 2, data.unit_free);
  EXPECT_EQ(given.kind, Issue::Kind::kStarted);
  EXPECT_EQ(b().registers.srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(b().registers.srcb.bank[0].allowed_from, data.done);
  EXPECT_EQ(b().registers.srcb.unpacker_row[2], 48);
}

TEST_F(UnpackersTest, ZeroSrcClearsItsBankOnceItMay) {
  for (auto& row : b().registers.srca.bank[1].rows) row.fill(5);
  b().registers.srca.unpacker_bank = 1;
  b().registers.srca.matrix_bank = 0;
  b().registers.srca.bank[0].give(SrcClient::kMatrixUnit, 0);
  // Without WaitLikeUnpacr, the matrix unit must have returned its bank.
  EXPECT_EQ(b().unpackers.issue(op::encode_unpacr_nop_zerosrc(0, 0, 0, 0), 0, 5).kind,
            Issue::Kind::kBlocked);
  EXPECT_EQ(b().registers.srca.bank[1].rows[0][0], 5u);
  EXPECT_EQ(b().unpackers.issue(op::encode_unpacr_nop_zerosrc(0, 1, 0, 1), 0, 5).kind,
            Issue::Kind::kStarted);
  EXPECT_EQ(b().registers.srca.bank[1].rows[63][15], 0x7FFFFu);  // minus infinity in SrcA
  b().unpackers.issue(op::encode_unpacr_nop_zerosrc(1, 1, 0, 1), 0, 20);
  EXPECT_EQ(b().registers.srcb.bank[0].rows[0][0], 0u);
}

// ---- Time ---------------------------------------------------------------------------------------

TEST_F(UnpackersTest, ANopTakesACycleOfItsUnpacker) {
  const Issue nop = b().unpackers.issue(op::encode_unpacr_nop(0), 0, 40);
  EXPECT_EQ(nop.kind, Issue::Kind::kStarted);
  EXPECT_EQ(nop.unit_free, 41U);
  EXPECT_EQ(nop.done, 41U);
  EXPECT_EQ(b().unpackers.idle_from(0, 0), 41U);
}

TEST_F(UnpackersTest, SpeedByFormatAndThrottle) {
  const struct {
    DataFormat in, out;
    unsigned throttle;
    bool to_dst;
    unsigned cycles;  // for 1024 datums, data and exponents in parallel
  } kRows[] = {
      {DataFormat::kFp32, DataFormat::kTf32, 2, false, 64},
      {DataFormat::kBf16, DataFormat::kBf16, 0, false, 128},
      {DataFormat::kBf16, DataFormat::kBf16, 1, false, 64},
      {DataFormat::kBf16, DataFormat::kBf16, 2, false, 32},
      {DataFormat::kBfp8, DataFormat::kBfp8, 2, false, 16},
      {DataFormat::kBfp4, DataFormat::kBfp4, 2, false, 8},
      {DataFormat::kBfp4, DataFormat::kBfp4, 2, true, 16},
      {DataFormat::kBfp2, DataFormat::kBfp2, 2, false, 16},
      {DataFormat::kFp32, DataFormat::kFp32, 2, true, 64},
  };
  for (const auto& row : kRows) {
    SetUp();
    b().unpack_source(0, kBase, row.in, row.out, 1024);
    b().set(cfg::kUnpacker[0].throttle_mode, row.throttle);
    b().set(cfg::kUnpacker[0].unpack_to_dst, row.to_dst);
    b().set_thread(0, cfg::thread::kSrcASetOverrideWithAddr, !row.to_dst);
    const Issue issued = b().unpackers.issue(unpacr(0), 0, 0);
    EXPECT_EQ(issued.unit_free, 2u);
    EXPECT_EQ(issued.thread_free, 2u);
    EXPECT_EQ(issued.done, 2 + row.cycles + b().config.unpack_pipeline_cycles)
        << format_name(row.in) << " throttle " << row.throttle;
  }
}

TEST_F(UnpackersTest, OneAddressGeneratorAndOneInstructionWaitingBehind) {
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
  EXPECT_EQ(b().unpackers.issue(unpacr(1, false), 0, 10).unit_free, 12u);
  const Issue other = b().unpackers.issue(unpacr(0, false), 1, 11);
  EXPECT_EQ(other.kind, Issue::Kind::kRetryAt);
  EXPECT_EQ(other.retry, 12u);
  // The same unpacker's second instruction generates its address while the first one fetches for 40
  // cycles.
  EXPECT_EQ(b().unpackers.issue(unpacr(1, false), 0, 12).done,
            12 + 80 + b().config.unpack_pipeline_cycles);
  const Issue third = b().unpackers.issue(unpacr(1, false), 0, 14);
  EXPECT_EQ(third.kind, Issue::Kind::kRetryAt);
  EXPECT_EQ(third.retry, 52u);
  EXPECT_EQ(b().unpackers.idle_from(1, 0), 12 + 80 + b().config.unpack_pipeline_cycles);
  EXPECT_EQ(b().unpackers.idle_from(1, 1), 0u);
}

TEST_F(UnpackersTest, BothUnpackersTogetherReachTheDocumentedRates) {
  // UNPACR_Regular.md, Performance: the rate of each unpacker in 16 B per cycle, by both requests.
  // A transfer of equal size on both is done when the slower one is; the other's rate rises to its
  // request once it is alone.
  const unsigned kWant[3] = {1, 2, 4};
  const unsigned kGet0[3][3] = {{1, 2, 4}, {1, 1, 2}, {1, 1, 2}};  // [unpacker 1][unpacker 0]
  const unsigned kGet1[3][3] = {{1, 1, 1}, {2, 1, 1}, {4, 2, 2}};
  constexpr double kBeats = 1024 * 2 / 16.0;
  for (unsigned m1 = 0; m1 < 3; ++m1) {
    for (unsigned m0 = 0; m0 < 3; ++m0) {
      SetUp();
      b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
      b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
      b().set_thread(0, cfg::thread::kSrcASetOverrideWithAddr, 1);
      b().set(cfg::kUnpacker[0].throttle_mode, m0);
      b().set(cfg::kUnpacker[1].throttle_mode, m1);
      const Issue first = b().unpackers.issue(unpacr(1), 0, 0);
      const Issue second = b().unpackers.issue(unpacr(0), 0, 2);
      const double end0 = kBeats / kGet0[m1][m0], end1 = kBeats / kGet1[m1][m0];
      const double both = std::min(end0, end1);
      const double left = kBeats - both * (end0 < end1 ? kGet1[m1][m0] : kGet0[m1][m0]);
      const double expected = both + left / (end0 < end1 ? kWant[m1] : kWant[m0]);
      const double measured = static_cast<double>(std::max(first.done, second.done)) -
                              b().config.unpack_pipeline_cycles - 2;
      EXPECT_NEAR(measured, expected, 2.0) << "modes " << m0 << " " << m1;
    }
  }
}

// ---- Other instructions -------------------------------------------------------------------------

TEST_F(UnpackersTest, ContextCounterCountsAndWraps) {
  b().set(cfg::kUnpacker[0].context_count, 1);  // two contexts
  const std::uint32_t count = op::encode_unpacr(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(b().unpackers.context_counter(0, 1), i % 2);
    b().unpackers.issue(count, 1, 10 * i);
  }
  EXPECT_EQ(b().unpackers.context_counter(0, 0), 0u);
  b().unpackers.reset_context_counters(1);
  EXPECT_EQ(b().unpackers.context_counter(0, 1), 0u);
}

TEST_F(UnpackersTest, FlushCacheChangesNothing) {
  const Issue issued =
      b().unpackers.issue(op::encode_unpacr(0, 3, 3, 3, 3, 0, 0, 0, 1, 1, 0, 0, 0, 1), 0, 7);
  EXPECT_EQ(issued.kind, Issue::Kind::kStarted);
  EXPECT_EQ(b().registers.srca.unpacker_bank, 0);
  EXPECT_EQ(b().adcs.of(0).unpacker[0].channel[0].z, 0u);
}

TEST_F(UnpackersTest, StopsByNameAtWhatItDoesNotHave) {
  using foundation::FaultKind;
  b().unpack_source(0, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  const auto expect = [&](const cfg::Field& f, std::uint32_t value, FaultKind kind,
                          const char* text) {
    const std::uint32_t before = b().backend.bank[0][f.addr32];
    b().set(f, value);
    EXPECT_NE(fault_of(unpacr(0), kind).find(text), std::string::npos) << text;
    b().backend.bank[0][f.addr32] = before;
  };
  const cfg::UnpackerFields& f = cfg::kUnpacker[0];
  expect(f.tile.is_uncompressed, 0, FaultKind::kUnmodelled, "compressed");
  expect(f.upsample_rate, 2, FaultKind::kUnmodelled, "Upsample_rate");
  expect(f.out_data_format, 1, FaultKind::kFirmware, "BF16 to FP16");
  expect(f.tile.in_data_format, 12, FaultKind::kFirmware, "reserved");
  expect(f.throttle_mode, 3, FaultKind::kFirmware, "Throttle_mode");
  expect(f.channel1.base, 129, FaultKind::kFirmware, "multiple");
  expect({f.tile.is_uncompressed.addr32, 0, ~0U}, 0, FaultKind::kFirmware,
         "nothing has configured");
  expect(f.base_address, 0x16DFF, FaultKind::kFirmware, "end of L1");
  expect(f.channel1.base, 2 * 16 * 12, FaultKind::kFirmware, "last row of SrcA");
  EXPECT_NE(
      fault_of(op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0), FaultKind::kFirmware)
          .find("ContextADC 3"),
      std::string::npos);
  EXPECT_NE(
      fault_of(op::encode_unpacr(1, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0), FaultKind::kFirmware)
          .find("context above 1"),
      std::string::npos);
  EXPECT_NE(fault_of(op::encode_unpacr_nop_setreg(0, 0, 0x20, 1, 0), FaultKind::kUnmodelled)
                .find("register"),
            std::string::npos);
  EXPECT_NE(fault_of(op::encode_unpacr_nop_zerosrc(0, 1, 1, 0), FaultKind::kUnmodelled)
                .find("both banks"),
            std::string::npos);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
