// The matrix unit's arithmetic by instructions: the worked examples of
// models/tensix/coprocessor/matrix_arithmetic.md, and every format, phase and operand, compared
// with the oracle.

#include <array>
#include <string>
#include <vector>

#include "tests/unit/tensix/matrix/matrix_bench.h"
#include "tests/unit/tensix/matrix/matrix_oracle.h"

namespace matrix_arithmetic_test {
namespace {

using math_reference::Random;
using matrix_oracle::Datum;
using matrix_oracle::Instruction;
using matrix_oracle::Pair;
using matrix_oracle::Setup;
using matrix_oracle::Src;
using matrix_oracle::Style;
using tvp::regs::config::DataFormat;
using namespace tvp::regs::tensix;
using tvp::tensix::coprocessor::Dst;

Style style_of(DataFormat format) {
  if (format == DataFormat::kTf32) return Style::kTf32;
  if (format == DataFormat::kInt8) return Style::kInt8;
  return format == DataFormat::kFp16 || format == DataFormat::kFp8 ? Style::kFp16 : Style::kBf16;
}

class MatrixArithmetic : public MatrixBench {
 protected:
  static std::uint32_t cell_of(const Src& x) {
    return (x.negative ? 1u << 18 : 0) | static_cast<std::uint32_t>(x.mantissa) << 8 |
           static_cast<std::uint32_t>(x.exponent);
  }
  /// Converts between ordinary words and the order of Dst.
  static std::uint32_t stored(std::uint32_t word, bool fp16) {
    return fp16 ? (word & 0x8000) | (word & 0x3FF) << 5 | (word >> 10 & 0x1F)
                : (word & 0x8000) | (word & 0x7F) << 8 | (word >> 7 & 0xFF);
  }
  static std::uint32_t ordinary(std::uint32_t cell, bool fp16) {
    return fp16 ? (cell & 0x8000) | (cell & 0x1F) << 10 | (cell >> 5 & 0x3FF)
                : (cell & 0x8000) | (cell & 0xFF) << 7 | (cell >> 8 & 0x7F);
  }
  void write_dst(unsigned row, unsigned column, std::uint32_t word, bool dst32, bool fp16) {
    Dst& dst = registers->dst;
    if (dst32) {
      dst.define32(row);
      dst.write32(row, column, stored(word >> 16, false) << 16 | (word & 0xFFFF));
    } else {
      dst.define16(row);
      dst.write16(row, column, static_cast<std::uint16_t>(stored(word, fp16)));
    }
  }
  std::uint32_t read_dst(unsigned row, unsigned column, bool dst32, bool fp16) const {
    const Dst& dst = registers->dst;
    if (!dst32) return ordinary(dst.read16(row, column), fp16);
    const std::uint32_t cells = dst.read32(row, column);
    return ordinary(cells >> 16, false) << 16 | (cells & 0xFFFF);
  }
  void set_phase(unsigned phase) {
    registers->rwc[0] = {};
    registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>(phase);
  }
};

// ---- The worked examples of the page ------------------------------------------------------------

enum class Op { kMvmul, kGapool, kElwmul, kElwadd, kElwsub };
struct Example {
  int number;
  Op op;
  DataFormat format;
  unsigned phase;
  bool dst32;
  struct At {
    unsigned k;
    std::uint32_t a, b;
  };
  std::vector<At> pairs;  ///< ordinary words; TF32 as FP32
  std::uint32_t before;
  std::uint32_t after;
};

constexpr DataFormat kBf16 = DataFormat::kBf16, kTf32 = DataFormat::kTf32,
                     kFp16 = DataFormat::kFp16, kInt8 = DataFormat::kInt8;
const std::vector<Example> kExamples = {
    {1, Op::kMvmul, kBf16, 0, false, {{0, 0x3FFF, 0x3FFF}}, 0, 0x4076},
    {2, Op::kMvmul, kTf32, 0, true, {{0, 0x3FFFE000, 0x3FFFE000}}, 0, 0x40761000},
    {3, Op::kMvmul, kTf32, 1, true, {{0, 0x3FFFE000, 0x3FFFE000}}, 0x40761000, 0x407DC080},
    {4, Op::kMvmul, kTf32, 2, true, {{0, 0x3FFFE000, 0x3FFFE000}}, 0x407DC080, 0x407F9180},
    {5, Op::kMvmul, kTf32, 3, true, {{0, 0x3FFFE000, 0x3FFFE000}}, 0x407F9180, 0x407FA008},
    {6, Op::kMvmul, kBf16, 0, true, {{0, 0x3F80, 0x3F80}, {1, 0xBA00, 0x3F80}}, 0, 0x3F7FC000},
    {7, Op::kMvmul, kBf16, 0, true, {{0, 0x3F80, 0x3F80}, {8, 0xBA00, 0x3F80}}, 0, 0x3F7FE000},
    {8,
     Op::kMvmul,
     kBf16,
     0,
     true,
     {{0, 0xBF80, 0x3F80}, {1, 0xBA80, 0x3F80}},
     0x46800000,
     0x467FFC00},
    {9, Op::kElwmul, kBf16, 0, true, {{0, 0x4000, 0x3F80}}, 0xBF800001, 0x3F7FFFFC},
    {10, Op::kMvmul, kBf16, 0, true, {{0, 0x3F80, 0x3F80}}, 0xBF800001, 0xC1800000},
    {11, Op::kMvmul, kBf16, 1, true, {{0, 0x3F80, 0x3F80}}, 0x30800001, 0},
    {12, Op::kElwadd, kBf16, 0, false, {{0, 0x3F80, 0x3B80}}, 0, 0x3F81},
    {13, Op::kElwsub, kTf32, 0, true, {{0, 0x3F800000, 0x3A000000}}, 0, 0x3F7FC000},
    {14, Op::kElwsub, kBf16, 0, false, {{0, 0x7F80, 0x7F80}}, 0, 0},
    {15, Op::kElwmul, kBf16, 0, false, {{0, 0x7FC0, 0x3F00}}, 0, 0x7F40},
    {16, Op::kElwmul, kBf16, 0, false, {{0, 0xFF7F, 0x4000}}, 0, 0xFF80},
    {17, Op::kMvmul, kFp16, 0, false, {{0, 0x7C00, 0x3C00}}, 0x7C00, 0x7FFF},
    {18, Op::kGapool, kFp16, 0, true, {}, 0x2F800003, 0x2F800004},
    {19, Op::kMvmul, kBf16, 0, false, {{0, 0x3F80, 0x3F80}, {8, 0x3A00, 0x3F80}}, 0xBF80, 0x3A80},
    {19, Op::kMvmul, kBf16, 0, false, {{0, 0x3F80, 0x3F80}, {8, 0xBA00, 0x3F80}}, 0xBF80, 0},
    {20, Op::kMvmul, kInt8, 0, true, {{0, 0xFF, 0x3FF}}, 0x7FFF0000, 0x7FFFFFFF},
    {20, Op::kMvmul, kInt8, 3, true, {{0, 0xFF, 0x3FF}}, 0x80000005, 0x000001CC},
};

class MatrixExamples : public MatrixArithmetic {
 protected:
  static std::uint32_t cell_of(std::uint32_t word, DataFormat format) {
    if (format == kTf32)
      return (word >> 31) << 18 | (word >> 13 & 0x3FF) << 8 | (word >> 23 & 0xFF);
    if (format == kFp16) return (word >> 15) << 18 | (word & 0x3FF) << 8 | (word >> 10 & 0x1F);
    if (format == kInt8) return word << 8 | 16;
    return (word >> 15) << 18 | (word & 0x7F) << 11 | (word >> 7 & 0xFF);
  }
  static std::uint32_t word_of(Op op) {
    switch (op) {
      case Op::kMvmul:
        return encode_mvmul(0, 0, 0, 0, 0);
      case Op::kGapool:
        return encode_gapool(0, 0, 0, 0);
      case Op::kElwmul:
        return encode_elwmul(0, 0, 0, 0, 0, 0);
      case Op::kElwadd:
        return encode_elwadd(0, 0, 0, 0, 0, 0, 0);
      case Op::kElwsub:
        break;
    }
    return encode_elwsub(0, 0, 0, 0, 0, 0, 0);
  }
};

TEST_F(MatrixExamples, OfThePage) {
  constexpr unsigned kRow = 2, kColumn = 5;
  for (const Example& each : kExamples) {
    set_config(tvp::regs::config::alu::kInt8MathEnabled, each.format == kInt8);
    set_formats(each.format, each.dst32);
    set_phase(each.phase);
    for (auto* bank : {&srca(), &srcb()})
      for (auto& row : bank->rows) row.fill(0);
    const bool products = each.op == Op::kMvmul || each.op == Op::kGapool;
    for (const Example::At& pair : each.pairs) {
      srca().rows[products ? pair.k : kRow][kColumn] = cell_of(pair.a, each.format);
      srcb().rows[kRow][products ? pair.k : kColumn] = cell_of(pair.b, each.format);
    }
    const bool fp16 = each.format == kFp16;
    write_dst(kRow, kColumn, each.before, each.dst32, fp16);
    now += 10;
    run(word_of(each.op));
    EXPECT_EQ(read_dst(kRow, kColumn, each.dst32, fp16), each.after)
        << "example " << each.number << std::hex << ": "
        << read_dst(kRow, kColumn, each.dst32, fp16);
  }
}

// ---- Every format and operand -------------------------------------------------------------------

class MatrixOperands : public MatrixArithmetic {
 protected:
  struct Formats {
    DataFormat a, b;
  };
  /// All combinations of the page.
  static std::vector<Formats> formats() {
    std::vector<Formats> all;
    const DataFormat wide[] = {DataFormat::kFp32, DataFormat::kBf16, DataFormat::kBfp8,
                               DataFormat::kBfp4, DataFormat::kBfp2, DataFormat::kTf32};
    for (const DataFormat a : wide) {
      for (const DataFormat b : wide) all.push_back({a, b});
      all.push_back({a, DataFormat::kInt16});
      all.push_back({a, DataFormat::kInt32});
    }
    all.push_back({DataFormat::kFp16, DataFormat::kFp16});
    all.push_back({DataFormat::kFp8, DataFormat::kFp8});
    return all;
  }

  /// Mantissas of ten bits for all formats, which the unit must mask.
  void fill() {
    const bool five = setup.a == Style::kFp16;
    const int middle = five ? 15 : 127;
    for (auto* rows : {&a, &b}) {
      for (auto& row : *rows) {
        for (Src& x : row) {
          x = {random.below(2) != 0, middle - 6 + static_cast<int>(random.below(13)),
               static_cast<int>(random.below(1024))};
          if (random.below(16) == 0) x.exponent = 0;
        }
      }
    }
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        srca().rows[i][j] = cell_of(a[i][j]);
        srcb().rows[i][j] = cell_of(b[i][j]);
        before[i][j] = setup.dst32 ? (random.bits() & 0x807FFFFF) | (120 + random.below(16)) << 23
                       : five      ? (random.bits() & 0x83FF) | (10 + random.below(12)) << 10
                                   : (random.bits() & 0x807F) | (120 + random.below(16)) << 7;
        write_dst(i, j, before[i][j], setup.dst32, five);
      }
    }
  }
  void choose(const Formats& each, bool dst32, unsigned phase) {
    setup = {style_of(each.a), style_of(each.b), dst32, phase, true, true};
    set_formats(each.a, each.b, dst32);
    set_phase(phase);
    fill();
    trace = "SrcA " + std::to_string(static_cast<unsigned>(each.a)) + " SrcB " +
            std::to_string(static_cast<unsigned>(each.b)) + " phase " + std::to_string(phase) +
            (dst32 ? " 32 bits" : " 16 bits");
  }
  void expect(unsigned row, unsigned column, std::uint32_t wanted) {
    ASSERT_EQ(read_dst(row, column, setup.dst32, setup.a == Style::kFp16), wanted)
        << trace << ", " << row << "," << column;
  }
  std::uint32_t product(unsigned a_row, unsigned b_row, unsigned dst_row, unsigned column) const {
    std::vector<Pair> pairs;
    for (unsigned k = 0; k < 16; ++k) pairs.push_back({a[(a_row + k) % 64][column], b[b_row][k]});
    return Datum(setup).multiply(pairs, before[dst_row][column]);
  }

  Random random{20260217};
  matrix_oracle::Setup setup;
  std::string trace;
  std::array<std::array<Src, 16>, 64> a, b;
  std::array<std::array<std::uint32_t, 16>, 64> before;
};

TEST_F(MatrixOperands, MultiplyMatrices) {
  for (const Formats& each : formats()) {
    for (unsigned variant = 0; variant < 8; ++variant) {
      choose(each, variant % 2 != 0, variant / 2);
      registers->rwc[0].srca = 56;  // continues at row 0
      registers->rwc[0].srcb = 24;
      run(variant / 2 == 1 ? encode_dotpv(0, 0, 0, 8) : encode_mvmul(0, 0, 0, 0, 8));
      for (unsigned i = 0; i < 24; ++i) {
        for (unsigned j = 0; j < 16; ++j)
          expect(i, j, i / 8 == 1 ? product(56, 16 + i, i, j) : before[i][j]);
      }
    }
  }
}

TEST_F(MatrixOperands, BroadcastARowOfSrcBToEveryOtherRowOfDst) {
  choose({kBf16, kTf32}, true, 2);
  registers->rwc[0].srcb = 13;
  run(encode_mvmul(0, 0, 1, 0, 0x10));
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned j = 0; j < 16; ++j)
      expect(16 + i, j, i % 2 == 0 ? product(0, 13, 16 + i, j) : before[16 + i][j]);
  }
}

TEST_F(MatrixOperands, PoolFourRows) {
  choose({kBf16, kBf16}, false, 0);
  registers->rwc[0].srcb = 8;
  run(encode_gapool(0, 0, 0, 12));  // an aligned block of four
  for (unsigned i = 8; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j)
      expect(i, j, i < 12 ? before[i][j] : product(0, 8 + i - 12, i, j));
  }
}

TEST_F(MatrixOperands, CombineElementByElement) {
  for (const Formats& each : formats()) {
    for (unsigned variant = 0; variant < 3 * 64; ++variant) {
      const auto instruction = static_cast<Instruction>(1 + variant % 3);
      const unsigned flags = variant / 3;
      const bool multiplies = instruction == Instruction::kElwmul;
      const bool row = (flags & 1) != 0;
      const bool column = (flags & 2) != 0;
      choose(each, (flags & 4) != 0, multiplies ? flags / 8 % 4 : 0);
      setup.add_dst = multiplies || (flags & 8) != 0;
      setup.flush_b = (flags & 32) == 0;
      set_config(tvp::regs::config::alu::kZeroFlagDisabledSrc, setup.flush_b ? 0 : 1);
      registers->rwc[0].srca = 40;
      registers->rwc[0].srcb = row ? 21 : 16;
      const std::uint32_t words[] = {encode_elwmul(0, 0, row, column, 0, 24),
                                     encode_elwadd(0, 0, setup.add_dst, row, column, 0, 24),
                                     encode_elwsub(0, 0, setup.add_dst, row, column, 0, 24)};
      run(words[variant % 3]);
      for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 16; ++j) {
          const Pair pair{a[40 + i][j], b[row ? 21 : 16 + i][column ? 0 : j]};
          expect(24 + i, j, Datum(setup).elementwise(instruction, pair, before[24 + i][j]));
        }
      }
    }
  }
}

TEST_F(MatrixOperands, ScaleAdditionByFidelityPhase) {
  for (unsigned phase = 0; phase < 4; ++phase) {
    choose({kTf32, kTf32}, true, phase);
    set_thread(tvp::regs::config::thread::kFidelityBasePhase, 3);
    registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>((phase + 1) & 3);  // 3 + 1 + phase
    run(encode_elwsub(0, 0, 1, 0, 0, 0, 0));
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        expect(i, j,
               Datum(setup).elementwise(Instruction::kElwsub, {a[i][j], b[i][j]}, before[i][j]));
      }
    }
  }
}

TEST_F(MatrixOperands, ReadClearedRowsAsZero) {
  for (const bool dst32 : {false, true}) {
    choose({kBf16, kBf16}, dst32, 0);
    registers->dst.undefine_storage(0, Dst::kRows);
    for (auto& row : before) row.fill(0);
    run(encode_mvmul(0, 0, 0, 0, 0));
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < 16; ++j) expect(i, j, product(0, i, i, j));
    }
  }
}

class MatrixIntegers : public MatrixBench {
 protected:
  static std::uint32_t src(int value) {
    const auto magnitude = static_cast<std::uint32_t>(value < 0 ? -value : value);
    return (value < 0 ? 1u << 18 : 0) | (magnitude << 8) | (magnitude != 0 ? 16u : 0u);
  }
  /// Sign and magnitude, with magnitude bits 30:23 and 22:16 exchanged.
  static std::uint32_t dst(std::int64_t value) {
    const auto m = static_cast<std::uint32_t>(value < 0 ? -value : value);
    return (value < 0 ? 1u << 31 : 0) | (((m >> 16) & 0x7F) << 24) | ((m >> 23) << 16) |
           (m & 0xFFFF);
  }
  static int clamp_magnitude(int value, int mask) {
    return value < 0 ? -(-value & mask) : value & mask;
  }
  Random random{7};
};

TEST_F(MatrixIntegers, MultipliesBitsOfThePhase) {
  set_int8();
  int a[16][16];
  int b[8][16];
  for (unsigned phase = 0; phase < 4; ++phase) {
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        a[i][j] = static_cast<int>(random.below(2047)) - 1023;
        srca().rows[i][j] = src(a[i][j]);
        if (i < 8) {
          b[i][j] = static_cast<int>(random.below(2047)) - 1023;
          srcb().rows[i][j] = src(b[i][j]);
        }
      }
    }
    for (unsigned i = 0; i < 8; ++i) {
      registers->dst.define32(i);
      for (unsigned j = 0; j < 16; ++j)
        registers->dst.write32(i, j, dst(std::int64_t{1000} * i - std::int64_t{77} * j));
    }
    registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>(phase);
    const int mask_a[] = {0xE0, 0x1F, 0xE0, 0x1F};
    const int mask_b[] = {0x3F0, 0x3F0, 0x0F, 0x0F};
    run(encode_dotpv(0, 0, 0, 0));
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        std::int64_t sum = std::int64_t{1000} * i - 77 * std::int64_t{j};
        for (unsigned k = 0; k < 16; ++k) {
          sum += clamp_magnitude(b[i][k], mask_b[phase]) * clamp_magnitude(a[k][j], mask_a[phase]);
        }
        ASSERT_EQ(registers->dst.read32(i, j), dst(sum)) << phase;
      }
    }
  }
}

// Integers use both halves of Dst: neither holds the row's content before ZEROACC.
TEST_F(MatrixIntegers, AddToNothingInRowsThatNothingWrote) {
  set_int8();
  for (auto& row : srca().rows) row.fill(src(3));
  for (auto& row : srcb().rows) row.fill(src(0x10));
  for (unsigned i = 0; i < 8; ++i) {
    registers->dst.define32(i);
    for (unsigned j = 0; j < 16; ++j) registers->dst.write32(i, j, dst(0x12345678));
  }
  run(encode_zeroacc(0, 3, 0, 0, 0));
  registers->rwc[0].fidelity_phase = 1;
  run(encode_mvmul(0, 0, 0, 0, 0));
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(registers->dst.read32(i, 7), dst(16 * 0x10 * 3)) << i;
}

TEST_F(MatrixIntegers, SaturatesSums) {
  set_int8();
  registers->dst.define32(0);
  registers->dst.write32(0, 0, dst(0x7FFFFFF0));
  registers->dst.write32(0, 1, dst(-0x7FFFFFF0));
  registers->dst.write32(0, 2, dst(-5));
  srca().rows[0] = {src(100), src(-100), src(2)};
  srcb().rows[0] = {src(1), src(-1), src(3)};
  run(encode_elwadd(0, 0, 1, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(0x7FFFFFFF));
  EXPECT_EQ(registers->dst.read32(0, 1), dst(-0x7FFFFFFF));
  EXPECT_EQ(registers->dst.read32(0, 2), 0u);
  now += 10;
  run(encode_elwsub(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 1), dst(-99));
  EXPECT_EQ(registers->dst.read32(0, 2), dst(-1));
}

TEST_F(MatrixIntegers, TakeAnExponentOfZeroForZero) {
  set_int8();
  srca().rows[0] = {7u << 8, 7u << 8 | 16};
  srcb().rows[0] = {5u << 8 | 16, 5u << 8};
  run(encode_elwadd(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(5));
  EXPECT_EQ(registers->dst.read32(0, 1), dst(7));
  set_config(tvp::regs::config::alu::kZeroFlagDisabledSrc, 1);  // for SrcB only
  run(encode_elwadd(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(5));
  EXPECT_EQ(registers->dst.read32(0, 1), dst(12));
}

TEST_F(MatrixIntegers, MultiplyByASrcBWithoutExponentIfTold) {
  set_int8();
  registers->rwc[0].fidelity_phase = 3;
  srca().rows[0] = {7u << 8 | 16};
  srcb().rows[0] = {5u << 8};
  run(encode_mvmul(0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(0));
  set_config(tvp::regs::config::alu::kZeroFlagDisabledSrc, 1);
  run(encode_mvmul(0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(35));
  srca().rows[0] = {7u << 8};  // for SrcA it does
  run(encode_gapool(0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read32(0, 0), dst(35));
}

}  // namespace
}  // namespace matrix_arithmetic_test
