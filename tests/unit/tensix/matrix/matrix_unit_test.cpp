#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/fault_of.h"
#include "tests/unit/tensix/matrix/matrix_bench.h"

namespace {

using namespace math_reference;
using namespace tvp::regs::tensix;
namespace alu = tvp::regs::config::alu;
namespace thread_config = tvp::regs::config::thread;
using tvp::foundation::Fault;
using tvp::foundation::FaultKind;
using tvp::support::Probe;
using tvp::support::ProbeEvent;
using tvp::tensix::coprocessor::Dst;

class MatrixUnitTest : public MatrixBench {
 protected:
  using Kind = Issue::Kind;

  void fill_src() {
    for (auto* file : {&registers->srca, &registers->srcb}) {
      for (auto& bank : file->bank) {
        for (auto& row : bank.rows) {
          for (auto& datum : row) datum = random.bits() & 0x7FFFF;
        }
      }
    }
  }
  void fill_dst() {
    for (unsigned row = 0; row < Dst::kRows; ++row) {
      registers->dst.define16(row);
      for (unsigned j = 0; j < 16; ++j) {
        registers->dst.write16(row, j, static_cast<std::uint16_t>(random.bits()));
      }
    }
  }
  static std::uint32_t src_bf16(float value) { return in_src(rounded(value, kBf16), kBf16); }
  static std::uint32_t dst_bf16(float value) { return in_dst16(rounded(value, kBf16), kBf16); }
  Random random{99};
};

// ---- Row counters -------------------------------------------------------------------------------

TEST_F(MatrixUnitTest, SetsAndIncrementsCounters) {
  auto& rwc = registers->rwc[2];
  rwc.dst = 1020;
  rwc.srca_cr = 62;
  rwc.fidelity_phase = 3;
  run(encode_setrwc(0, 0, 1, 0, 0, 1, 8, 5, 4, 1, 0, 1, 1), 2);
  EXPECT_EQ(rwc.srca, 2);  // 62 + 4
  EXPECT_EQ(rwc.srca_cr, 2);
  EXPECT_EQ(rwc.srcb, 5);
  EXPECT_EQ(rwc.dst, 4);  // 1020 + 8
  EXPECT_EQ(rwc.dst_cr, 4);
  EXPECT_EQ(rwc.fidelity_phase, 0);
  rwc.dst_cr = 100;
  run(encode_incrwc(1, 0, 0, 8, 6, 7), 2);
  EXPECT_EQ(rwc.dst, 108);
  EXPECT_EQ(rwc.dst_cr, 108);
  EXPECT_EQ(rwc.srcb, 11);
  EXPECT_EQ(rwc.srcb_cr, 5);
  EXPECT_EQ(rwc.srca, 9);
}

TEST_F(MatrixUnitTest, SetsCountersToValues) {
  auto& rwc = registers->rwc[1];
  rwc.dst = 300;
  rwc.dst_cr = 500;
  rwc.srca_cr = rwc.srcb_cr = 9;
  run(encode_setrwc(0, 0, 0, 0, 0, 0, 8, 5, 4, 0, 1, 1, 1), 1);
  EXPECT_EQ(rwc.srca, 4);
  EXPECT_EQ(rwc.srca_cr, 4);
  EXPECT_EQ(rwc.srcb, 5);
  EXPECT_EQ(rwc.srcb_cr, 5);
  EXPECT_EQ(rwc.dst, 8);
  EXPECT_EQ(rwc.dst_cr, 8);
}

TEST_F(MatrixUnitTest, AppliesAddressModifiers) {
  set_formats(Format::kBf16, false);
  const auto ab = thread_config::addr_mod_ab(2);
  const auto dst = thread_config::addr_mod_dst(2);
  const auto bias = thread_config::addr_mod_bias(2);
  set_thread(ab.src_a_incr, 16);
  set_thread(ab.src_b_incr, 8);
  set_thread(ab.src_b_cr, 1);
  set_thread(dst.dest_incr, 24);
  set_thread(dst.dest_c_to_cr, 1);
  set_thread(dst.fidelity_incr, 1);
  set_thread(bias.bias_incr, 1);
  set_thread(thread_config::addr_mod_ab(6).src_a_clear, 1);
  set_thread(thread_config::addr_mod_dst(6).fidelity_clear, 1);
  set_thread(thread_config::addr_mod_bias(6).bias_clear, 1);
  auto& rwc = registers->rwc[0];
  rwc.srcb = 9;
  rwc.srcb_cr = 60;
  rwc.dst = 1016;
  rwc.fidelity_phase = 3;
  run(encode_elwadd(0, 0, 0, 0, 0, 2, 0));
  EXPECT_EQ(rwc.srca, 16);
  EXPECT_EQ(rwc.srca_cr, 0);
  EXPECT_EQ(rwc.srcb, 4);
  EXPECT_EQ(rwc.srcb_cr, 4);
  EXPECT_EQ(rwc.dst, 16);
  EXPECT_EQ(rwc.dst_cr, 16);
  EXPECT_EQ(rwc.fidelity_phase, 0);
  EXPECT_EQ(rwc.extra_addr_mod_bit, 1);
  rwc.fidelity_phase = 2;
  run(encode_elwadd(0, 0, 0, 0, 0, 2, 0));  // section 6 now
  EXPECT_EQ(rwc.srca, 0);
  EXPECT_EQ(rwc.fidelity_phase, 0);
  EXPECT_EQ(rwc.extra_addr_mod_bit, 0);
}

TEST_F(MatrixUnitTest, AddsOffsetsToRowsOfDst) {
  set_formats(Format::kBf16, false);
  set_thread(thread_config::kMathDestOffset, 512);
  set_thread(thread_config::kStateId, 1);
  set_config(alu::kSrcAFormat, static_cast<std::uint32_t>(Format::kBf16), 1);
  set_config(alu::kDestRegwBase, 64, 1);
  registers->rwc[0].dst = 16;
  srca().rows[0][5] = src_bf16(1.5F);
  run(encode_elwadd(0, 0, 0, 0, 0, 0, 8 + 3));
  EXPECT_EQ(registers->dst.read16(512 + 64 + 16 + 8, 5), dst_bf16(1.5F));
}

// ---- Moves --------------------------------------------------------------------------------------

TEST_F(MatrixUnitTest, MovesEightRowsOfSrcA) {
  fill_src();
  set_formats(Format::kBf16, false);
  registers->rwc[0].srca = 17;
  run(encode_mova2d(0, 3, 0, 1, 40));  // row 20 aligned down to 16
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      const std::uint32_t x = srca().rows[16 + i][j];
      const std::uint32_t wanted =
          (x & 0xFF) == 0 ? 0 : (x >> 18 << 15) | ((x >> 11 & 0x7F) << 8) | (x & 0xFF);
      ASSERT_EQ(registers->dst.read16(40 + i, j), wanted);
    }
  }
}

TEST_F(MatrixUnitTest, MovesFp16AndKeepsZeroExponentsWhenTold) {
  fill_src();
  set_formats(Format::kFp16, false);
  set_config(alu::kZeroFlagDisabledSrc, 1);
  srca().rows[5][0] = 0x3FF00;
  run(encode_mova2d(0, 5, 0, 0, 1023));
  for (unsigned j = 0; j < 16; ++j) {
    const std::uint32_t x = srca().rows[5][j];
    ASSERT_EQ(registers->dst.read16(1023, j),
              (x >> 18 << 15) | ((x >> 8 & 0x3FF) << 5) | (x & 0x1F));
  }
}

TEST_F(MatrixUnitTest, MovesTf32And32BitHalves) {
  fill_src();
  set_formats(Format::kTf32, true);
  run(encode_mova2d(0, 8, 0, 0, 20));
  for (unsigned j = 0; j < 16; ++j) {
    const std::uint32_t x = srca().rows[8][j];
    const std::uint32_t wanted = (x & 0xFF) == 0 ? 0
                                                 : (x >> 18 << 31) | ((x >> 11 & 0x7F) << 24) |
                                                       ((x & 0xFF) << 16) | ((x >> 8 & 7) << 13);
    ASSERT_EQ(registers->dst.read32(20, j), wanted);
  }
  const std::uint32_t high = registers->dst.read32(20, 3) >> 16;
  set_formats(Format::kBf16, true);
  srca().rows[9][3] = src_bf16(-2.5F);
  run(encode_mova2d(1, 9, 0, 0, 20));
  EXPECT_EQ(registers->dst.read32(20, 3), (high << 16) | dst_bf16(-2.5F));
}

// Both halves of 32 bits in all rows: their content before ZEROACC is no part of a sum.
TEST_F(MatrixUnitTest, AddsToNothingInRowsThatNothingWrote) {
  set_formats(Format::kBf16, true);
  for (auto& row : srca().rows) row.fill(src_bf16(0.0F));
  srca().rows[0].fill(src_bf16(1.0F));
  srca().rows[1].fill(src_bf16(0x1p-9F));  // goes to the lower half
  for (auto& row : srcb().rows) row.fill(src_bf16(1.0F));
  const auto sum_of_row = [&](unsigned row) {
    run(encode_mvmul(0, 0, 0, 0, 0));
    return registers->dst.read32(row, 3);
  };
  for (unsigned row = 0; row < 64; ++row) registers->dst.define16(row);
  const std::uint32_t wanted = sum_of_row(0);  // on written zeros
  ASSERT_NE(wanted & 0xFFFF, 0U);
  for (unsigned row = 0; row < 8; ++row) {
    fill_dst();
    run(encode_zeroacc(0, 3, 0, 0, 0));
    EXPECT_EQ(sum_of_row(row), wanted) << row;
  }
}

TEST_F(MatrixUnitTest, BroadcastsRowsAndColumnsOfSrcB) {
  fill_src();
  set_formats(Format::kBf16, false);
  set_config(alu::kZeroFlagDisabledSrc, 1);
  const auto wanted = [&](unsigned row, unsigned column) {
    const std::uint32_t x = srcb().rows[row][column];
    return (x >> 18 << 15) | ((x >> 11 & 0x7F) << 8) | (x & 0xFF);
  };
  run(encode_movb2d(0, 11, 0, 0, 1, 0, 16));
  run(encode_movb2d(0, 14, 0, 1, 0, 1, 35));  // four rows from 12 to 32
  run(encode_movb2d(0, 21, 0, 0, 1, 1, 48));
  run(encode_movb2d(0, 22, 0, 0, 0, 0, 63));
  for (unsigned j = 0; j < 16; ++j) {
    for (unsigned i = 0; i < 8; ++i) {
      ASSERT_EQ(registers->dst.read16(16 + i, j), wanted(11, j));
      ASSERT_EQ(registers->dst.read16(48 + i, j), wanted(21, 0));
    }
    for (unsigned i = 0; i < 4; ++i) ASSERT_EQ(registers->dst.read16(32 + i, j), wanted(12 + i, 0));
    ASSERT_EQ(registers->dst.read16(63, j), wanted(22, j));
  }
}

TEST_F(MatrixUnitTest, MovesDstToSourcesInEveryStyle) {
  fill_dst();
  struct Case {
    Format format;
    bool dst32;
    bool low;
  };
  const Case cases[] = {{Format::kBf16, false, false}, {Format::kFp16, false, false},
                        {Format::kBf16, true, false},  {Format::kTf32, true, false},
                        {Format::kBf16, true, true},   {Format::kTf32, true, true}};
  for (const Case& each : cases) {
    set_formats(each.format, each.dst32);
    run(encode_movd2a(each.low, 9, 0, 1, 102));  // rows 100.. to 8..
    run(encode_movd2b(each.low, 9, 0, 0, 102));
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        std::uint32_t x = each.dst32 ? registers->dst.read32(100 + i, j)
                                     : std::uint32_t{registers->dst.read16(100 + i, j)} << 16;
        if (each.low) x = (x << 16) | (x & 0xFFFF);
        std::uint32_t wanted = 0;
        if (each.format == Format::kFp16) {
          wanted = (x >> 31 << 18) | ((x >> 21 & 0x3FF) << 8) | (x >> 16 & 0x1F);
        } else if (each.format == Format::kBf16) {
          wanted = (x >> 31 << 18) | ((x >> 24 & 0x7F) << 11) | (x >> 16 & 0xFF);
        } else if (!each.low) {
          wanted =
              (x >> 31 << 18) | ((x >> 24 & 0x7F) << 11) | ((x >> 13 & 7) << 8) | (x >> 16 & 0xFF);
        } else {
          wanted = x & 0x1FFF;
        }
        ASSERT_EQ(srca().rows[8 + i][j], wanted);
        if (i == 2) {
          ASSERT_EQ(srcb().rows[9][j], wanted);
        }
      }
    }
  }
}

TEST_F(MatrixUnitTest, ReadsUndefinedRowsAsZeroAndFaultsOnMissingBits) {
  fill_src();
  set_formats(Format::kBf16, false);
  registers->dst.write16(0, 0, 0x1234);
  run(encode_movd2a(0, 0, 0, 0, 0));
  EXPECT_EQ(srca().rows[0][0], 0u);
  now += 5;
  EXPECT_TRUE(
      tvp::test::faults([&] { run(encode_movd2b(1, 0, 0, 0, 0)); }, FaultKind::kFirmware, {}));
}

TEST_F(MatrixUnitTest, LeavesBlockedColumnsAlone) {
  fill_src();
  fill_dst();
  set_formats(Format::kBf16, false);
  const std::uint32_t before = registers->dst.read16(0, 3);
  registers->block_dest_mov = 1 << 3;
  srca().rows[0][3] = srca().rows[0][4] = src_bf16(9.0F);
  run(encode_mova2d(0, 0, 0, 1, 0));
  EXPECT_EQ(registers->dst.read16(0, 3), before);
  EXPECT_EQ(registers->dst.read16(0, 4), dst_bf16(9.0F));
}

TEST_F(MatrixUnitTest, MovesSrcBToSrcA) {
  fill_src();
  set_config(alu::kSrcBFormat, static_cast<std::uint32_t>(Format::kTf32));
  set_config(alu::kZeroFlagDisabledSrc, 1);
  run(encode_movb2a(21, 0, 1, 6));  // rows 4.. to 20..
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(srca().rows[20 + i], srcb().rows[4 + i]);
}

TEST_F(MatrixUnitTest, ShiftsAndTransposes) {
  fill_src();
  set_formats(Format::kBf16, false);
  const auto a = srca().rows;
  const auto b = srcb().rows;
  run(encode_shiftxb(0, 0, 7));
  run(encode_shiftxb(0, 1, 8));
  for (unsigned j = 0; j < 16; ++j) {
    EXPECT_EQ(srcb().rows[7][j], b[7][(j + 1) % 16]);
    EXPECT_EQ(srcb().rows[8][j], j == 15 ? 0 : b[8][j + 1]);
  }
  run(encode_trnspsrcb());
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) EXPECT_EQ(srcb().rows[16 + i][j], b[16 + j][i]);
  }
  run(encode_mova2d(0, 37, 0, 0, 0));  // SHIFTXA takes its rows from here: 32..
  run(encode_shiftxa(2));
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) EXPECT_EQ(srca().rows[i][j], j == 0 ? 0 : a[32 + i][j - 1]);
  }
  run(encode_shiftxa(3));
  EXPECT_EQ(srca().rows[4][15], 0u);
  EXPECT_EQ(srca().rows[4][3], a[36][4]);
}

// ---- Clearing -----------------------------------------------------------------------------------

TEST_F(MatrixUnitTest, MarksRowsOfDstUndefined) {
  const auto undefined = [&] {
    std::vector<unsigned> rows;
    for (unsigned row = 0; row < Dst::kRows; ++row) {
      if (registers->dst.undefined16(row)) rows.push_back(row);
    }
    return rows;
  };
  const auto range = [](unsigned first, unsigned count) {
    std::vector<unsigned> rows;
    for (unsigned i = 0; i < count; ++i) rows.push_back(first + i);
    return rows;
  };
  fill_dst();
  registers->rwc[0].dst = 8;
  run(encode_zeroacc(0, 0, 0, 0, 3));
  EXPECT_EQ(undefined(), range(11, 1));
  fill_dst();
  set_formats(Format::kBf16, true);
  run(encode_zeroacc(0, 0, 0, 0, 3));    // row 11 of 32 bits
  EXPECT_EQ(undefined(), range(19, 1));  // its high halves; the bits of the low halves do not count
  fill_dst();
  run(encode_zeroacc(0, 1, 0, 0, 63));
  EXPECT_EQ(undefined(), range(1008, 16));
  fill_dst();
  run(encode_zeroacc(1, 1, 0, 0, 31));
  std::vector<unsigned> high = range(992, 8);
  for (const unsigned row : range(1008, 8)) high.push_back(row);
  EXPECT_EQ(undefined(), high);
  fill_dst();
  run(encode_zeroacc(0, 1, 0, 0, 0xFF));
  EXPECT_TRUE(undefined().empty());
  run(encode_zeroacc(0, 2, 0, 0, 1));
  EXPECT_EQ(undefined(), range(512, 512));
  run(encode_zeroacc(0, 3, 0, 0, 0));
  EXPECT_EQ(undefined(), range(0, 1024));
}

/// Records the blocks of Dst that change while a check asks for all of them.
struct ChangedBlocks : Probe::Listener {
  ChangedBlocks() {
    probe.listen(*this, Probe::bit(ProbeEvent::Kind::kDstChanged));
    for (unsigned row = 0; row < Dst::kRows; row += Dst::kBlockRows)
      probe.dst().want_changes(row, tvp::support::kNever);
    probe.dst().want_until(tvp::support::kNever);
  }
  void on(const ProbeEvent& event) override { blocks.insert(event.index / Dst::kBlockRows); }
  Probe probe;
  std::set<unsigned> blocks;
};

TEST_F(MatrixUnitTest, ReportsWhichRowsOfDstItClears) {
  ChangedBlocks changed;
  registers->dst_reports.set_probe(&changed.probe);
  registers->rwc[0].dst = 8;
  for (const bool dst32 : {false, true}) {
    set_formats(Format::kBf16, dst32);
    for (const std::uint32_t zeroacc :
         {encode_zeroacc(0, 0, 0, 0, 3), encode_zeroacc(0, 0, 0, 0, 700),
          encode_zeroacc(0, 1, 0, 0, 5), encode_zeroacc(0, 1, 0, 0, 63),
          encode_zeroacc(1, 1, 0, 0, 5), encode_zeroacc(1, 1, 0, 0, 31),
          encode_zeroacc(0, 2, 0, 0, 0), encode_zeroacc(0, 2, 0, 0, 1),
          encode_zeroacc(0, 3, 0, 0, 0)}) {
      fill_dst();
      changed.blocks.clear();
      run(zeroacc);
      std::set<unsigned> undefined;
      for (unsigned row = 0; row < Dst::kRows; ++row) {
        if (registers->dst.undefined16(row)) undefined.insert(row / Dst::kBlockRows);
      }
      EXPECT_FALSE(undefined.empty());
      EXPECT_EQ(changed.blocks, undefined) << std::hex << zeroacc;
    }
  }
  registers->dst_reports.set_probe(nullptr);
}

TEST_F(MatrixUnitTest, ZeroesSources) {
  fill_src();
  registers->srca.matrix_bank = 1;
  const auto b = srcb(0).rows;
  run(encode_zerosrc(1, 1, 0, 0, 1));
  EXPECT_EQ(srca(1).rows[63][15], 0x7FFFFu);
  EXPECT_NE(srca(0).rows[62], srca(0).rows[63]);
  run(encode_zerosrc(0, 0, 0, 1, 0));
  EXPECT_EQ(srcb(0).rows[0][0] | srcb(0).rows[63][15], 0u);
  EXPECT_NE(b[5], srcb(0).rows[5]);
  EXPECT_NE(srcb(1).rows[1], srcb(1).rows[2]);
  run(encode_zerosrc(0, 0, 1, 1, 1));
  for (unsigned bank = 0; bank < 2; ++bank) {
    EXPECT_EQ(srca(bank).rows[9][9] | srcb(bank).rows[9][9], 0u);
  }
}

// ---- Products ---------------------------------------------------------------------------------

// The unit's copy of SrcA must not outlive SrcA.
TEST_F(MatrixUnitTest, ProductsSeeEachChangeOfSrcA) {
  const std::uint32_t mvmul = encode_mvmul(0, 0, 0, 0, 0);
  const auto product_of_row_0 = [&] {
    run(encode_zeroacc(0, 3, 0, 0, 0));
    run(mvmul);
    return registers->dst.read16(0, 5);
  };
  set_formats(Format::kBf16, false);
  for (auto& row : srcb().rows) row.fill(src_bf16(1.0F));
  for (auto& row : srca().rows) row.fill(0);
  srca().rows[3][5] = src_bf16(2.0F);
  EXPECT_EQ(product_of_row_0(), dst_bf16(2.0F));
  EXPECT_EQ(product_of_row_0(), dst_bf16(2.0F));
  srca().rows[15][5] = src_bf16(3.5F);
  EXPECT_EQ(product_of_row_0(), dst_bf16(5.5F));
  registers->rwc[0].srca = 16;  // another block
  srca().rows[16][5] = src_bf16(8.0F);
  EXPECT_EQ(product_of_row_0(), dst_bf16(8.0F));
  registers->rwc[0].srca = 8;  // rows of both
  EXPECT_EQ(product_of_row_0(), dst_bf16(11.5F));
  registers->rwc[0].srca = 0;
  srca().rows[3][5] = src_bf16(1.0625F + 0.03125F);  // 1.0001100 has bits of both phases
  srca().rows[15][5] = 0;
  EXPECT_EQ(product_of_row_0(), dst_bf16(1.0625F));
  registers->rwc[0].fidelity_phase = 1;
  EXPECT_EQ(product_of_row_0(), dst_bf16(0.03125F));
  registers->rwc[0].fidelity_phase = 0;
  srca(1).rows = srca().rows;
  srca(1).rows[3][5] = src_bf16(-4.0F);
  for (auto& row : srcb(1).rows) row.fill(src_bf16(1.0F));
  registers->srca.matrix_bank = registers->srcb.matrix_bank = 1;
  EXPECT_EQ(product_of_row_0(), dst_bf16(-4.0F));
}

// ---- Maximum ------------------------------------------------------------------------------------

TEST_F(MatrixUnitTest, ReducesColumnsToTheirMaximum) {
  set_formats(Format::kBf16, false);
  for (unsigned j = 0; j < 16; ++j) srcb().rows[0][j] = src_bf16(1.0F);
  for (unsigned trial = 0; trial < 20; ++trial) {
    float largest[16];
    std::fill(std::begin(largest), std::end(largest), -1e30F);
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        const Fields f = random.fields(kBf16, 100, 150);
        srca().rows[16 + i][j] = in_src(f, kBf16);
        largest[j] = std::max(largest[j], static_cast<float>(value_of(f, kBf16)));
      }
    }
    registers->rwc[0].srca = 19;
    run(encode_zeroacc(0, 3, 0, 0, 0));
    run(encode_gmpool(0, 0, 0, 0, 4));
    for (unsigned j = 0; j < 16; ++j) {
      ASSERT_EQ(registers->dst.read16(4, j), dst_bf16(largest[j]));
      ASSERT_EQ(registers->dst.read16(5, j), 0);
      ASSERT_EQ(registers->dst.read16(7, j), 0);
    }
    // Again on a row of Dst that wins in some columns.
    for (unsigned j = 0; j < 16; ++j) {
      const float before = j % 2 == 0 ? 3e30F : -3e30F;
      registers->dst.write16(4, j, static_cast<std::uint16_t>(dst_bf16(before)));
    }
    run(encode_gmpool(0, 0, 0, 0, 4));
    for (unsigned j = 0; j < 16; ++j) {
      ASSERT_EQ(registers->dst.read16(4, j), dst_bf16(j % 2 == 0 ? 3e30F : largest[j]));
    }
  }
}

TEST_F(MatrixUnitTest, ScalesByTheExponentOfSrcB) {
  set_formats(Format::kFp16, false);
  for (unsigned j = 0; j < 16; ++j) {
    srcb().rows[8][j] = in_src(rounded(j == 3 ? 4.0L : 1.5L, kFp16), kFp16);  // 1.5 counts as 1
  }
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      srca().rows[i][j] = in_src(rounded(i == 3 ? 5.0L : 7.0L + i, kFp16), kFp16);
    }
  }
  registers->rwc[0].srcb = 15;
  run(encode_zeroacc(0, 3, 0, 0, 0));
  run(encode_gmpool(0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read16(0, 7), in_dst16(rounded(22.0L, kFp16), kFp16));
  srca().rows[3][7] = in_src(rounded(6.0L, kFp16), kFp16);
  srcb().rows[8][14] = srcb().rows[8][15] = 0;  // rows 14 and 15 do not count
  run(encode_zeroacc(0, 3, 0, 0, 0));
  run(encode_gmpool(0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read16(0, 7), in_dst16(rounded(24.0L, kFp16), kFp16));
  EXPECT_EQ(registers->dst.read16(0, 6), in_dst16(rounded(20.0L, kFp16), kFp16));
}

TEST_F(MatrixUnitTest, ReturnsTheIndexOfTheMaximum) {
  set_formats(Format::kBf16, true);
  for (unsigned j = 0; j < 16; ++j) srcb().rows[0][j] = src_bf16(1.0F);
  for (auto& row : srca().rows) row.fill(src_bf16(-8.0F));
  // Rows 0 to 7 are reported as 0, 3, 6, 1, 4, 7, 2, 5. Among equals, the last visited row wins
  // (4..7, 0..3).
  for (unsigned j = 0; j < 8; ++j) srca().rows[j][j] = src_bf16(2.0F);
  srca().rows[6][8] = srca().rows[1][8] = src_bf16(2.0F);
  run(encode_zeroacc(0, 3, 0, 0, 0));
  run(encode_gmpool(0, 0, 0, 1, 0));
  const unsigned reported[] = {0, 3, 6, 1, 4, 7, 2, 5, 3};
  for (unsigned j = 0; j < 9; ++j) {
    EXPECT_EQ(registers->dst.read32(0, j), (dst_bf16(2.0F) << 16) | reported[j]) << j;
  }
  // The second half of the rows, phase 1: higher bits of the index.
  for (auto& row : srca().rows) row.fill(src_bf16(-8.0F));
  srca().rows[5][0] = src_bf16(3.0F);
  run(encode_gmpool(0, 0, 0, 1, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), (dst_bf16(3.0F) << 16) | 0x100 | 0x17);
  EXPECT_EQ(registers->dst.read32(0, 1), (dst_bf16(2.0F) << 16) | 0x100 | 3);
}

TEST_F(MatrixUnitTest, ReducesIntegers) {
  set_int8();
  srcb().rows[0].fill(16);
  for (unsigned i = 0; i < 16; ++i) {
    srca().rows[i].fill((1u << 18) | ((100 + i) << 8) | 16);  // -100 - i
  }
  srca().rows[9][2] = (700u << 8) | 16;
  run(encode_zeroacc(0, 3, 0, 0, 0));
  run(encode_gmpool(0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), 0x80000000u | 100);
  EXPECT_EQ(registers->dst.read32(0, 2), 700u);
}

// ---- The rest -----------------------------------------------------------------------------------

TEST_F(MatrixUnitTest, ResetsExponentHistograms) {
  class Histograms : public tvp::tensix::coprocessor::MatrixUnit::ExponentHistograms {
   public:
    void reset() override { ++resets; }
    int resets = 0;
  };
  Histograms histograms;
  EXPECT_THROW(run(encode_clrexphist()), Fault);
  unit.set_exponent_histograms(&histograms);
  run(encode_clrexphist());
  EXPECT_EQ(histograms.resets, 1);
  const Cycle free = now + 1;
  run(encode_gatesrcrst(1));
  EXPECT_EQ(now, free);
}

TEST_F(MatrixUnitTest, NamesWhatItDoesNotHave) {
  try {
    run(word(Opcode::kMpool3s1));
    FAIL();
  } catch (const Fault& fault) {
    EXPECT_EQ(fault.kind(), FaultKind::kUnmodelled);
    EXPECT_NE(fault.message().find("MPOOL3S1"), std::string::npos);
  }
}

TEST_F(MatrixUnitTest, StopsAtStochasticRounding) {
  set_formats(Format::kBf16, false);
  set_config(alu::kFpuStochasticRounding, 1);
  EXPECT_THROW(run(encode_elwadd(0, 0, 0, 0, 0, 0, 0)), Fault);
  EXPECT_THROW(run(encode_mvmul(0, 0, 0, 0, 0)), Fault);
}

TEST_F(MatrixUnitTest, SeesDst16AsHalfOfDst32WhenTold) {
  set_formats(Format::kBf16, false);
  srca().rows[0][0] = src_bf16(5.0F);
  registers->dst.set_dst16_in_dst32(true);
  run(encode_elwadd(0, 0, 0, 0, 0, 0, 8));
  EXPECT_EQ(registers->dst.read32(8, 0) >> 16, dst_bf16(5.0F));
  registers->dst.set_dst16_in_dst32(false);
  EXPECT_EQ(registers->dst.read16(16, 0), dst_bf16(5.0F));
}

}  // namespace
