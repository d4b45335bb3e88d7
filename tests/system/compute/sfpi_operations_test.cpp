// Each function of sfpi (firmware/api/sfpi/library.h, registers.h), compiled and run, compared with
// its instruction's page (sfpi_golden.h). Operands are random bits and bits around changes of the
// function, also infinities, NaN and denormals.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/system/benches/sfpi_bench.h"
#include "tests/system/compute/sfpi_golden.h"

namespace tvp::test {
namespace {

using golden::number;
using golden::Word;
using Words = SfpiBench::Words;

/// Random bits: a third are floats of usual magnitude, a third small integers.
Words any_bits(unsigned seed) {
  std::mt19937 random(seed);
  Words words = {
      0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
      0x3F7FFFFF, 0x3F800000, 0xBF800000, 0x3F000000, 0x3EFFFFFF, 0xBF000000, 0x40000000,
      0x42FE0000, 0x42FF0000, 0x437F0000, 0x437F8000, 0x46FFFE00, 0x477FFF00, 0x477FFF80,
      0x47800000, 0x4B000000, 0x4EFFFFFF, 0x4F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001,
      0x7FC00000, 0x7FFFFFFF, 0xFF7FFFFF, 0xFF800000, 0xFF800001, 0xFFC00000, 0xFFFFFFFF,
      127,        128,        255,        256,        32767,      32768,      65535,
      0xFFFFFF80, 0xFFFFFF7F, 0x80000080, 0x807FFFFF, 0x3F801000, 0x3F800FFF, 0x3F808000,
      0x3F807FFF, 0x3FC00000, 0x40200000, 0xC0200000, 0x01000001, 0x01000003, 0x7FFFFF40};
  while (words.size() < SfpiBench::kTileWords) {
    const auto bits = static_cast<Word>(random());
    const Word usual = golden::join(bits >> 31, 117 + bits % 24, static_cast<Word>(random()));
    const std::array<Word, 3> kinds = {bits, usual, (bits & 0x80000000) | bits % 70001};
    words.push_back(kinds[words.size() % 3]);
  }
  std::shuffle(words.begin(), words.end(), random);
  return words;
}
/// Floats whose sums neither overflow nor vanish.
Words usual_floats(unsigned seed) {
  std::mt19937 random(seed);
  Words words = {0x3F000000, 0x3EFFFFFF, 0x3F800000, 0x3F7FFFFF, 0x3FC00000,
                 0x3FBFFFFF, 0x40000000, 0x3FFFFFFF, 0x40400000, 0x403FFFFF,
                 0x40800000, 0x407FFFFF, 0xBF800000, 0xC0000000};
  while (words.size() < SfpiBench::kTileWords) {
    const auto bits = static_cast<Word>(random());
    words.push_back(golden::join(bits >> 31, 124 + bits % 7, static_cast<Word>(random())));
  }
  std::shuffle(words.begin(), words.end(), random);
  return words;
}

class SfpiOperations : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<SfpiBench>(TVP_KERNEL_FOLDER "/sfpi_operations");
  }
  static void TearDownTestSuite() { bench_.reset(); }
  static inline std::unique_ptr<SfpiBench> bench_;
};

/// An operation on bits a and b. In the body, x and y are the same as floats, and r receives the
/// result's bits.
SfpiCase of_bits(const std::string& name, const std::string& body, Word (*golden)(Word, Word),
                 Word ulps = 0) {
  std::string text = "vFloat x = as<vFloat>(a); vFloat y = as<vFloat>(b); " + body;
  return {name, text, golden, "vUInt", ulps};
}
/// An operation whose result is an expression.
SfpiCase value(const std::string& expression, Word (*golden)(Word, Word), Word ulps = 0) {
  return of_bits(expression, "r = as<vUInt>(" + expression + ");", golden, ulps);
}
/// 1 where the condition holds, else 2.
SfpiCase condition(const std::string& expression, Word (*golden)(Word, Word)) {
  return of_bits(expression, "r = 2; v_if(" + expression + ") { r = 1; } v_endif;", golden);
}

TEST_F(SfpiOperations, PartsOfFloats) {
  using namespace golden;
  bench_->check(
      "parts",
      {
          value("exexp(x)", [](Word a, Word) { return exponent(a) - 127; }),
          value("exexp(x, ExponentMode::Biased)", [](Word a, Word) { return exponent(a); }),
          value("exexp_nodebias(x)", [](Word a, Word) { return exponent(a); }),
          value("exman(x)", [](Word a, Word) { return mantissa(a); }),
          value("exman8(x)", [](Word a, Word) { return mantissa(a) + (1u << 23); }),
          value("exman9(x)", [](Word a, Word) { return mantissa(a); }),
          value("exsgn(x)", [](Word a, Word) { return a >> 31; }),
          value("setexp(x, 0)", [](Word a, Word) { return join(a >> 31, 0, mantissa(a)); }),
          value("setexp(x, 255)", [](Word a, Word) { return join(a >> 31, 255, mantissa(a)); }),
          value("setexp(x, vInt(b))", [](Word a, Word b) { return join(a >> 31, b, mantissa(a)); }),
          value("copyexp(x, y)",
                [](Word a, Word b) { return join(a >> 31, exponent(b), mantissa(a)); }),
          value("setman(x, 0xABC)",
                [](Word a, Word) { return join(a >> 31, exponent(a), 0xABC << 11); }),
          value("setman(x, 0x123456)",
                [](Word a, Word) { return join(a >> 31, exponent(a), 0x123456); }),
          value("setman(x, b)", [](Word a, Word b) { return join(a >> 31, exponent(a), b); }),
          value("copyman(x, y)", [](Word a, Word b) { return join(a >> 31, exponent(a), b); }),
          value("setsgn(x, 0)", [](Word a, Word) { return a & 0x7FFFFFFF; }),
          value("setsgn(x, 1)", [](Word a, Word) { return a | 0x80000000; }),
          value("setsgn(x, y)", [](Word a, Word b) { return (a & 0x7FFFFFFF) | (b & 0x80000000); }),
          value("copysgn(b, x)",
                [](Word a, Word b) { return (b & 0x7FFFFFFF) | (a & 0x80000000); }),
          value("addexp(x, 3)", [](Word a, Word) { return exponent_added(a, 3); }),
          value("addexp(x, -5)", [](Word a, Word) { return exponent_added(a, 0xFB); }),
          value("ldexp(x, 2)", [](Word a, Word) { return exponent_added(a, 2); }),
          value("abs(x)", [](Word a, Word) { return float_magnitude(a); }),
          value("abs(vInt(a))", [](Word a, Word) { return integer_magnitude(a); }),
          value("abs(vSMag(a.get()))", [](Word a, Word) { return a & 0x7FFFFFFF; }),
          value("-x", [](Word a, Word) { return a ^ 0x80000000; }),
      },
      any_bits(1), any_bits(2));
}

TEST_F(SfpiOperations, ScaledByVectors) {
  using namespace golden;
  // Keeps exponents in the range of normal numbers.
  Words scales(SfpiBench::kTileWords);
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<Word>(i % 41) - 20;
  const auto expected = [](Word a, Word b) {
    return bits_of(std::ldexp(number(a), static_cast<int>(b)));
  };
  bench_->check(
      "scaled",
      {value("ldexp(x, vInt(b))", expected), value("ldexp(x, vInt(b), LdexpMode::Fast)", expected)},
      usual_floats(3), scales);
}

TEST_F(SfpiOperations, BitsAndIntegers) {
  using namespace golden;
  bench_->check(
      "bits",
      {
          value("lz(a)", [](Word a, Word) { return leading_zeros(a); }),
          value("lz(x)", [](Word a, Word) { return leading_zeros(a); }),
          value("lz_nosgn(a)", [](Word a, Word) { return leading_zeros(a & 0x7FFFFFFF); }),
          value("lz(a, LZMode::IgnoreSign)",
                [](Word a, Word) { return leading_zeros(a & 0x7FFFFFFF); }),
          value("shft(a, 7)", [](Word a, Word) { return shifted(a, 7); }),
          value("shft(a, -31)", [](Word a, Word) { return shifted(a, -31); }),
          value("shft(a, vInt(b))",
                [](Word a, Word b) { return shifted(a, static_cast<std::int32_t>(b)); }),
          value("a << 31", [](Word a, Word) { return a << 31; }),
          value("a >> 1", [](Word a, Word) { return a >> 1; }),
          value("a >> (b & 31)", [](Word a, Word b) { return a >> (b & 31); }),
          value("a << (b & 31)", [](Word a, Word b) { return a << (b & 31); }),
          value("a + b", [](Word a, Word b) { return a + b; }),
          value("vInt(a) - b", [](Word a, Word b) { return a - b; }),
          value("2047 - vInt(a)", [](Word a, Word) { return 2047 - a; }),
          value("a - 2048", [](Word a, Word) { return a - 2048; }),
          value("a + 0x12345678", [](Word a, Word) { return a + 0x12345678; }),
          value("-vInt(a)", [](Word a, Word) { return 0 - a; }),
          value("a & b", [](Word a, Word b) { return a & b; }),
          value("a | 0xF0F0F0F0u", [](Word a, Word) { return a | 0xF0F0F0F0; }),
          value("~(a ^ b)", [](Word a, Word b) { return ~(a ^ b); }),
          of_bits("compound", "r = a; r &= b; r |= 1; r <<= 3; r -= b; r ^= a; r >>= 2; r += a;",
                  [](Word a, Word b) {
                    Word r = ((a & b) | 1) << 3;
                    r = (r - b) ^ a;
                    return (r >> 2) + a;
                  }),
          of_bits("up and down", "r = a; vUInt old = r--; --r; ++r; r = r ^ old;",
                  [](Word a, Word) { return (a - 1) ^ a; }),
      },
      any_bits(4), any_bits(5));
}

TEST_F(SfpiOperations, KindsOfFloats) {
  using namespace golden;
  bench_->check(
      "kinds",
      {
          condition("is_nan(x)",
                    [](Word a, Word) -> Word { return std::isnan(number(a)) ? 1 : 2; }),
          condition("is_inf(x)",
                    [](Word a, Word) -> Word { return std::isinf(number(a)) ? 1 : 2; }),
          condition("is_finite(x)",
                    [](Word a, Word) -> Word { return std::isfinite(number(a)) ? 1 : 2; }),
          condition("is_normal(x)",
                    [](Word a, Word) -> Word { return std::isnormal(number(a)) ? 1 : 2; }),
          condition("is_subnormal(x)",
                    [](Word a, Word) -> Word {
                      return std::fpclassify(number(a)) == FP_SUBNORMAL ? 1 : 2;
                    }),
          condition("is_zero(x)", [](Word a, Word) -> Word { return a << 1 == 0 ? 1 : 2; }),
          condition("is_pos(x)", [](Word a, Word) -> Word { return a >> 31 == 0 ? 1 : 2; }),
          condition("is_neg(x)", [](Word a, Word) -> Word { return a >> 31 != 0 ? 1 : 2; }),
          condition("!(is_nan(x) || is_inf(y))",
                    [](Word a, Word b) -> Word {
                      return std::isnan(number(a)) || std::isinf(number(b)) ? 2 : 1;
                    }),
      },
      any_bits(6), any_bits(7));
}

TEST_F(SfpiOperations, ConversionsToNearest) {
  using namespace golden;
  bench_->check(
      "nearest",
      {
          value("float_to_fp16a(x, 0)", [](Word a, Word) { return float_rounded(a, 10); }),
          value("float_to_fp16b(x, 0)", [](Word a, Word) { return float_rounded(a, 7); }),
          value("float_to_uint8(x, 0)",
                [](Word a, Word) { return float_to_integer(a, false, 255); }),
          value("float_to_int8(x, 0)", [](Word a, Word) { return float_to_integer(a, true, 127); }),
          value("float_to_uint16(x, 0)",
                [](Word a, Word) { return float_to_integer(a, false, 65535); }),
          value("float_to_int16(x, 0)",
                [](Word a, Word) { return float_to_integer(a, true, 32767); }),
          value("int32_to_float(a, 0)", [](Word a, Word) { return integer_to_float(a); }),
          value("int32_to_uint8(vInt(a), 4u, 0)",
                [](Word a, Word) { return integer_scaled(a, 4, false, 255); }),
          value("int32_to_int8(vInt(a), 9u, 0)",
                [](Word a, Word) { return integer_scaled(a, 9, true, 127); }),
          value("int32_to_uint8(vInt(a), b, 0)",
                [](Word a, Word b) { return integer_scaled(a, b, false, 255); }),
          value("int32_to_int8(vInt(a), b, 0)",
                [](Word a, Word b) { return integer_scaled(a, b, true, 127); }),
          value("convert<vFloat16a>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_rounded(a, 10); }),
          value("convert<vFloat16b>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_rounded(a, 7); }),
          value("convert<vUInt8>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_to_integer(a, false, 255); }),
          value("convert<vSMag8>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_to_integer(a, true, 127); }),
          value("convert<vUInt16>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_to_integer(a, false, 65535); }),
          value("convert<vSMag16>(x, RoundMode::Nearest)",
                [](Word a, Word) { return float_to_integer(a, true, 32767); }),
          value("convert<vSMag>(vInt(a))", [](Word a, Word) { return other_sign_form(a); }),
          value("convert<vInt>(vSMag(a.get()))", [](Word a, Word) { return other_sign_form(a); }),
          value("convert<vFloat>(vSMag(a.get()), RoundMode::Nearest)",
                [](Word a, Word) { return integer_to_float(a); }),
          value("convert<vInt>(a)", [](Word a, Word) { return a; }),
          value("convert<vUInt>(a)", [](Word a, Word) { return a; }),
      },
      any_bits(8), any_bits(9));
}

TEST_F(SfpiOperations, IntegersBecomeFloats) {
  using namespace golden;
  // Two's complement numbers, without those that sign and magnitude cannot represent.
  Words integers = any_bits(10);
  for (Word& each : integers)
    if (each == 0x80000000) each = 0x80000001;
  bench_->check(
      "to_float",
      {value(
           "convert<vFloat>(vInt(a), RoundMode::Nearest)",
           [](Word a, Word) { return bits_of(static_cast<float>(static_cast<std::int32_t>(a))); }),
       value("convert<vFloat16b>(vInt(a), RoundMode::Nearest)",
             [](Word a, Word) {
               return float_rounded(bits_of(static_cast<float>(static_cast<std::int32_t>(a))), 7);
             })},
      integers, any_bits(11));
  // Whole numbers below 2^22.
  Words floats = usual_floats(12);
  for (std::size_t i = 0; i < floats.size(); ++i)
    floats[i] = bits_of(std::ldexp(number(floats[i]), static_cast<int>(i % 19)));
  bench_->check("to_whole",
                {value("vFloat(round(x))",
                       [](Word a, Word) { return bits_of(std::nearbyint(number(a)) + 0.0F); }),
                 value("vInt(round(x))",
                       [](Word a, Word) { return static_cast<Word>(std::lrint(number(a))); })},
                floats, any_bits(13));
}

/// Random rounding gives one of the two neighbors, each of them often. Lanes and vectors of a tile
/// have different random bits.
TEST_F(SfpiOperations, StochasticRoundingTakesBothNeighbors) {
  struct Rounding {
    const char* expression;
    Word (*low)(Word, Word);
    Word step;
  };
  const auto whole = [](Word a, Word) { return static_cast<Word>(number(a)); };
  const Rounding roundings[] = {
      {"float_to_fp16b(x)", [](Word a, Word) { return a & 0xFFFF0000; }, 0x10000},
      {"float_to_fp16a(x, 1)", [](Word a, Word) { return a & 0xFFFFE000; }, 0x2000},
      {"convert<vFloat16b>(x, RoundMode::Stochastic)", [](Word a, Word) { return a & 0xFFFF0000; },
       0x10000},
      {"float_to_uint16(x)", whole, 1},
      {"convert<vUInt8>(x)", whole, 1},
      {"int32_to_uint8(vInt(b), 3u)", [](Word, Word b) { return b >> 3; }, 1},
      {"int32_to_float(b | 0x40000000)",
       [](Word, Word b) { return golden::join(0, 127 + 30, (b & 0x3FFFFFFF) >> 7); }, 1},
  };
  std::mt19937 random(14);
  Words x(SfpiBench::kTileWords), b(SfpiBench::kTileWords);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = golden::join(0, 130 + random() % 2, static_cast<Word>(random()));  // 8 to 32
    b[i] = 64 + static_cast<Word>(random() % 1900);
  }
  std::vector<SfpiCase> cases;
  for (const Rounding& each : roundings)
    cases.push_back(value(each.expression, [](Word, Word) -> Word { return 0; }));
  const auto results = bench_->run("stochastic", cases, x, b);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    int up = 0, down = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Word low = roundings[c].low(x[i], b[i]), got = results[c][i];
      ASSERT_TRUE(got == low || got == low + roundings[c].step)
          << roundings[c].expression << " of " << number(x[i]) << " is " << std::hex << got;
      (got == low ? down : up) += 1;
    }
    EXPECT_GT(up, 150) << roundings[c].expression;
    EXPECT_GT(down, 150) << roundings[c].expression;
  }
}

TEST_F(SfpiOperations, Tables) {
  using namespace golden;
  // Slopes and offsets are positive, so no cancellation occurs. |v| < 1, < 2, above; six ranges by
  // halves.
  const std::string tables =
      "vUInt t0 = 0x1234, t1 = 0x2507, t2 = 0x01FF;\n"              // 8 bits each
      "vUInt h0 = 0x3C003555, h1 = 0x38004000, h2 = 0x00003800;\n"  // FP16, the last slope 2^-15
      "vUInt p = 0x3A003400, q = 0x3C003B00, s = 0x38003900;\n"
      "vUInt u = 0x2C003100, v6 = 0x40003D00, w6 = 0x44003E00;\n";
  static constexpr Word kT[] = {0x1234, 0x2507, 0x01FF},
                        kH[] = {0x3C003555, 0x38004000, 0x00003800};
  static constexpr Word kA[] = {0x3A003400, 0x3C003B00, 0x38003900};
  static constexpr Word kB[] = {0x2C003100, 0x40003D00, 0x44003E00};
  const auto range = [](Word v) {
    const float size = std::fabs(number(v));
    return size < 1 ? 0 : size < 2 ? 1 : 2;
  };
  static const auto third = range;
  const auto eight = [](Word v, bool keeps) {
    const Word t = kT[third(v)];
    return on_line(v, of_table8(t >> 8), of_table8(t), keeps);
  };
  static const auto table8 = eight;
  const auto sixteen = [](Word v, bool keeps) {
    const Word t = kH[third(v)];
    return on_line(v, of_table16(t >> 16), of_table16(t), keeps);
  };
  static const auto table16 = sixteen;
  const auto six = [](Word v, float last, bool keeps) {
    const float size = std::fabs(number(v));
    const bool upper = size < 1 ? size >= 0.5F : size < 2 ? size >= 1.5F : size >= last;
    const unsigned shift = upper ? 16 : 0;
    return on_line(v, of_table16(kA[third(v)] >> shift), of_table16(kB[third(v)] >> shift), keeps);
  };
  static const auto table6 = six;
  const auto floats = [](Word v, bool keeps) {
    static constexpr float kSlopes[] = {0.3F, 0.7F, 0.11F}, kOffsets[] = {0.01F, 5.0F, 100.0F};
    return on_line(v, kSlopes[third(v)], kOffsets[third(v)], keeps);
  };
  static const auto table_floats = floats;
  const auto with = [&](const std::string& expression, Word (*golden)(Word, Word)) {
    return of_bits(expression, tables + "r = as<vUInt>(" + expression + ");", golden, 1);
  };
  const std::string numbers =
      "vFloat(0.3f), vFloat(0.7f), vFloat(0.11f), vFloat(0.01f), "
      "vFloat(5.0f), vFloat(100.0f)";
  bench_->check(
      "tables",
      {
          with("lut(x, t0, t1, t2)", [](Word a, Word) { return table8(a, true); }),
          with("lut_sign(x, t0, t1, t2)", [](Word a, Word) { return table8(a, false); }),
          with("lut2(x, h0, h1, h2)", [](Word a, Word) { return table16(a, true); }),
          with("lut2_sign(x, h0, h1, h2)", [](Word a, Word) { return table16(a, false); }),
          with("lut2(x, " + numbers + ")", [](Word a, Word) { return table_floats(a, true); }),
          with("lut2_sign(x, " + numbers + ")",
               [](Word a, Word) { return table_floats(a, false); }),
          with("lut2(x, p, q, s, u, v6, w6)", [](Word a, Word) { return table6(a, 3, true); }),
          with("lut2(x, p, q, s, u, v6, w6, 2)", [](Word a, Word) { return table6(a, 4, true); }),
          with("lut2_sign(x, p, q, s, u, v6, w6, 1)",
               [](Word a, Word) { return table6(a, 3, false); }),
          with("lut2_sign(x, p, q, s, u, v6, w6, 2)",
               [](Word a, Word) { return table6(a, 4, false); }),
      },
      usual_floats(15), any_bits(16));
}

TEST_F(SfpiOperations, SmallerAndLarger) {
  using namespace golden;
  bench_->check(
      "order",
      {
          of_bits("swap", "swap(x, y); r = as<vUInt>(x) - as<vUInt>(y);",
                  [](Word a, Word b) { return b - a; }),
          of_bits("vec_swap", "vec_swap(a, b); r = a - (b << 1);",
                  [](Word a, Word b) { return b - (a << 1); }),
          of_bits("vec_min_max", "vec_min_max(x, y); r = as<vUInt>(x) - (as<vUInt>(y) << 1);",
                  [](Word a, Word b) { return smaller(a, b) - (larger(a, b) << 1); }),
          of_bits("vec_max_min", "vec_max_min(x, y); r = as<vUInt>(x) - (as<vUInt>(y) << 1);",
                  [](Word a, Word b) { return larger(a, b) - (smaller(a, b) << 1); }),
          of_bits("min_max",
                  "auto both = min_max(x, y); r = as<vUInt>(both.first) - as<vUInt>(both.second);",
                  [](Word a, Word b) { return smaller(a, b) - larger(a, b); }),
          value("min(x, y)", [](Word a, Word b) { return smaller(a, b); }),
          value("max(x, y)", [](Word a, Word b) { return larger(a, b); }),
          value("min(vSMag(a.get()), vSMag(b.get()))",
                [](Word a, Word b) { return smaller(a, b); }),
          value("max(x, 0.5f)", [](Word a, Word) { return larger(a, bits_of(0.5F)); }),
          value("clamp(x, -1.0f, 2.0f)",
                [](Word a, Word) { return smaller(larger(a, bits_of(-1.0F)), bits_of(2.0F)); }),
          of_bits("in some lanes",
                  "v_if(vInt(a) < 0) { vec_min_max(a, b); } v_endif; r = a - (b << 1);",
                  [](Word a, Word b) {
                    if (a >> 31 == 0) return a - (b << 1);
                    return smaller(a, b) - (larger(a, b) << 1);
                  }),
      },
      any_bits(17), any_bits(18));
  bench_->check(
      "symmetric",
      {value("symmetric_clamp(x, 1.5f)",
             [](Word a, Word) {
               return bits_of(std::copysign(std::min(std::fabs(number(a)), 1.5F), number(a)));
             })},
      usual_floats(19), any_bits(20));
}

/// Lane of the datum that a kernel's loop reaches with vector d: four rows of eight even or odd
/// columns.
std::size_t datum_of(std::size_t vector, std::size_t lane) {
  const std::size_t face = vector / 8, in_face = vector % 8;
  return face * 256 + (in_face / 2 * 4 + lane / 8) * 16 + lane % 8 * 2 + in_face % 2;
}

TEST_F(SfpiOperations, AcrossLanes) {
  const Words a = any_bits(21), b = any_bits(22);
  const auto none = [](Word, Word) -> Word { return 0; };
  const auto results = bench_->run(
      "lanes",
      {{"rotate", "r = vUInt(subvec_shflror1(a));", none, "vUInt"},
       {"shift", "r = vUInt(subvec_shflshr1(a));", none, "vUInt"},
       {"transpose", "vUInt c = a + b, e = a ^ b; subvec_transp(a, b, c, e); r = b + (e << 1);",
        none, "vUInt"},
       {"lane number", "r = as<vUInt>(vInt(vConstTileId));", none, "vUInt"}},
      a, b);
  for (std::size_t vector = 0; vector < 32; ++vector) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t at = datum_of(vector, lane), row = lane / 8;
      const std::size_t before = datum_of(vector, lane % 8 == 0 ? lane + 7 : lane - 1);
      ASSERT_EQ(results[0][at], a[before]) << "vector " << vector << " lane " << lane;
      // The first of eight lanes has the value of an earlier rotation (a hardware bug).
      if (lane % 8 != 0) {
        ASSERT_EQ(results[1][at], a[before]) << vector << ", " << lane;
      }
      // Rows 1 and 3 of the four vectors, each at its number.
      const auto of = [&](std::size_t from_row) {
        const std::size_t i = datum_of(vector, from_row * 8 + lane % 8);
        const Word four[] = {a[i], b[i], a[i] + b[i], a[i] ^ b[i]};
        return four[row];
      };
      ASSERT_EQ(results[2][at], of(1) + (of(3) << 1)) << vector << ", " << lane;
      ASSERT_EQ(results[3][at], 2 * lane) << vector << ", " << lane;
    }
  }
}

TEST_F(SfpiOperations, ConstantsAndRegisters) {
  using namespace golden;
  bench_->check(
      "constants",
      {
          value("vFloat(vConst0)", [](Word, Word) -> Word { return 0; }),
          value("vFloat(vConst1)", [](Word, Word) { return bits_of(1.0F); }),
          value("vFloat(vConstNeg1)", [](Word, Word) { return bits_of(-1.0F); }),
          value("vFloat(vConst0p8373)", [](Word, Word) -> Word { return 0x3F56594B; }),
          of_bits("programmable floats",
                  "vConstFloatPrgm0 = 1.5f; vConstFloatPrgm1 = -0.1f; vConstFloatPrgm2 = 3.0f;"
                  " vFloat sum = vConstFloatPrgm0 + vConstFloatPrgm2;"
                  " r = as<vUInt>(vFloat(vConstFloatPrgm1)) ^ as<vUInt>(sum);",
                  [](Word, Word) { return bits_of(-0.1F) ^ bits_of(4.5F); }),
          of_bits("programmable integers",
                  "vConstIntPrgm0 = 0x12345678; vConstIntPrgm1 = -7; vConstIntPrgm2 = 1;"
                  " r = as<vUInt>(vInt(vConstIntPrgm0)) + as<vUInt>(vInt(vConstIntPrgm1)) + a;"
                  " r = r - as<vUInt>(vInt(vConstIntPrgm2));",
                  [](Word a, Word) { return 0x12345678 - 7 + a - 1; }),
          of_bits("registers by number",
                  "l_reg[LRegs::LReg3] = a + b; vUInt sum = l_reg[LRegs::LReg3]; r = sum - 1;",
                  [](Word a, Word b) { return a + b - 1; }),
          value("vFloat(s2vFloat16b(0.75f))", [](Word, Word) { return bits_of(0.75F); }),
          value(
              "vFloat(s2vFloat16a(0.1f))", [](Word, Word) -> Word { return 0x3DCCC000; }, 0x2000),
          of_bits("a row of Dst beside",
                  "dst_reg[64].mode<DataLayout::I32>() = b; vUInt there ="
                  " dst_reg[64].mode<DataLayout::I32>(); r = there ^ a;",
                  [](Word a, Word b) { return a ^ b; }),
          of_bits("sign and magnitude in Dst",
                  "vInt small = vInt(b & 0xFFFF) - vInt(0x8000);"
                  " dst_reg[64].mode<DataLayout::SM32>() = small;"
                  " r = dst_reg[64].mode<DataLayout::I32>(); vInt back = dst_reg[64];"
                  " r = r + as<vUInt>(back - small);",
                  [](Word, Word b) { return other_sign_form((b & 0xFFFF) - 0x8000); }),
          // A denormal that is stored as a float becomes zero
          // (models/tensix/coprocessor/vector/vector_memory.cpp).
          of_bits("floats of Dst",
                  "dst_reg[64] = x; vFloat there = dst_reg[64]; r = as<vUInt>(there);",
                  [](Word a, Word) { return exponent(a) == 0 ? a & 0x80000000 : a; }),
      },
      any_bits(23), any_bits(24));
}

TEST_F(SfpiOperations, ComparisonsOfIntegersAndConditionsAsValues) {
  using namespace golden;
  // Differences fit into 32 bits.
  Words a = any_bits(25), b = any_bits(26);
  for (Words* each : {&a, &b})
    for (Word& word : *each) word = static_cast<Word>(static_cast<std::int32_t>(word) >> 2);
  for (std::size_t i = 0; i < a.size(); i += 5) b[i] = a[i];
  const auto s = [](Word x) { return static_cast<std::int32_t>(x); };
  static const auto sign = s;
  bench_->check(
      "integers",
      {
          condition("vInt(a) < vInt(b)",
                    [](Word x, Word y) -> Word { return sign(x) < sign(y) ? 1 : 2; }),
          condition("vInt(a) <= vInt(b)",
                    [](Word x, Word y) -> Word { return sign(x) <= sign(y) ? 1 : 2; }),
          condition("vInt(a) > vInt(b)",
                    [](Word x, Word y) -> Word { return sign(x) > sign(y) ? 1 : 2; }),
          condition("vInt(a) >= vInt(b)",
                    [](Word x, Word y) -> Word { return sign(x) >= sign(y) ? 1 : 2; }),
          condition("a == b", [](Word x, Word y) -> Word { return x == y ? 1 : 2; }),
          condition("a != b", [](Word x, Word y) -> Word { return x != y ? 1 : 2; }),
          condition("vInt(a) > 2047", [](Word x, Word) -> Word { return sign(x) > 2047 ? 1 : 2; }),
          condition("vInt(a) <= -70000",
                    [](Word x, Word) -> Word { return sign(x) <= -70000 ? 1 : 2; }),
          condition("vInt(a) == 127", [](Word x, Word) -> Word { return x == 127 ? 1 : 2; }),
          of_bits("a condition's value", "vInt less = vInt(a) < vInt(b); r = as<vUInt>(less) + 5;",
                  [](Word x, Word y) -> Word { return sign(x) < sign(y) ? 6 : 5; }),
          of_bits("three levels",
                  "r = 0; v_if(vInt(a) < 0) { r = 1; v_if(vInt(b) < 0) { r = 2;"
                  " v_if((a & 1) != 0) { r = 3; } v_elseif((a & 2) != 0) { r = 4; } v_endif;"
                  " r = r + 8; } v_else { r = r + 16; } v_endif; } v_else { r = 32; } v_endif;",
                  [](Word x, Word y) -> Word {
                    if (sign(x) >= 0) return 32;
                    if (sign(y) >= 0) return 17;
                    return ((x & 1) != 0 ? 3U : (x & 2) != 0 ? 4U : 2U) + 8;
                  }),
          of_bits("four ways",
                  "v_if((a & 3) == 0) { r = b; } v_elseif((a & 3) == 1) { r = b + 1; }"
                  " v_elseif((a & 3) == 2) { r = b + 2; } v_else { r = ~b; } v_endif;",
                  [](Word x, Word y) { return (x & 3) == 3 ? ~y : y + (x & 3); }),
          of_bits("narrowed step by step",
                  "r = 0; v_block { v_and((a & 1) != 0); r = 1; v_and((b & 1) != 0); r = 2;"
                  " v_and(vInt(a) < vInt(b)); r = 3; } v_endblock; r = r << 1;",
                  [](Word x, Word y) -> Word {
                    if ((x & 1) == 0) return 0;
                    if ((y & 1) == 0) return 2;
                    return sign(x) < sign(y) ? 6 : 4;
                  }),
      },
      a, b);
}

}  // namespace
}  // namespace tvp::test
