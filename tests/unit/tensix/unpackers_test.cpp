#include "models/tensix/coprocessor/unpackers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "tests/unit/tensix/movement_bench.h"

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

  /// bf16 numbers 0, 1, 2 … from `address` on.
  void store_bf16_ramp(std::uint32_t address, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      b().store16(address + 2 * i, std::bit_cast<std::uint32_t>(static_cast<float>(i % 256)) >> 16);
    }
  }
  /// Puts a fault's text where an expectation can see it.
  std::string fault_of(std::uint32_t instruction, support::FaultKind kind) {
    try {
      b().unpackers.issue(instruction, 0, 1000000);
    } catch (const support::Fault& fault) {
      EXPECT_EQ(fault.kind(), kind) << fault.what();
      return fault.what();
    }
    return "no fault";
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
  // 4 rows below the first of Dst, then 32 rows on by the context's destination.
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

// ---- Banks --------------------------------------------------------------------------------------

TEST_F(UnpackersTest, ABankIsHandedOverWhenItsLastDatumHasArrived) {
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 1024);
  const Issue issued = b().unpackers.issue(unpacr(1), 0, 100);
  // 2 cycles of address, 2048 B at 64 B a cycle, then the pipeline.
  EXPECT_EQ(issued.done, 100 + 2 + 32 + b().config.unpack_pipeline_cycles);
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
  const auto adc = b().adcs.of(0).unpacker[0].channel[1].y;
  const Cycle busy = b().unpackers.idle_from(0, 0);
  EXPECT_EQ(b().unpackers.issue(unpacr(0), 0, now).kind, Issue::Kind::kBlocked);
  EXPECT_EQ(b().adcs.of(0).unpacker[0].channel[1].y, adc);
  EXPECT_EQ(b().unpackers.idle_from(0, 0), busy);
  // The other unpacker is not concerned.
  b().unpack_source(1, kBase, DataFormat::kBf16, DataFormat::kBf16, 256);
  EXPECT_EQ(b().unpackers.issue(unpacr(1), 0, now).kind, Issue::Kind::kStarted);
  // The matrix unit gives the bank back, as of a later cycle.
  b().registers.srca.bank[0].give(SrcClient::kUnpackers, now + 50);
  const Issue later = b().unpackers.issue(unpacr(0), 0, now + 10);
  EXPECT_EQ(later.kind, Issue::Kind::kRetryAt);
  EXPECT_EQ(later.retry, now + 50);
  EXPECT_EQ(b().unpackers.issue(unpacr(0), 0, now + 50).kind, Issue::Kind::kStarted);
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
  // Without WaitLikeUnpacr it is the matrix unit's bank that must have been given back.
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
  // The second of the same unpacker generates its address while the first fetches for 32 cycles.
  EXPECT_EQ(b().unpackers.issue(unpacr(1, false), 0, 12).done,
            12 + 64 + b().config.unpack_pipeline_cycles);
  const Issue third = b().unpackers.issue(unpacr(1, false), 0, 14);
  EXPECT_EQ(third.kind, Issue::Kind::kRetryAt);
  EXPECT_EQ(third.retry, 44u);
  EXPECT_EQ(b().unpackers.idle_from(1, 0), 12 + 64 + b().config.unpack_pipeline_cycles);
  EXPECT_EQ(b().unpackers.idle_from(1, 1), 0u);
}

TEST_F(UnpackersTest, BothUnpackersTogetherReachTheDocumentedRates) {
  // UNPACR_Regular.md, Performance: what each gets, in 16 B a cycle, by what each wants. A transfer
  // of equal size on both is done when the slower one is; the other's rate rises to what it wants
  // once it is alone.
  const unsigned kWant[3] = {1, 2, 4};
  const unsigned kGet0[3][3] = {{1, 2, 4}, {1, 1, 2}, {1, 1, 2}};  // [unpacker 1][unpacker 0]
  const unsigned kGet1[3][3] = {{1, 1, 1}, {2, 1, 1}, {4, 2, 2}};
  constexpr double kBeats = 1024 * 2 / 16;
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
  using support::FaultKind;
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
  expect(f.base_address, 0x16DFF, FaultKind::kFirmware, "end of L1");
  expect(f.channel1.base, 2 * 16 * 12, FaultKind::kFirmware, "last row of SrcA");
  EXPECT_NE(fault_of(op::encode_unpacr_nop_setreg(0, 0, 0x20, 1, 0), FaultKind::kUnmodelled)
                .find("register"),
            std::string::npos);
  EXPECT_NE(fault_of(op::encode_unpacr_nop_zerosrc(0, 1, 1, 0), FaultKind::kUnmodelled)
                .find("both banks"),
            std::string::npos);
}

// ---- Random programs against a plain evaluation of the documented steps ------------------------

/// What an uncompressed UNPACR writes, datum by datum, in real-valued byte addresses.
class Reference {
 public:
  Reference(MovementBench& bench, std::uint32_t word, unsigned thread)
      : b_(bench), word_(word), thread_(thread), u_(field(23, 1)), f_(cfg::kUnpacker[u_]) {}

  struct Written {
    int row, column;
    std::uint32_t value;
  };

  std::vector<Written> writes() {
    const bool multi = field(7, 1) != 0;
    unsigned context = 0, adc = thread_;
    if (multi) {
      context = field(3, 1) ? b_.unpackers.context_counter(u_, thread_) : field(10, 3);
      context = (context + (b_.backend.thread[thread_][39] >> (8 * u_) & 0xF)) % 8;
      adc = field(8, 2);
    }
    const bool own_format = multi && get(f_.override_data_format);
    const auto in = static_cast<DataFormat>(own_format ? get(f_.data_format_context(context))
                                                       : get(f_.tile.in_data_format));
    const auto out = static_cast<DataFormat>(own_format ? get(f_.out_data_format_context(context))
                                                        : get(f_.out_data_format));
    const double size = datum_bits(in) / 8.0;
    const unsigned x_dim =
        multi && u_ == 0 ? get(f_.tile_x_dim_context(context % 4)) : get(f_.tile.x_dim);
    const unsigned y_dim = get(f_.tile.y_dim);
    const unsigned z_dim = get(f_.tile.z_dim) ? get(f_.tile.z_dim) : 1;
    const unsigned w_dim = get(f_.tile.w_dim) ? get(f_.tile.w_dim) : 1;
    unsigned base = multi && context
                        ? get(f_.base_context(context)) + get(f_.offset_context(context % 4))
                        : get(f_.base_address) + get(f_.offset_address);
    double address = (base + 1.0 + get(f_.tile.digest_size)) * 16;

    const AddressChannels& xy = b_.adcs.of(adc).unpacker[u_];
    const AddressCounter& zw = b_.adcs.of(thread_).unpacker[u_].channel[0];
    const unsigned first =
        ((zw.w * z_dim + zw.z) * y_dim + xy.channel[0].y) * x_dim + xy.channel[0].x;
    const unsigned count = xy.channel[1].x + 1 - xy.channel[0].x;

    double exponents = -1;
    const bool block = is_block_float(in);
    const bool forced = get(f_.force_shared_exp) != 0;
    if (block && !forced) {
      exponents = address + first / 16.0;
      const bool section = size == 1 || !get(f_.tile.no_bfp_exp_section);
      if (section) address += std::ceil(std::ceil(x_dim * y_dim * z_dim * w_dim / 16.0) / 16) * 16;
    }
    double data = address + first * size;
    const auto wrap = [&](double a) {
      return a > get(f_.limit_address) * 16.0 ? a - get(f_.fifo_size) * 16.0 : a;
    };
    exponents = wrap(exponents);
    data = wrap(data);

    const AddressCounter& to = b_.adcs.of(thread_).unpacker[u_].channel[1];
    unsigned index = get(f_.channel1.base) + to.y * get(f_.channel1.y_stride) +
                     to.z * get(f_.channel1.z_stride) + to.w * get(f_.channel1.w_stride);
    if (datum_bits(out) == 32) index /= 4;
    if (datum_bits(out) == 16) index /= 2;
    const bool to_dst =
        u_ == 0 && (multi ? get(f_.unpack_to_dst_context(context)) : get(f_.unpack_to_dst)) != 0;
    if (multi && u_ == 0) {
      const unsigned own = get(f_.dest_context(context % 4));
      index = to_dst || get(f_.add_dest_addr_cntr) ? index + own : own;
    }
    const unsigned shift = u_ == 0 ? get(f_.shift_amount(context % 4)) : 0;
    const bool transpose = u_ == 0 && get(f_.haloize_mode);
    const bool upsample = get(f_.upsample_rate) == 1;
    const bool skips = get(f_.upsample_and_interleave) != 0;
    const bool override_row = b_.backend.thread[thread_][3] >> 2 & 1;

    std::vector<Written> result;
    for (unsigned i = 0; i < count;) {
      std::uint32_t value = convert(in, out, to_dst, bits_at(data, datum_bits(in)),
                                    forced  ? get(f_.forced_shared_exp)
                                    : block ? bits_at(std::floor(exponents), 8)
                                            : 0);
      data += size;
      if (++i % 16 == 0) data = wrap(data);
      if (block && !forced) {
        exponents += 1 / 16.0;
        if (exponents == std::floor(exponents / 16) * 16) exponents = wrap(exponents);
      }
      if (field(4, 1)) value = 0;
      for (unsigned k = 0; k < (upsample ? 2u : 1u); ++k, ++index) {
        if (k != 0 && skips) continue;
        place(index, k == 0 ? value : 0, to_dst, override_row, shift, transpose, result);
      }
    }
    return result;
  }

 private:
  unsigned field(unsigned low, unsigned width) const { return word_ >> low & ((1u << width) - 1); }
  unsigned get(const cfg::Field& f) const {
    return f.get(b_.backend.bank[b_.backend.thread[thread_][0] & 1]);
  }
  unsigned bits_at(double address, unsigned count) const {
    const auto bit = static_cast<std::uint64_t>(address * 8);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) {
      value |= std::uint64_t{b_.l1.bytes()[(bit + i) / 8] >> ((bit + i) % 8) & 1u} << i;
    }
    return static_cast<unsigned>(value);
  }
  /// The conversions have their own test; here only the right datum must reach the right place.
  std::uint32_t convert(DataFormat in, DataFormat out, bool to_dst, std::uint32_t bits,
                        unsigned exponent) const {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &bits, 4);
    const auto e = static_cast<std::uint8_t>(exponent);
    std::uint32_t result = 0;
    UnpackConversion(in, out, to_dst, false).apply(bytes, 0, &e, 1, &result);
    return result;
  }
  void place(unsigned index, std::uint32_t value, bool to_dst, bool override_row, unsigned shift,
             bool transpose, std::vector<Written>& result) const {
    int row = static_cast<int>(index / 16), column = static_cast<int>(index % 16);
    if (u_ == 1) {
      result.push_back({(row + b_.registers.srcb.unpacker_row[thread_]) % 64, column, value});
      return;
    }
    row -= 4;
    if (to_dst) {
      result.push_back({((row % 1024) + 1024) % 1024, column, value});
      return;
    }
    if (row < 0 || column < static_cast<int>(shift)) return;
    column -= static_cast<int>(shift);
    if (!override_row) row += b_.registers.srca.unpacker_row[thread_];
    if (transpose) {
      const int low = row % 16;
      row = row - low + column;
      column = low;
    }
    result.push_back({row, column, value});
  }

  MovementBench& b_;
  std::uint32_t word_;
  unsigned thread_;
  unsigned u_;
  const cfg::UnpackerFields& f_;
};

class RandomUnpack : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomUnpack, WritesWhatTheDocumentedStepsSay) {
  TestRandom random(GetParam());
  constexpr DataFormat kFormats[] = {DataFormat::kBf16, DataFormat::kFp16,  DataFormat::kFp32,
                                     DataFormat::kFp32, DataFormat::kInt16, DataFormat::kBfp8,
                                     DataFormat::kBfp4, DataFormat::kBfp2,  DataFormat::kInt8,
                                     DataFormat::kFp8};
  for (int round = 0; round < 150; ++round) {
    auto bench = std::make_unique<MovementBench>();
    MovementBench& b = *bench;
    const unsigned thread = random.below(3), u = random.below(2), state = random.below(2);
    const cfg::UnpackerFields& f = cfg::kUnpacker[u];
    const auto put = [&](const cfg::Field& field, std::uint32_t value) {
      b.set(field, value, state);
    };
    b.set_thread(thread, cfg::thread::kStateId, state);
    for (unsigned i = 0; i < 0x10000; i += 8) {
      const std::uint64_t bits = random.next();
      std::memcpy(b.l1.bytes() + i, &bits, 8);
    }
    const bool multi = random.below(2) != 0;
    const unsigned context = multi ? random.below(u == 0 ? 8 : 2) : 0;
    const unsigned adc = multi ? random.below(3) : thread;
    const bool to_dst = u == 0 && random.below(3) == 0;
    const DataFormat in = kFormats[random.below(std::size(kFormats))];
    DataFormat out = in;
    if (in == DataFormat::kFp32) {
      out = to_dst ? DataFormat::kFp32 : random.below(2) ? DataFormat::kTf32 : DataFormat::kBf16;
    }
    const bool own_format = multi && random.below(2) != 0;
    put(f.override_data_format, own_format);
    put(own_format ? f.data_format_context(context) : f.tile.in_data_format,
        static_cast<unsigned>(in));
    put(own_format ? f.out_data_format_context(context) : f.out_data_format,
        static_cast<unsigned>(out));
    put(multi ? f.disable_zero_compress(context) : f.tile.is_uncompressed, 1);
    const unsigned x_dim = 16 * (1 + random.below(16));
    put(multi && u == 0 ? f.tile_x_dim_context(context % 4) : f.tile.x_dim, x_dim);
    put(f.tile.y_dim, 1 + random.below(4));
    put(f.tile.z_dim, random.below(4));
    put(f.tile.w_dim, random.below(3));
    put(f.tile.digest_size, random.below(3));
    put(f.tile.no_bfp_exp_section, random.below(2));
    put(multi && context ? f.base_context(context) : f.base_address, 4 + random.below(64));
    put(multi && context ? f.offset_context(context % 4) : f.offset_address, random.below(64));
    put(f.force_shared_exp, random.below(2));
    put(f.forced_shared_exp, random.below(256));
    if (random.below(2)) {
      put(f.limit_address, 300);
      put(f.fifo_size, 200);
    }
    put(f.throttle_mode, random.below(3));
    const unsigned count = 1 + random.below(u == 0 && !to_dst ? 200 : 256);
    const unsigned x = random.below(64);
    AddressChannels& channels = b.adcs.of(adc).unpacker[u];
    channels.channel[0].set_x(x);
    channels.channel[1].set_x(x + count - 1);
    channels.channel[0].set_y(random.below(4));
    b.adcs.of(thread).unpacker[u].channel[0].set_z(random.below(4));
    b.adcs.of(thread).unpacker[u].channel[0].set_w(random.below(2));
    // Destination: strides keep rows below 16 for SrcA.
    const unsigned unit = datum_bits(out) == 32 ? 4 : datum_bits(out) == 16 ? 2 : 1;
    AddressCounter& to = b.adcs.of(thread).unpacker[u].channel[1];
    to.set_y(random.below(2));
    to.set_z(random.below(2));
    to.set_w(random.below(2));
    put(f.channel1.base, unit * random.below(96));
    put(f.channel1.y_stride, unit * random.below(8));
    put(f.channel1.z_stride, unit * random.below(8));
    put(f.channel1.w_stride, unit * random.below(8));
    put(f.unpack_to_dst, to_dst);
    put(f.unpack_to_dst_context(context), to_dst);
    if (u == 0 && multi) {
      put(f.dest_context(context % 4), random.below(16));
      put(f.add_dest_addr_cntr, random.below(2));
    }
    const bool upsample = count <= 100 && random.below(4) == 0;
    put(f.upsample_rate, upsample);
    put(f.upsample_and_interleave, random.below(2));
    b.set_thread(thread, cfg::thread::kSrcASetBase, random.below(4));
    b.set_thread(thread, cfg::thread::kSrcBSetBase, random.below(4));
    SrcFile& src = u == 0 ? b.registers.srca : b.registers.srcb;
    src.unpacker_bank = static_cast<std::uint8_t>(random.below(2));
    src.unpacker_row[thread] = static_cast<std::uint8_t>(16 * random.below(4));
    if (u == 0 && !to_dst) {
      b.set_thread(thread, cfg::thread::kSrcASetOverrideWithAddr, random.below(2));
      put(f.shift_amount(context % 4), random.below(2) ? random.below(6) : 0);
    }
    b.set_thread(thread, cfg::thread::context_offset(u), 0);
    put(f.src_reg_set_update, random.below(2));
    put(f.context_count, random.below(4));

    const bool flip = random.below(2) != 0;
    const std::uint32_t word =
        op::encode_unpacr(u, random.below(4), random.below(4), random.below(4), random.below(4), 0,
                          context, adc, multi, flip, random.below(8) == 0, 0, 0, 0);
    std::map<std::pair<int, int>, std::uint32_t> expected;
    for (const auto& w : Reference(b, word, thread).writes()) expected[{w.row, w.column}] = w.value;
    const unsigned bank = src.unpacker_bank;
    const unsigned row_before = src.unpacker_row[thread];
    const AddressCounters before = b.adcs;
    for (auto& row : src.bank[bank].rows) row.fill(0x12345);

    const Issue issued = b.unpackers.issue(word, thread, 0);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);

    const bool wide = datum_bits(out) == 32;
    for (int row = 0; row < (to_dst ? 1024 : 64); ++row) {
      for (int column = 0; column < 16; ++column) {
        const auto it = expected.find({row, column});
        const auto r = static_cast<unsigned>(row), c = static_cast<unsigned>(column);
        if (to_dst) {
          if (it == expected.end()) continue;
          ASSERT_EQ(wide ? b.registers.dst.read32(r, c) : b.registers.dst.read16(r, c), it->second)
              << "round " << round << " row " << row << " column " << column;
        } else {
          ASSERT_EQ(src.bank[bank].rows[r][c], it == expected.end() ? 0x12345 : it->second)
              << "round " << round << " row " << row << " column " << column;
        }
      }
    }
    // Counters of the issuing thread and of the selected one move, the other's do not.
    for (unsigned t = 0; t < 3; ++t) {
      const bool moves = t == thread || t == adc;
      for (unsigned ch = 0; ch < 2; ++ch) {
        const AddressCounter& was = before.of(t).unpacker[u].channel[ch];
        const AddressCounter& is = b.adcs.of(t).unpacker[u].channel[ch];
        const unsigned y = word >> (ch == 0 ? 17 : 21) & 3, z = word >> (ch == 0 ? 15 : 19) & 3;
        ASSERT_EQ(is.y, (was.y + (moves ? y : 0)) % 8192);
        ASSERT_EQ(is.z, (was.z + (moves ? z : 0)) % 256);
        ASSERT_EQ(is.y_cr, was.y_cr);
        ASSERT_EQ(is.x, was.x);
      }
    }
    const unsigned set_base = b.backend.thread[thread][u == 0 ? 3 : 4] & 3;
    unsigned row_after = row_before;
    if (flip) {
      row_after = 16 * set_base;
      ASSERT_EQ(src.bank[bank].allowed_client, SrcClient::kMatrixUnit);
      ASSERT_EQ(src.bank[bank].allowed_from, issued.done);
    } else if (f.src_reg_set_update.get(b.backend.bank[state])) {
      row_after = (row_before + 16 + 16 * set_base) % 64;
    }
    ASSERT_EQ(src.unpacker_bank, bank ^ (flip ? 1u : 0u));
    ASSERT_EQ(src.unpacker_row[thread], row_after);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomUnpack, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace tvp::tensix::coprocessor
