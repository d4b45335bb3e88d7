#include "models/tensix/coprocessor/packers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/unit/tensix/movement_bench.h"

namespace tvp::tensix::coprocessor::packers_test {
namespace {

constexpr std::uint32_t kTarget = 0x30000;
constexpr Cycle kLater = 1000;

std::uint32_t pacr(unsigned mask, bool last = true, unsigned addr_mod = 0) {
  return op::encode_pacr(addr_mod, 0, mask, 0, 0, 0, last);
}

class PackersTest : public ::testing::Test {
 protected:
  void SetUp() override { bench_ = std::make_unique<MovementBench>(); }
  MovementBench& b() { return *bench_; }

  /// BF16 patterns into Dst16b, by index.
  void fill_dst16(unsigned count, TestRandom& random) {
    values_.resize(count);
    for (unsigned i = 0; i < count; ++i) {
      values_[i] = random.bits(1) << 15 | (64 + random.below(128)) << 7 | random.bits(7);
      put16(i, values_[i]);
    }
  }
  void put16(unsigned index, std::uint32_t bf16) {
    b().registers.dst.define16(index / 16);
    b().registers.dst.write16(index / 16, index % 16, layout::dst_bf16(bf16));
  }
  void put32(unsigned index, std::uint32_t bits) {
    b().registers.dst.define32(index / 16);
    b().registers.dst.write32(index / 16, index % 16, layout::dst_fp32(bits));
  }
  std::string fault_of(std::uint32_t instruction, foundation::FaultKind kind) {
    try {
      b().packers.issue(instruction, 0, kLater);
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), kind) << fault.what();
      return fault.what();
    }
    return "no fault";
  }

  std::vector<std::uint32_t> values_;

 private:
  std::unique_ptr<MovementBench> bench_;
};

TEST_F(PackersTest, FourPackersWriteATileOfBf16) {
  TestRandom random(6);
  fill_dst16(1024, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  const Issue issued = b().packers.issue(pacr(0xF), 2, kLater);
  // Thread 2 has counters of its own: the bench set those of thread 0.
  EXPECT_EQ(b().packers.counters(0).datums, 1u);
  EXPECT_EQ(issued.kind, Issue::Kind::kStarted);
  SetUp();
  fill_dst16(1024, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  b().packers.issue(pacr(0xF), 0, kLater);
  for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(b().load16(kTarget + 2 * i), values_[i]) << i;
  EXPECT_EQ(b().packers.counters(3).l1_bytes, 512u);
  EXPECT_EQ(b().packers.counters(3).tiles, 1u);
}

TEST_F(PackersTest, Fp32DstIsRoundedToBf16) {
  TestRandom random(7);
  std::vector<std::uint32_t> bits(256);
  for (unsigned i = 0; i < 256; ++i) {
    bits[i] = random.bits(1) << 31 | (64 + random.below(128)) << 23 | random.bits(23);
    put32(i, bits[i]);
  }
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 64, 128);
  b().set(cfg::pack::kRead32bData, 1);
  b().packers.issue(pacr(0xF), 0, kLater);
  for (unsigned i = 0; i < 256; ++i) {
    ASSERT_EQ(b().load16(kTarget + 2 * i), (bits[i] + 0x8000) >> 16) << i;
  }
}

TEST_F(PackersTest, UndefinedRowsOfDstReadAsZero) {
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 32, 64);
  for (unsigned i = 0; i < 16; ++i) b().registers.dst.write16(0, i, 0x1234);  // still undefined
  for (unsigned i = 0; i < 64; ++i) b().l1.bytes()[kTarget + i] = 0xAA;
  b().packers.issue(pacr(1), 0, kLater);
  for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(b().l1.bytes()[kTarget + i], 0);
}

// What the vector unit makes of rows that nothing wrote may be there, but not leave.
TEST_F(PackersTest, ComplainsOfUndefinedColumnsUnlessTheyAreMasked) {
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 32, 64);
  b().registers.dst.define16(0);
  b().registers.dst.define_columns16(1, 0xFFFF, 0x0104);
  b().set(cfg::pack::edge_mask(0), 0xFEFF);
  try {
    b().packers.issue(pacr(1), 0, kLater);
    FAIL() << "no fault";
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.kind(), foundation::FaultKind::kFirmware);
    EXPECT_NE(std::string(fault.what()).find("row 1 of Dst, columns 2:"), std::string::npos)
        << fault.what();
  }
  b().set(cfg::pack::edge_mask(0), 0xFEFB);
  b().packers.issue(pacr(1), 0, 2 * kLater);
}

// Kernels that need one column of a tile write every other one and pack the whole tile.
TEST_F(PackersTest, WarnsOfColumnsBesideThoseThatWereWritten) {
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 32, 64);
  auto& dst = b().registers.dst;
  dst.define16(0);
  dst.define_columns16(1, 0x5555);
  b().packers.issue(pacr(1), 0, kLater / 2);
  ASSERT_EQ(b().faults.warned.size(), 1U);
  EXPECT_NE(b().faults.warned[0].find("row 1 of Dst, columns 1 3 5 7 9 11 13 15: the vector unit "
                                      "wrote the other columns"),
            std::string::npos)
      << b().faults.warned[0];
  // Something is made of them.
  dst.define_columns16(1, 0xAAAA, 0x0002);
  EXPECT_NE(fault_of(pacr(1), foundation::FaultKind::kFirmware).find("columns 1:"),
            std::string::npos);
}

TEST_F(PackersTest, ZeroaccEndsWhatIsSaidOfColumns) {
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 32, 64);
  auto& dst = b().registers.dst;
  for (const bool half : {false, true}) {
    dst.define16(0);
    dst.define_columns16(1, 0x5555, 0x0004);
    half ? dst.undefine_storage(0, 512) : dst.undefine16(1);
    b().packers.issue(pacr(1), 0, half ? 2 * kLater : kLater);
    EXPECT_TRUE(b().faults.warned.empty());
    for (unsigned i = 32; i < 64; ++i) ASSERT_EQ(b().l1.bytes()[kTarget + i], 0);
  }
}

TEST_F(PackersTest, BlockFloatHasExponentsInFront) {
  // Every datum of row r is 1.5 * 2^r: mantissa 0x60 (1.5 * 64), exponent 127 + r.
  for (unsigned i = 0; i < 256; ++i) put16(i, (127 + i / 16) << 7 | 0x40);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBfp8, 256, 0);
  b().set(cfg::kPacker[0].exp_section_size, 1);
  b().packers.issue(pacr(1), 0, kLater);
  for (unsigned row = 0; row < 16; ++row) ASSERT_EQ(b().l1.bytes()[kTarget + row], 127 + row);
  for (unsigned i = 0; i < 256; ++i) ASSERT_EQ(b().l1.bytes()[kTarget + 16 + i], 0x60);
  EXPECT_EQ(b().packers.counters(0).l1_bytes, 272u);

  SetUp();
  for (unsigned i = 0; i < 32; ++i) put16(i, (i % 2) << 15 | 127 << 7 | 0x40);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBfp4, 32, 0);
  b().set(cfg::kPacker[0].exp_section_size, 1);
  b().packers.issue(pacr(1), 0, kLater);
  EXPECT_EQ(b().l1.bytes()[kTarget], 127);
  EXPECT_EQ(b().l1.bytes()[kTarget + 2], 0);  // padding of the exponents
  for (unsigned i = 0; i < 16; ++i) {
    ASSERT_EQ(b().l1.bytes()[kTarget + 16 + i], 0xE6);  // +6/4 low, -6/4 high
  }
}

TEST_F(PackersTest, OutputContinuesUntilLastOrFlush) {
  TestRandom random(8);
  fill_dst16(32, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 4, 0);
  const auto bytes_written = [&] { return b().packers.counters(0).l1_bytes; };
  b().packers.issue(pacr(1, false), 0, kLater);  // four datums: half of 16 B
  EXPECT_EQ(bytes_written(), 0u);
  b().execute(op::encode_setadcxx(1, 0, 0, 13, 4));
  b().packers.issue(pacr(1, false), 0, 2 * kLater);  // ten more
  EXPECT_EQ(bytes_written(), 16u);
  b().set(cfg::kPacker[0].l1_dest_addr, 0x7777);  // not looked at before the next tile
  b().packers.issue(op::encode_pacr(0, 0, 1, 0, 0, 1, 0), 0, 3 * kLater);  // flush
  EXPECT_EQ(bytes_written(), 32u);
  for (unsigned i = 0; i < 14; ++i) ASSERT_EQ(b().load16(kTarget + 2 * i), values_[i]);
  for (unsigned i = 14; i < 16; ++i) ASSERT_EQ(b().load16(kTarget + 2 * i), 0u);
  b().packers.issue(pacr(1), 0, 4 * kLater);
  EXPECT_EQ(b().load16(0x77780), values_[4]);
}

TEST_F(PackersTest, PartialFacesOfTinyTiles) {
  // An 8x32 tile: two faces of 8 rows, packers 0 and 1.
  TestRandom random(9);
  fill_dst16(512, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 128, 256);
  b().set(cfg::kPacker[1].dest_offset, 16);  // faces lie 16 rows apart in Dst
  b().packers.issue(pacr(3), 0, kLater);
  for (unsigned i = 0; i < 128; ++i) {
    ASSERT_EQ(b().load16(kTarget + 2 * i), values_[i]);
    ASSERT_EQ(b().load16(kTarget + 256 + 2 * i), values_[256 + i]);
  }
  EXPECT_EQ(b().packers.counters(2).instructions, 0u);
}

TEST_F(PackersTest, ZeroWriteWritesZerosWithoutDst) {
  TestRandom random(10);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 16, 32);
  b().registers.dst.written16(0, 5 * kLater);  // no matter: Dst is not read
  for (unsigned i = 0; i < 64; ++i) b().l1.bytes()[kTarget + i] = 0xAA;
  EXPECT_EQ(b().packers.issue(op::encode_pacr(0, 1, 1, 0, 0, 0, 1), 0, kLater).kind,
            Issue::Kind::kStarted);
  for (unsigned i = 0; i < 32; ++i) ASSERT_EQ(b().l1.bytes()[kTarget + i], 0);
  ASSERT_EQ(b().l1.bytes()[kTarget + 32], 0xAA);
}

TEST_F(PackersTest, EdgeMasksByRowAndColumn) {
  TestRandom random(11);
  for (const bool infinity : {false, true}) {
    SetUp();
    fill_dst16(256, random);
    b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
    // Rows from 10 on take mask 1, which keeps nothing; mask 0 keeps columns 0 to 11.
    b().set(cfg::pack::edge_mask(0), 0x0FFF);
    b().set(cfg::pack::edge_mask(1), 0);
    for (unsigned row = 10; row < 16; ++row) b().set(cfg::pack::row_set_mapping(2, row), 1);
    b().set(cfg::pack::edge_row_set_select(0), 2);
    b().set(cfg::pack::kEdgeMode, infinity);
    b().packers.issue(pacr(1), 0, kLater);
    for (unsigned i = 0; i < 256; ++i) {
      const bool kept = i / 16 < 10 && i % 16 < 12;
      ASSERT_EQ(b().load16(kTarget + 2 * i), kept ? values_[i] : infinity ? 0xFF80u : 0u) << i;
    }
  }
}

TEST_F(PackersTest, EdgeMasksByFace) {
  TestRandom random(12);
  fill_dst16(512, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 512, 1024);
  b().set(cfg::pack::kEdgeFaceSetEnable, 1);
  b().set(cfg::pack::edge_face_set_select(0), 3);
  b().set(cfg::kPacker[0].dest_z_offset, 5);
  b().set(cfg::pack::face_set_mapping(3, 6), 1);  // the second face
  for (unsigned row = 0; row < 16; ++row) b().set(cfg::pack::row_set_mapping(1, row), 3);
  b().set(cfg::pack::edge_mask(3), 0x00FF);
  b().packers.issue(pacr(1), 0, kLater);
  for (unsigned i = 0; i < 512; ++i) {
    ASSERT_EQ(b().load16(kTarget + 2 * i), i < 256 || i % 16 < 8 ? values_[i] : 0u) << i;
  }
}

TEST_F(PackersTest, ReluDownsamplingAndThreshold) {
  TestRandom random(13);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  b().set(cfg::alu::kApplyRelu, 1);
  b().set(cfg::kPacker[0].exp_threshold_en, 1);
  b().set(cfg::kPacker[0].exp_threshold, 100);
  b().set(cfg::kPacker[0].downsample_mask, 0x2222);  // one of four, beginning with the second
  b().packers.issue(pacr(1), 0, kLater);
  unsigned out = 0;
  for (unsigned i = 0; i < 256; ++i) {
    if (i % 4 != 1) continue;
    const bool dropped = values_[i] >> 15 != 0 || (values_[i] >> 7 & 0xFF) < 100;
    ASSERT_EQ(b().load16(kTarget + 2 * out), dropped ? 0 : values_[i]) << i;
    ++out;
  }
  EXPECT_EQ(b().packers.counters(0).l1_bytes, 128u);
}

TEST_F(PackersTest, ExponentHistogram) {
  TestRandom random(14);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  b().set_thread(1, cfg::thread::kEnableAccStats, 1);
  b().packers.issue(pacr(1), 0, kLater);
  std::array<unsigned, 32> bins{};
  unsigned largest = 0;
  for (const std::uint32_t x : values_) {
    ++bins[x >> 7 & 31];
    largest = std::max(largest, x >> 7 & 0xFF);
  }
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(b().packers.exponent_histogram(0, i), bins[i]) << i;
  }
  EXPECT_EQ(b().packers.exponent_histogram_max(), largest);
  b().packers.clear_exponent_histograms();
  EXPECT_EQ(b().packers.exponent_histogram_max(), 0);
}

// ISA Packers/ExponentHistogram.md: of INT16 the low eight bits count as the exponent.
TEST_F(PackersTest, ExponentHistogramOfIntegers) {
  TestRandom random(15);
  b().pack_target(kTarget, DataFormat::kInt16, DataFormat::kInt16, DataFormat::kInt16, 256, 512);
  b().set_thread(0, cfg::thread::kEnableAccStats, 1);
  std::array<unsigned, 32> bins{};
  unsigned largest = 0;
  for (unsigned i = 0; i < 256; ++i) {
    const std::uint32_t x = random.bits(16);
    b().registers.dst.define16(i / 16);
    b().registers.dst.write16(i / 16, i % 16, static_cast<std::uint16_t>(x));
    ++bins[x & 31];
    largest = std::max(largest, x & 0xFF);
  }
  b().packers.issue(pacr(1), 0, kLater);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(b().packers.exponent_histogram(0, i), bins[i]) << i;
  EXPECT_EQ(b().packers.exponent_histogram_max(), largest);
}

TEST_F(PackersTest, TileSizesAreCountedUntilReset) {
  TestRandom random(19);
  fill_dst16(1024, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  b().set(cfg::kPacker[1].add_tile_header_size, 1);
  b().packers.issue(pacr(3, false), 0, kLater);
  EXPECT_EQ(b().packers.accumulated_tile_size(0, 0), 0u);  // the tile goes on
  b().packers.issue(pacr(3), 0, 2 * kLater);
  EXPECT_EQ(b().packers.tile_size(0, 0), 64u);
  EXPECT_EQ(b().packers.tile_size(0, 1), 0u);
  EXPECT_EQ(b().packers.accumulated_tile_size(0, 0), 64u);
  EXPECT_EQ(b().packers.accumulated_tile_size(1, 0), 65u);
  b().packers.issue(pacr(1), 0, 3 * kLater);
  EXPECT_EQ(b().packers.accumulated_tile_size(0, 0), 96u);
  b().packers.reset_accumulated_tile_size(0);
  EXPECT_EQ(b().packers.accumulated_tile_size(0, 0), 0u);
  EXPECT_EQ(b().packers.accumulated_tile_size(1, 0), 65u);
}

// ---- Time ---------------------------------------------------------------------------------------

TEST_F(PackersTest, CyclesOfATileByFormat) {
  const struct {
    DataFormat via, to;
    bool wide;
    unsigned cycles;
  } kRows[] = {// L1 writes of four packers side by side, the last one three cycles behind at banks.
               {DataFormat::kBf16, DataFormat::kBf16, false, 32 + 3},
               // 128 bits a cycle between the conversions.
               {DataFormat::kBf16, DataFormat::kBfp8, false, 32},
               // Five and six cycles a row of FP32 there.
               {DataFormat::kFp32, DataFormat::kBf16, true, 16 * 5},
               {DataFormat::kFp32, DataFormat::kFp32, true, 16 * 6}};
  for (const auto& row : kRows) {
    SetUp();
    TestRandom random(15);
    if (row.wide) {
      for (unsigned i = 0; i < 1024; ++i) put32(i, random.bits(30));
    } else {
      fill_dst16(1024, random);
    }
    b().pack_target(kTarget, row.via, row.via, row.to, 256, 2048);
    b().set(cfg::pack::kRead32bData, row.wide);
    const Issue issued = b().packers.issue(pacr(0xF), 0, kLater);
    EXPECT_EQ(issued.done, kLater + b().config.pack_pipeline_cycles + row.cycles);
    EXPECT_EQ(b().packers.idle_from(3, 0), issued.done);
    EXPECT_EQ(b().packers.idle_from(3, 1), 0u);
    // The next is accepted when these rows are through, so that L1 never idles.
    const Issue next = b().packers.issue(pacr(0xF), 0, kLater + 1);
    EXPECT_EQ(next.kind, Issue::Kind::kRetryAt);
    EXPECT_EQ(next.retry, kLater + row.cycles);
    const Issue second = b().packers.issue(pacr(0xF), 0, next.retry);
    EXPECT_EQ(second.done, issued.done + row.cycles);
  }
}

TEST_F(PackersTest, WaitsForARowThatIsBeingWritten) {
  TestRandom random(16);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 128, 256);
  b().registers.dst.written16(9, kLater);  // block of rows 8 to 15, which packer 1 reads
  EXPECT_EQ(b().packers.issue(pacr(1), 0, kLater + 1).kind, Issue::Kind::kStarted);
  const auto z = b().adcs.of(0).packers.channel[0].z;
  const Issue blocked = b().packers.issue(pacr(2), 0, kLater + 1);
  EXPECT_EQ(blocked.kind, Issue::Kind::kRetryAt);
  EXPECT_EQ(blocked.retry, kLater + 5);
  EXPECT_EQ(b().adcs.of(0).packers.channel[0].z, z);
  EXPECT_EQ(b().packers.issue(pacr(2), 0, kLater + 5).kind, Issue::Kind::kStarted);
}

// ---- PACR_SETREG and faults ---------------------------------------------------------------------

struct Recorder : RegisterWriter {
  std::uint32_t address = 0, value = 0;
  Cycle when = 0;
  void write_register(std::uint32_t a, std::uint32_t v, Cycle w) override {
    address = a;
    value = v;
    when = w;
  }
};

TEST_F(PackersTest, SetregWritesAfterThePacksBeforeIt) {
  Recorder recorder;
  b().packers.set_register_writer(&recorder);
  TestRandom random(17);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  const Issue data = b().packers.issue(pacr(1), 0, kLater);
  TdmaRisc::PackSetregConfig setreg;
  setreg.base[1] = 0x40100;
  setreg.high_scaler[1] = 7;
  b().packers.attach(setreg);
  b().packers.issue(op::encode_pacr_setreg(1, 0x155, 0x12), 0, kLater + 1);
  EXPECT_EQ(recorder.address, 0xFFB00000u + 0x40100 + (0x12 << 12));
  EXPECT_EQ(recorder.value, 0x155u + (0x155u * 7 << 12));
  EXPECT_EQ(recorder.when, data.done);
}

TEST_F(PackersTest, AddsToWhatL1Holds) {
  for (unsigned i = 0; i < 64; ++i) put16(i, 0x3F80);  // 1
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 64, 128);
  for (unsigned i = 0; i < 64; ++i) b().store16(kTarget + 2 * i, 0x4040);  // 3
  const Issue plain = b().packers.issue(pacr(1), 0, kLater);
  EXPECT_EQ(b().load16(kTarget), 0x3F80u);
  b().set(cfg::kPacker[0].l1_accumulate, 1);
  const Cycle again = kLater + 1000;
  const Issue first = b().packers.issue(pacr(1), 0, again);
  const Issue second = b().packers.issue(pacr(1), 0, again + 1000);
  for (unsigned i = 0; i < 64; ++i) ASSERT_EQ(b().load16(kTarget + 2 * i), 0x4040u) << i;
  // Eight beats, each of which now holds the port for two cycles.
  EXPECT_EQ(plain.done - kLater, 8 + b().config.pack_pipeline_cycles);
  EXPECT_EQ(first.done - again, 16 + b().config.pack_pipeline_cycles);
  EXPECT_EQ(second.done - again - 1000, 16 + b().config.pack_pipeline_cycles);
}

// ---- Lanes of the addition, against the nearest of all values of the format ---------------------

/// Value of a datum as the documentation has it: no denormals, and FP16 has no infinity.
long double lane_value(DataFormat format, std::uint32_t bits) {
  const unsigned mantissa_bits = format == DataFormat::kFp32   ? 23
                                 : format == DataFormat::kBf16 ? 7
                                                               : 10;
  const unsigned exponent_bits = format == DataFormat::kFp16 ? 5 : 8;
  const int bias = format == DataFormat::kFp16 ? 15 : 127;
  const auto exponent = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  if (exponent == 0) return 0;
  const std::uint32_t mantissa = bits & ((1U << mantissa_bits) - 1);
  const long double magnitude = std::ldexp(
      1.0L + std::ldexp(static_cast<long double>(mantissa), -static_cast<int>(mantissa_bits)),
      exponent - bias);
  return (bits >> (mantissa_bits + exponent_bits)) != 0 ? -magnitude : magnitude;
}

TEST(L1Accumulation, RoundsSumsToTheNearest) {
  TestRandom random(19);
  for (const DataFormat format : {DataFormat::kFp32, DataFormat::kBf16, DataFormat::kFp16}) {
    const unsigned width = format == DataFormat::kFp32 ? 32 : 16;
    const std::uint32_t sign = 1U << (width - 1);
    for (unsigned trial = 0; trial < 20000; ++trial) {
      std::uint32_t a = random.bits(width - 1);
      // Often of nearly the same size, which is where sums cancel and tie.
      std::uint32_t b =
          trial % 2 == 0 ? random.bits(width - 1) : (a ^ random.bits(width - 4)) & (sign - 1);
      const auto infinite = [&](std::uint32_t x) {
        return format != DataFormat::kFp16 &&
               (format == DataFormat::kFp32 ? x >= 0x7F000000 : x >= 0x7F00);
      };
      if (infinite(a) || infinite(b)) continue;
      a |= random.bits(1) * sign;
      b |= random.bits(1) * sign;
      std::array<std::uint8_t, 16> memory{}, data{};
      std::memcpy(memory.data() + 16 - width / 8, &a, width / 8);
      std::memcpy(data.data() + 16 - width / 8, &b, width / 8);
      L1Accumulation::add(format, data.data(), memory.data());
      std::uint32_t result = 0;
      std::memcpy(&result, memory.data() + 16 - width / 8, width / 8);
      const long double exact = lane_value(format, a) + lane_value(format, b);
      const long double got = lane_value(format, result);
      const long double off = std::abs(exact - got);
      const std::uint32_t magnitude = result & (sign - 1);
      const std::uint32_t smallest = format == DataFormat::kFp32   ? 1U << 23
                                     : format == DataFormat::kBf16 ? 1U << 7
                                                                   : 1U << 10;
      if (magnitude == 0) {
        ASSERT_LT(std::abs(exact), lane_value(format, smallest));
        continue;
      }
      for (const std::uint32_t other : {magnitude - 1, magnitude + 1}) {
        if (other < smallest || other >= sign) continue;
        const long double neighbor = lane_value(format, other | (result & sign));
        ASSERT_LE(off, std::abs(exact - neighbor))
            << std::hex << a << " + " << b << " = " << result;
        if (off == std::abs(exact - neighbor)) {
          ASSERT_EQ(result & 1, 0u) << std::hex << a << " + " << b;
        }
      }
    }
  }
}

TEST(L1Accumulation, IntegersSaturateAndSpecialValuesStay) {
  const auto sum = [](DataFormat format, std::uint32_t a, std::uint32_t b) {
    std::array<std::uint32_t, 4> memory{a, a, a, a};
    const std::array<std::uint32_t, 4> data{b, b, b, b};
    L1Accumulation::add(format, reinterpret_cast<const std::uint8_t*>(data.data()),
                        reinterpret_cast<std::uint8_t*>(memory.data()));
    EXPECT_EQ(memory[0], memory[3]);
    return memory[0];
  };
  EXPECT_EQ(sum(DataFormat::kInt32, 5, 0x80000007), 0x80000002u);
  EXPECT_EQ(sum(DataFormat::kInt32, 5, 0x80000005), 0u);
  EXPECT_EQ(sum(DataFormat::kInt32, 0x7FFFFFFF, 1), 0x7FFFFFFFu);
  EXPECT_EQ(sum(DataFormat::kInt32, 0xFFFFFFFF, 0x80000001), 0xFFFFFFFFu);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x7F800000, 0x3F800000), 0x7F800000u);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x7F7FFFFF, 0x7F7FFFFF), 0x7F800000u);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x00000001, 0x00000001), 0u);  // denormals
  EXPECT_EQ(sum(DataFormat::kBf16, 0x7F7F7F7F, 0x7F7F7F7F), 0x7F807F80u);
  EXPECT_EQ(sum(DataFormat::kBf16, 0xFF80FF80, 0x3F803F80), 0xFF80FF80u);
  EXPECT_EQ(sum(DataFormat::kFp16, 0x7BFF7BFF, 0x7BFF7BFF), 0x7FFF7FFFu);  // 131008 is in range
  EXPECT_EQ(sum(DataFormat::kFp16, 0x7FFF7FFF, 0x7FFF7FFF), 0x7FFF7FFFu);
}

TEST_F(PackersTest, StopsByNameAtWhatItDoesNotHave) {
  using foundation::FaultKind;
  TestRandom random(18);
  fill_dst16(256, random);
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 256, 512);
  const auto expect = [&](const cfg::Field& f, std::uint32_t value, FaultKind kind,
                          const char* text) {
    const std::uint32_t before = b().backend.bank[0][f.addr32];
    b().set(f, value);
    EXPECT_NE(fault_of(pacr(1), kind).find(text), std::string::npos) << text;
    b().backend.bank[0][f.addr32] = before;
  };
  expect(cfg::kPacker[0].l1_dest_addr, 0x16E00, FaultKind::kFirmware, "end of L1");
  expect(cfg::kPacker[0].disable_zero_compress, 0, FaultKind::kUnmodelled, "compression");
  expect(cfg::kPacker[0].source_interface_selection, 1, FaultKind::kUnmodelled, "L1 to L1");
  expect(cfg::alu::kPackerStochasticRounding, 1, FaultKind::kUnmodelled, "stochastic");
  expect(cfg::kPacker[0].out_data_format, 8, FaultKind::kUnmodelled, "to INT32");
  EXPECT_NE(fault_of(pacr(5), FaultKind::kFirmware).find("PackerMask"), std::string::npos);
  b().set(cfg::kPacker[0].l1_accumulate, 1);
  expect(cfg::kPacker[0].out_data_format, 6, FaultKind::kFirmware, "accumulates BFP8");
}

// ---- Random addresses against a plain evaluation of the documented steps ------------------------

class RandomPack : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomPack, ReadsAndWritesWhereTheDocumentedStepsSay) {
  TestRandom random(GetParam());
  auto bench = std::make_unique<MovementBench>();
  MovementBench& b = *bench;
  for (unsigned row = 0; row < 1024; ++row) {
    b.registers.dst.define16(row);
    for (unsigned column = 0; column < 16; ++column) {
      // INT16 is opaque, so that each datum says where it came from.
      b.registers.dst.write16(row, column, static_cast<std::uint16_t>(row << 4 | column));
    }
  }
  Cycle now = kLater;
  for (int round = 0; round < 400; ++round, now += kLater) {
    const unsigned thread = random.below(3), state = random.below(2);
    b.set_thread(thread, cfg::thread::kStateId, state);
    const auto put = [&](const cfg::Field& f, std::uint32_t value) { b.set(f, value, state); };
    const auto int16 = static_cast<unsigned>(DataFormat::kInt16);
    put(cfg::alu::kDstFormat, int16);
    put(cfg::pack::edge_mask(0), 0xFFFF);
    put(cfg::pack::kSource.base, 2 * random.below(64));
    put(cfg::pack::kSource.x_stride, random.below(2) ? 2 : 0);
    put(cfg::pack::kSource.y_stride, 2 * random.below(64));
    put(cfg::pack::kSource.z_stride, random.bits(12) & 0xFFE);
    put(cfg::pack::kSource.w_stride, random.bits(12) & 0xFFE);
    put(cfg::pack::kDestination.base, random.below(256));
    put(cfg::pack::kDestination.y_stride, random.below(256));
    put(cfg::pack::kDestination.z_stride, random.below(256));
    put(cfg::pack::kDestination.w_stride, random.below(256));
    const bool relative = random.below(2) != 0;
    std::uint16_t offsets[4];
    for (unsigned i = 0; i < 4; ++i) {
      const cfg::PackerFields& f = cfg::kPacker[i];
      put(f.in_data_format, int16);
      put(f.out_data_format, int16);
      put(f.disable_zero_compress, 1);
      put(f.l1_dest_addr, i == 0 && relative ? 0x80000000u + 0x1000 : 0x2000 + 0x1000 * i);
      put(f.sub_l1_tile_header_size, random.below(2));
      put(f.dest_offset, random.below(1024));
      put(f.addr_cnt_context, random.below(4));
      put(f.add_l1_dest_addr_offset, random.below(2));
      offsets[i] = static_cast<std::uint16_t>(random.below(64));
      b.packers.set_l1_dest_addr_offset(i, offsets[i]);
      if (random.below(3) == 0) {
        put(f.limit_address, 0x1800);
        put(f.fifo_size, 0x100);
      } else {
        put(f.limit_address, 0x1FFFF);
        put(f.fifo_size, 0);
      }
    }
    for (unsigned t = 0; t < 3; ++t) {
      AddressChannels& c = b.adcs.of(t).packers;
      c.channel[0].set_x(random.below(16));
      c.channel[1].set_x(c.channel[0].x + random.below(64));
      for (unsigned ch = 0; ch < 2; ++ch) {
        c.channel[ch].set_y(random.below(8));
        c.channel[ch].y_cr = random.below(8);
        c.channel[ch].set_z(random.below(4));
        c.channel[ch].set_w(random.below(4));
      }
    }
    const unsigned addr_mod = random.below(4);
    const std::uint32_t modifier = random.bits(16);
    b.backend.thread[thread][31 + addr_mod] = modifier;

    constexpr unsigned kMasks[] = {0, 1, 2, 4, 8, 3, 12, 15};
    const unsigned mask = kMasks[random.below(8)];
    const bool override_thread = random.below(2) != 0;
    std::memset(b.l1.bytes(), 0xEE, 0x100000);
    std::vector<std::uint8_t> expected(b.l1.bytes(), b.l1.bytes() + 0x100000);
    const AddressCounters before = b.adcs;
    const auto& words = b.backend.bank[state];
    unsigned adcs = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (!((mask ? mask : 1) >> i & 1)) continue;
      const cfg::PackerFields& f = cfg::kPacker[i];
      unsigned adc = override_thread ? f.addr_cnt_context.get(words) : thread;
      if (adc == 3) adc = 0;
      adcs |= 1u << adc;
      const AddressCounter& from = before.of(adc).packers.channel[0];
      const AddressCounter& to = before.of(adc).packers.channel[1];
      const cfg::AddressControl& s = cfg::pack::kSource;
      const cfg::AddressControl& d = cfg::pack::kDestination;
      const unsigned bytes = s.base.get(words) + from.x * (s.x_stride.get(words) % 16) +
                             from.y * s.y_stride.get(words) + from.z * s.z_stride.get(words) +
                             from.w * s.w_stride.get(words);
      const unsigned first = bytes / 2 / 8 * 8 + from.x % 8 + f.dest_offset.get(words) * 16;
      const unsigned count = to.x - from.x + 1;
      std::uint32_t address = f.l1_dest_addr.get(words) + !f.sub_l1_tile_header_size.get(words);
      if (i != 0 && relative) {
        address += 0x80001000 + !cfg::kPacker[0].sub_l1_tile_header_size.get(words);
      }
      address += (d.base.get(words) + to.y * d.y_stride.get(words) + to.z * d.z_stride.get(words) +
                  to.w * d.w_stride.get(words)) /
                 16 * 16;
      if (f.add_l1_dest_addr_offset.get(words)) {
        address += offsets[i];
      }
      if (address > f.limit_address.get(words) * 2 + 1) address -= f.fifo_size.get(words) * 2;
      address = address % 0x20000 * 16;
      for (unsigned k = 0; k < (count + 7) / 8 * 8; ++k) {
        const unsigned value = k < count ? (first + k) % 0x4000 : 0;
        ASSERT_LT(address + 2 * k + 1, expected.size());
        expected[address + 2 * k] = static_cast<std::uint8_t>(value);
        expected[address + 2 * k + 1] = static_cast<std::uint8_t>(value >> 8);
      }
    }
    const Issue issued =
        b.packers.issue(op::encode_pacr(addr_mod, 0, mask, override_thread, 0, 0, 1), thread, now);
    ASSERT_EQ(issued.kind, Issue::Kind::kStarted);
    ASSERT_EQ(std::memcmp(expected.data(), b.l1.bytes(), expected.size()), 0) << "round " << round;

    for (unsigned t = 0; t < 3; ++t) {
      for (unsigned ch = 0; ch < 2; ++ch) {
        AddressCounter was = before.of(t).packers.channel[ch];
        const AddressCounter& is = b.adcs.of(t).packers.channel[ch];
        if (adcs >> t & 1) {
          const unsigned m = ch == 0 ? modifier : modifier >> 6;
          const unsigned mz = ch == 0 ? modifier >> 12 : modifier >> 14;
          if (m >> 5 & 1) {
            was.y = was.y_cr = 0;
          } else if (m >> 4 & 1) {
            was.y_cr += m & 15;
            was.y = was.y_cr;
          } else {
            was.y += m & 15;
          }
          if (mz >> 1 & 1) {
            was.z = was.z_cr = 0;
          } else {
            was.z += mz & 1;
          }
        }
        ASSERT_EQ(is.y, was.y) << "round " << round << " thread " << t << " channel " << ch;
        ASSERT_EQ(is.y_cr, was.y_cr);
        ASSERT_EQ(is.z, was.z);
        ASSERT_EQ(is.w, was.w);
        ASSERT_EQ(is.x, was.x);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPack, ::testing::Range(20u, 24u));

}  // namespace
}  // namespace tvp::tensix::coprocessor::packers_test
