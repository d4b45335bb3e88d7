#include "models/tensix/coprocessor/pack/packers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/fault_of.h"
#include "tests/unit/tensix/movement/movement_bench.h"

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
    return tvp::test::fault_of([&] { b().packers.issue(instruction, 0, kLater); }, kind);
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
  // Thread 2 has its own counters: the bench has set those of thread 0.
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

// Results of the vector unit from unwritten rows may exist, but must not leave the tile.
TEST_F(PackersTest, ComplainsOfUndefinedColumnsUnlessTheyAreMasked) {
  b().pack_target(kTarget, DataFormat::kBf16, DataFormat::kBf16, DataFormat::kBf16, 32, 64);
  b().registers.dst.define16(0);
  b().registers.dst.define_columns16(1, 0xFFFF, 0x0104);
  b().set(cfg::pack::edge_mask(0), 0xFEFF);
  EXPECT_TRUE(tvp::test::faults([&] { b().packers.issue(pacr(1), 0, kLater); },
                                foundation::FaultKind::kFirmware, {"row 1 of Dst, columns 2:"}));
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
  // Further data depends on them.
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
  b().set(cfg::kPacker[0].l1_dest_addr, 0x7777);  // no effect before the next tile
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
  b().registers.dst.written16(0, 5 * kLater);  // irrelevant: Dst is not read
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

// ISA Packers/ExponentHistogram.md: the low eight bits of INT16 count as the exponent.
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
  EXPECT_EQ(b().packers.accumulated_tile_size(0, 0), 0u);  // the tile continues
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
  } kRows[] = {// four packers write L1 in parallel; banks delay the last one by three cycles
               {DataFormat::kBf16, DataFormat::kBf16, false, 32 + 3},
               // 128 bits per cycle between the conversions.
               {DataFormat::kBf16, DataFormat::kBfp8, false, 32},
               // Each datum still has its own exponent there.
               {DataFormat::kBfp8, DataFormat::kBfp8, false, 32},
               {DataFormat::kBfp8, DataFormat::kBfp8, true, 32},
               // Five and six cycles per row of FP32 there.
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
    // The next instruction is accepted when these rows are through, so that L1 never idles.
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
  // Eight beats, each of which now occupies the port for two cycles.
  EXPECT_EQ(plain.done - kLater, 8 + b().config.pack_pipeline_cycles);
  EXPECT_EQ(first.done - again, 16 + b().config.pack_pipeline_cycles);
  EXPECT_EQ(second.done - again - 1000, 16 + b().config.pack_pipeline_cycles);
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
  expect({cfg::kPacker[0].disable_zero_compress.addr32, 0, ~0U}, 0, FaultKind::kFirmware,
         "nothing has configured");
  expect(cfg::kPacker[0].source_interface_selection, 1, FaultKind::kUnmodelled, "L1 to L1");
  expect(cfg::alu::kPackerStochasticRounding, 1, FaultKind::kUnmodelled, "stochastic");
  expect(cfg::kPacker[0].out_data_format, 8, FaultKind::kUnmodelled, "to INT32");
  EXPECT_NE(fault_of(pacr(5), FaultKind::kFirmware).find("PackerMask"), std::string::npos);
  b().set(cfg::kPacker[0].l1_accumulate, 1);
  expect(cfg::kPacker[0].out_data_format, 6, FaultKind::kFirmware, "accumulates BFP8");
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::packers_test
