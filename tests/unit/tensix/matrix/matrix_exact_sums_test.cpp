// The matrix unit with exact sums (coprocessor.exact_sums) rounds once, to Dst.

#include <algorithm>
#include <array>

#include "tests/unit/tensix/matrix/matrix_bench.h"

namespace {

using namespace math_reference;
using namespace tvp::regs::tensix;
using tvp::tensix::coprocessor::Dst;
using tvp::tensix::coprocessor::FloatSums;

class MatrixExactSums : public MatrixBench {
 protected:
  MatrixExactSums() : MatrixBench(FloatSums::exact()) {}

  struct Style {
    const char* name;
    Format format;
    math_reference::Format src;
    math_reference::Format dst;
    bool dst32;
  };
  static std::array<Style, 6> styles() {
    return {{{"bf16 to bf16", Format::kBf16, kBf16, kBf16, false},
             {"bf16 to fp32", Format::kBf16, kBf16, kFp32, true},
             {"tf32 to bf16", Format::kTf32, kTf32, kBf16, false},
             {"tf32 to fp32", Format::kTf32, kTf32, kFp32, true},
             {"fp16 to fp16", Format::kFp16, kFp16, kFp16, false},
             {"fp16 to fp32", Format::kFp16, kFp16, kFp32, true}}};
  }

  /// Fills the first rows of all registers at random, with reference values.
  void fill(const Style& style, int spread) {
    const int middle = style.src.bias;
    const int low = std::max(0, middle - spread);
    const int high = std::min((1 << style.src.exponent_bits) - 1, middle + spread);
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        const Fields a = random.fields(style.src, low, high);
        const Fields b = random.fields(style.src, low, high);
        srca().rows[i][j] = in_src(a, style.src);
        srcb().rows[i][j] = in_src(b, style.src);
        a_fields[i][j] = a;
        b_fields[i][j] = b;
      }
    }
    const int dst_low = std::max(0, style.dst.bias - spread);
    const int dst_high = std::min((1 << style.dst.exponent_bits) - 1, style.dst.bias + spread);
    for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        d_fields[i][j] = random.fields(style.dst, dst_low, dst_high);
      }
      write_dst_row(style, i);
    }
  }
  void write_dst_row(const Style& style, unsigned i) {
    Dst& dst = registers->dst;
    if (style.dst32) {
      dst.define32(i);
      for (unsigned j = 0; j < 16; ++j) dst.write32(i, j, in_dst32(d_fields[i][j]));
    } else {
      dst.define16(i);
      for (unsigned j = 0; j < 16; ++j) {
        dst.write16(i, j, static_cast<std::uint16_t>(in_dst16(d_fields[i][j], style.dst)));
      }
    }
  }
  void expect_dst(const Style& style, unsigned i, unsigned j, long double value) {
    const Fields wanted = rounded(value, style.dst);
    if (style.dst32) {
      ASSERT_EQ(registers->dst.read32(i, j), in_dst32(wanted))
          << style.name << " " << i << "," << j;
    } else {
      ASSERT_EQ(registers->dst.read16(i, j), in_dst16(wanted, style.dst))
          << style.name << " " << i << "," << j << " value " << static_cast<double>(value);
    }
  }
  /// SrcASrcB.md, fidelity phases: the part of a mantissa that a phase uses.
  static long double part(const Fields& f, const math_reference::Format& format, bool rest,
                          int first_bits, int next_bits) {
    if (f.exponent == 0) return 0;
    const std::uint32_t ten = f.mantissa << (10 - format.mantissa_bits);
    const std::uint32_t first = ten >> (10 - first_bits) << (10 - first_bits);
    const std::uint32_t upto = ten >> (10 - first_bits - next_bits)
                                          << (10 - first_bits - next_bits);
    const long double magnitude = rest ? static_cast<long double>(upto - first) / 1024
                                       : 1 + static_cast<long double>(first) / 1024;
    return std::ldexp(f.negative ? -magnitude : magnitude, f.exponent - format.bias);
  }
  static long double a_part(const Fields& f, const math_reference::Format& format, unsigned phase) {
    return part(f, format, (phase & 1) != 0, 4, 5);
  }
  static long double b_part(const Fields& f, const math_reference::Format& format, unsigned phase) {
    return part(f, format, (phase & 2) != 0, 6, 4);
  }

  Random random{20240611};
  Fields a_fields[64][16];
  Fields b_fields[64][16];
  Fields d_fields[64][16];
};

TEST_F(MatrixExactSums, MultipliesMatricesInEveryStyleAndPhase) {
  for (const Style& style : styles()) {
    set_formats(style.format, style.dst32);
    for (unsigned phase = 0; phase < 4; ++phase) {
      fill(style, 7);  // sums are exact in long double
      registers->rwc[0] = {};
      registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>(phase);
      registers->rwc[0].srca = 16;
      registers->rwc[0].srcb = 24;
      run(encode_mvmul(0, 0, 0, 0, 8));
      for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 16; ++j) {
          long double sum = value_of(d_fields[8 + i][j], style.dst);
          for (unsigned k = 0; k < 16; ++k) {
            sum += b_part(b_fields[24 + i][k], style.src, phase) *
                   a_part(a_fields[16 + k][j], style.src, phase);
          }
          expect_dst(style, 8 + i, j, sum);
        }
      }
    }
  }
}

TEST_F(MatrixExactSums, FourPhasesAreTheWholeProductOfBf16) {
  const Style style = styles()[1];
  set_formats(style.format, style.dst32);
  fill(style, 5);
  registers->dst.undefine_storage(0, Dst::kRows);
  for (unsigned phase = 0; phase < 4; ++phase) {
    registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>(phase);
    run(encode_mvmul(0, 0, 0, 0, 0));
  }
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      long double exact = 0;
      long double largest = 0;
      for (unsigned k = 0; k < 16; ++k) {
        const long double product =
            value_of(b_fields[i][k], kBf16) * value_of(a_fields[k][j], kBf16);
        exact += product;
        largest += std::fabs(product);
      }
      // Each phase rounds once to 24 bits.
      const std::uint32_t bits = registers->dst.read32(i, j);
      const Fields got{(bits >> 31) != 0, static_cast<int>((bits >> 16) & 0xFF),
                       ((bits >> 24 & 0x7F) << 16) | (bits & 0xFFFF)};
      ASSERT_NEAR(static_cast<double>(value_of(got, kFp32)), static_cast<double>(exact),
                  static_cast<double>(std::ldexp(largest, -22)));
    }
  }
}

TEST_F(MatrixExactSums, BroadcastsARowToEveryOtherRowOfDst) {
  const Style style = styles()[1];
  set_formats(style.format, style.dst32);
  fill(style, 6);
  registers->rwc[0].srcb = 13;
  run(encode_mvmul(0, 0, 1, 0, 0x10));
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      long double sum = value_of(d_fields[16 + i][j], style.dst);
      if (i % 2 == 0) {
        for (unsigned k = 0; k < 16; ++k) {
          sum += b_part(b_fields[13][k], style.src, 0) * a_part(a_fields[k][j], style.src, 0);
        }
        expect_dst(style, 16 + i, j, sum);
      } else {
        ASSERT_EQ(registers->dst.read32(16 + i, j), in_dst32(d_fields[16 + i][j]));
      }
    }
  }
}

TEST_F(MatrixExactSums, PoolsFourRowsWithGapool) {
  const Style style = styles()[0];
  set_formats(style.format, style.dst32);
  fill(style, 6);
  registers->rwc[0].srcb = 8;
  run(encode_gapool(0, 0, 0, 12));  // an aligned block of four
  for (unsigned i = 8; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) {
      if (i < 12) {
        ASSERT_EQ(registers->dst.read16(i, j), in_dst16(d_fields[i][j], style.dst));
        continue;
      }
      long double sum = value_of(d_fields[i][j], style.dst);
      for (unsigned k = 0; k < 16; ++k) {
        sum += b_part(b_fields[8 + i - 12][k], style.src, 0) * a_part(a_fields[k][j], style.src, 0);
      }
      expect_dst(style, i, j, sum);
    }
  }
}

TEST_F(MatrixExactSums, AddsSubtractsAndMultipliesElementwise) {
  for (const Style& style : styles()) {
    set_formats(style.format, style.dst32);
    for (unsigned variant = 0; variant < 3 * 2 * 4; ++variant) {
      const unsigned operation = variant % 3;
      const bool add_dst = (variant / 3) % 2 != 0 || operation == 2;
      const bool column = (variant / 6) % 2 != 0;
      const bool row = (variant / 12) % 2 != 0;
      const unsigned phase = operation == 2 ? variant / 6 : 0;
      fill(style, 14);
      registers->rwc[0] = {};
      registers->rwc[0].srca = 40;
      registers->rwc[0].srcb = row ? 21 : 16;
      registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>(phase);
      const std::uint32_t words[] = {encode_elwadd(0, 0, add_dst, row, column, 0, 24),
                                     encode_elwsub(0, 0, add_dst, row, column, 0, 24),
                                     encode_elwmul(0, 0, row, column, 0, 24)};
      run(words[operation]);
      for (unsigned i = 0; i < 8; ++i) {
        for (unsigned j = 0; j < 16; ++j) {
          const Fields& a = a_fields[40 + i][j];
          const Fields& b = b_fields[row ? 21 : 16 + i][column ? 0 : j];
          const long double before = add_dst ? value_of(d_fields[24 + i][j], style.dst) : 0.0L;
          long double value = 0;
          if (operation == 0) value = value_of(a, style.src) + value_of(b, style.src);
          if (operation == 1) value = value_of(a, style.src) - value_of(b, style.src);
          if (operation == 2) value = a_part(a, style.src, phase) * b_part(b, style.src, phase);
          expect_dst(style, 24 + i, j, before + value);
        }
      }
    }
  }
}

TEST_F(MatrixExactSums, TreatsTheLargestExponentAsANumberAndFlushesTheSmallest) {
  const Style style = styles()[0];
  set_formats(style.format, style.dst32);
  // {a, b, a + b, a * b} as BF16; 0xFF80 stands for minus infinity.
  struct Case {
    std::uint32_t a, b, sum, product;
  };
  const Case cases[] = {
      {0x7F80, 0xFF80, 0x0000, 0xFF80},  // no NaN
      {0xFF80, 0x3F80, 0xFF80, 0xFF80},
      {0x7F7F, 0x7F7F, 0x7F80, 0x7F80},  // overflow
      {0xFF7F, 0xFF7F, 0xFF80, 0x7F80},
      {0x0080, 0x8081, 0x0000, 0x0000},  // difference below the smallest normal
      {0x007F, 0x0001, 0x0000, 0x0000},  // denormals are zero
      {0x8000, 0x8000, 0x0000, 0x0000},  // no minus zero
      {0x8080, 0x0000, 0x8080, 0x0000},
      {0x7F80, 0x0000, 0x7F80, 0x0000},  // infinity times zero
      {0x3F80, 0x3B80, 0x3F80, 0x3B80},  // 1 + 2^-8: a tie, to even
      {0x3F81, 0x3B80, 0x3F82, 0x0000},  // 1 + 2^-7 + 2^-8: a tie, to even
  };
  const auto src = [](std::uint32_t x) {
    return ((x & 0x8000) << 3) | ((x & 0x7F) << 11) | ((x >> 7) & 0xFF);
  };
  const auto ieee = [](std::uint32_t x) {
    return (x & 0x8000) | ((x & 0xFF) << 7) | ((x >> 8) & 0x7F);
  };
  for (const Case& each : cases) {
    srca().rows[0][3] = src(each.a);
    srcb().rows[0][3] = src(each.b);
    run(encode_elwadd(0, 0, 0, 0, 0, 0, 0));
    EXPECT_EQ(ieee(registers->dst.read16(0, 3)), each.sum) << std::hex << each.a << " " << each.b;
    if (each.b == 0x3B80 && each.a == 0x3F81) continue;  // needs several phases
    if (each.a == 0x7F7F || each.a == 0xFF7F) continue;
    run(encode_zeroacc(0, 3, 0, 0, 0));
    run(encode_elwmul(0, 0, 0, 0, 0, 0));
    EXPECT_EQ(ieee(registers->dst.read16(0, 3)), each.product)
        << std::hex << each.a << " " << each.b;
  }
}

TEST_F(MatrixExactSums, SaturatesFp16AtThePatternOfInfinity) {
  const Style style = styles()[4];
  set_formats(style.format, style.dst32);
  srca().rows[0][0] = (0x3FFu << 8) | 31;  // largest
  srcb().rows[0][0] = (0x3FFu << 8) | 31;
  srca().rows[0][1] = (1u << 18) | (0x200u << 8) | 31;  // -1.5 * 2^16, an ordinary number
  srcb().rows[0][1] = 0;
  run(encode_elwadd(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(registers->dst.read16(0, 0), 0x7FFF);
  EXPECT_EQ(registers->dst.read16(0, 1), 0x8000 | (0x200 << 5) | 31);
}

TEST_F(MatrixExactSums, ScalesAdditionByFidelityPhase) {
  const Style style = styles()[3];
  set_formats(style.format, style.dst32);
  const long double scales[] = {1, 32, 128, 4096};
  for (unsigned phase = 0; phase < 4; ++phase) {
    fill(style, 10);
    set_thread(tvp::regs::config::thread::kFidelityBasePhase, 3);
    registers->rwc[0].fidelity_phase = static_cast<std::uint8_t>((phase + 1) & 3);  // 3 + 1 + phase
    run(encode_elwsub(0, 0, 1, 0, 0, 0, 0));
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned j = 0; j < 16; ++j) {
        expect_dst(style, i, j,
                   value_of(d_fields[i][j], kFp32) +
                       (value_of(a_fields[i][j], kTf32) - value_of(b_fields[i][j], kTf32)) /
                           scales[phase]);
      }
    }
  }
}

}  // namespace
