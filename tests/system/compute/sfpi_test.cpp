// Vectors in kernels (firmware/api/sfpi), compiled and run. Covers each operation, and code that
// makes register allocation difficult. The host computes golden values.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"
#include "tests/system/benches/sfpi_bench.h"

namespace tvp::test {
namespace {

using Word = std::uint32_t;

float f(Word bits) { return std::bit_cast<float>(bits); }
Word w(float value) { return std::bit_cast<Word>(value); }
std::int32_t s(Word bits) { return static_cast<std::int32_t>(bits); }

/// Numbers around changes of functions, and random ones. No denormals and no NaN.
SfpiBench::Words floats(unsigned seed) {
  std::mt19937 random(seed);
  SfpiBench::Words words;
  for (const float special : {0.0F, 1.0F, -1.0F, 2.0F, 0.5F, -0.5F, 3.0F, 100.0F, -100.0F, 1e-20F})
    words.push_back(w(special));
  while (words.size() < SfpiBench::kTileWords) {
    const int exponent = static_cast<int>(random() % 20) - 10;
    const float mantissa = 1.0F + static_cast<float>(random() >> 9) / (1 << 23);
    words.push_back(w(std::ldexp(random() % 2 == 0 ? mantissa : -mantissa, exponent)));
  }
  std::shuffle(words.begin(), words.end(), random);
  return words;
}
SfpiBench::Words integers(unsigned seed) {
  std::mt19937 random(seed);
  SfpiBench::Words words = {0, 1, 0xFFFFFFFF, 0x7FFF, 0x8000, 0xFFFF, 2047, 2048, 0xFFFFF800};
  while (words.size() < SfpiBench::kTileWords)
    words.push_back(static_cast<Word>(s(static_cast<Word>(random())) >> (2 + random() % 24)));
  std::shuffle(words.begin(), words.end(), random);
  return words;
}

class Sfpi : public testing::Test {
 protected:
  static void SetUpTestSuite() { bench_ = std::make_unique<SfpiBench>(TVP_KERNEL_FOLDER "/sfpi"); }
  static void TearDownTestSuite() { bench_.reset(); }
  static inline std::unique_ptr<SfpiBench> bench_;
};

SfpiCase of_floats(const char* name, const char* body, float (*golden)(float, float),
                   Word ulps = 0) {
  return {name, body, [golden](Word a, Word b) { return w(golden(f(a), f(b))); }, "vFloat", ulps};
}
SfpiCase of_integers(const char* name, const char* body, Word (*golden)(Word, Word)) {
  return {name, body, golden, "vInt"};
}

TEST_F(Sfpi, FloatArithmetic) {
  bench_->check(
      "float_arithmetic",
      {
          of_floats("sum", "r = a + b;", [](float a, float b) { return a + b; }),
          of_floats("difference", "r = a - b;", [](float a, float b) { return a - b; }),
          of_floats("product", "r = a * b;", [](float a, float b) { return a * b; }),
          // No cancellation, since a sum is only partly fused (ISA SFPMAD.md).
          of_floats(
              "fused", "vFloat p = abs(a); vFloat q = abs(b); r = p * q + p;",
              [](float a, float b) { return std::fma(std::abs(a), std::abs(b), std::abs(a)); }, 1),
          of_floats("negative", "r = -a;", [](float a, float) { return -a; }),
          of_floats("immediate sum", "r = a + 0.5f;", [](float a, float) { return a + 0.5F; }),
          of_floats("wide immediate", "r = a + 0.1f;", [](float a, float) { return a + 0.1F; }),
          of_floats("immediate difference", "r = 3.0f - a;",
                    [](float a, float) { return 3.0F - a; }),
          of_floats(
              "immediate product, source kept", "r = a * 0.25f; r = r + a;",
              [](float a, float) { return std::fma(a, 0.25F, a); }, 1),
          of_floats(
              "compound", "r = a; r += b; r *= 2.0f; r -= a;",
              [](float a, float b) { return (a + b) * 2.0F - a; }, 1),
          of_floats(
              "constants", "r = (a + vConst1) * vConstNeg1 + vConst0p8373;",
              [](float a, float) { return std::fma(a + 1.0F, -1.0F, 0.8373F); }, 1),
          of_floats(
              "polynomial", "r = polynomial(abs(a) * 0.001f, 1.0f, 2.0f, 0.1f);",
              [](float a, float) {
                const float x = std::abs(a) * 0.001F;
                return std::fma(x, std::fma(x, 0.1F, 2.0F), 1.0F);
              },
              2),
      },
      floats(1), floats(2));
}

TEST_F(Sfpi, IntegerArithmetic) {
  bench_->check(
      "integer_arithmetic",
      {
          of_integers("sum", "r = a + b;", [](Word a, Word b) { return a + b; }),
          of_integers("difference", "r = a - b;", [](Word a, Word b) { return a - b; }),
          of_integers("short immediate", "r = a + 2047; r -= 1;",
                      [](Word a, Word) { return a + 2046; }),
          of_integers("long immediate", "r = 123456 - a;", [](Word a, Word) { return 123456 - a; }),
          of_integers("and or xor not", "r = ((a & b) | 0x10) ^ ~b;",
                      [](Word a, Word b) { return ((a & b) | 0x10) ^ ~b; }),
          of_integers("shifts", "r = (a << 3) + vInt(vUInt(b) >> 5);",
                      [](Word a, Word b) { return (a << 3) + (b >> 5); }),
          of_integers("shift by vectors", "vInt n = b & 15; r = shft(a, n) + shft(a, 0 - n);",
                      [](Word a, Word b) { return (a << (b & 15)) + (a >> (b & 15)); }),
          of_integers("leading zeros", "r = lz(a);",
                      [](Word a, Word) { return static_cast<Word>(std::countl_zero(a)); }),
          of_integers("absolute", "r = abs(a);", [](Word a, Word) { return s(a) < 0 ? 0 - a : a; }),
          of_integers("increments", "r = a; vInt old = r++; ++r; r += old;",
                      [](Word a, Word) { return a + 2 + a; }),
          of_integers("vector of numbers", "r = vConstTileId - vConstTileId + a;",
                      [](Word a, Word) { return a; }),
      },
      integers(3), integers(4));
}

TEST_F(Sfpi, Comparisons) {
  const auto cases = [](const char* op, auto compare) {
    const std::string text = op;
    const auto choose = [](bool yes) { return w(yes ? 1.0F : 2.0F); };
    const auto body = [&](const std::string& condition) {
      return "r = 2.0f; v_if(" + condition + ") { r = 1.0f; } v_endif;";
    };
    return std::vector<SfpiCase>{
        {"vectors " + text, body("a " + text + " b"),
         [=](Word a, Word b) { return choose(compare(f(a), f(b))); }},
        {"zero " + text, body("a " + text + " 0.0f"),
         [=](Word a, Word) { return choose(compare(f(a), 0.0F)); }},
        {"half " + text, body("a " + text + " 0.5f"),
         [=](Word a, Word) { return choose(compare(f(a), 0.5F)); }},
        {"mirrored " + text, body("0.5f " + text + " a"),
         [=](Word a, Word) { return choose(compare(0.5F, f(a))); }},
        {"integers " + text, body("exexp(a) " + text + " exexp(b)"),
         [=](Word a, Word b) {
           return choose(
               compare(static_cast<int>(a >> 23 & 0xFF), static_cast<int>(b >> 23 & 0xFF)));
         }},
        {"integer " + text, body("exexp(a) " + text + " 3"),
         [=](Word a, Word) {
           const int e = static_cast<int>(a >> 23 & 0xFF) - 127;
           return choose(compare(e, 3));
         }},
        {"not " + text, body("!(exexp(a) " + text + " 0)"),
         [=](Word a, Word) {
           const int e = static_cast<int>(a >> 23 & 0xFF) - 127;
           return choose(!compare(e, 0));
         }},
    };
  };
  std::vector<SfpiCase> all;
  const auto add = [&](const char* op, auto compare) {
    for (SfpiCase& each : cases(op, compare)) all.push_back(std::move(each));
  };
  add("<", [](auto a, auto b) { return a < b; });
  add(">", [](auto a, auto b) { return a > b; });
  add("<=", [](auto a, auto b) { return a <= b; });
  add(">=", [](auto a, auto b) { return a >= b; });
  add("==", [](auto a, auto b) { return a == b; });
  add("!=", [](auto a, auto b) { return a != b; });
  SfpiBench::Words a = floats(5);
  SfpiBench::Words b = floats(6);
  for (std::size_t i = 0; i < a.size(); i += 7) b[i] = a[i];
  bench_->check("comparisons", all, a, b);
}

TEST_F(Sfpi, Predication) {
  bench_->check(
      "predication",
      {
          of_floats("else", "v_if(a < 0.0f) { r = b; } v_else { r = a; } v_endif;",
                    [](float a, float b) { return a < 0 ? b : a; }),
          of_floats("chain",
                    "r = 5.0f; v_if(a < -1.0f) { r = -a; } v_elseif(a < 1.0f) { r = b; }"
                    " v_elseif(b > 0.0f) { r = a; } v_endif;",
                    [](float a, float b) { return a < -1  ? -a
                                                  : a < 1 ? b
                                                  : b > 0 ? a
                                                          : 5.0F; }),
          of_floats("nested",
                    "r = a; v_if(a > 0.0f) { r = r + 1.0f; v_if(b > 0.0f) { r = r + b; }"
                    " v_else { r = -r; } v_endif; r = r * 2.0f; } v_endif;",
                    [](float a, float b) {
                      if (a <= 0) return a;
                      float r = a + 1.0F;
                      r = b > 0 ? r + b : -r;
                      return r * 2.0F;
                    }),
          of_floats("and", "r = a; v_if(a > 0.0f && b > 0.0f) { r = 7.0f; } v_endif;",
                    [](float a, float b) { return a > 0 && b > 0 ? 7.0F : a; }),
          of_floats("or", "r = a; v_if(a > 1.0f || b > 1.0f) { r = 7.0f; } v_endif;",
                    [](float a, float b) { return a > 1 || b > 1 ? 7.0F : a; }),
          of_floats("and of ors",
                    "r = a; v_if((a > 1.0f || b > 1.0f) && (a < 0.0f || b < 0.0f)) { r = 7.0f; }"
                    " v_else { r = r * 4.0f; } v_endif;",
                    [](float a, float b) {
                      return (a > 1 || b > 1) && (a < 0 || b < 0) ? 7.0F : a * 4.0F;
                    }),
          of_floats(
              "or of ands, negated",
              "r = a; v_if(!((a > 1.0f && b > 1.0f) || (a < 0.0f && b < 0.0f)))"
              " { r = 7.0f; } v_endif;",
              [](float a, float b) { return !((a > 1 && b > 1) || (a < 0 && b < 0)) ? 7.0F : a; }),
          of_floats("block",
                    "r = a; v_block { v_and(a > 0.0f); r = 1.0f; v_and(b > 0.0f); r = 2.0f; }"
                    " v_endblock;",
                    [](float a, float b) { return a > 0 ? (b > 0 ? 2.0F : 1.0F) : a; }),
          of_floats("or within a block",
                    "r = a; v_block { v_and(a > 0.0f); v_and(b > 1.0f || b < -1.0f); r = 2.0f; }"
                    " v_endblock;",
                    [](float a, float b) { return a > 0 && (b > 1 || b < -1) ? 2.0F : a; }),
          of_floats("condition as a value",
                    "vInt positive = a > 0.0f; r = 0.0f; v_if(positive) { r = 1.0f; } v_endif;",
                    [](float a, float) { return a > 0 ? 1.0F : 0.0F; }),
          of_floats("copy kept", "r = a; v_if(a < 0.0f) { r = -a; } v_endif; r = r + a;",
                    [](float a, float) { return a < 0 ? 0.0F : a + a; }),
          of_floats(
              "copy within",
              "r = a; v_if(a < 0.0f) { vFloat c = b; c = c + 1.0f; r = c * b; } v_endif;"
              " r = r + b;",
              [](float a, float b) { return (a < 0 ? (b + 1.0F) * b : a) + b; }, 1),
          of_floats("partly without a value",
                    "v_if(a >= 0.0f) { r = a; } v_endif; v_if(a < 0.0f) { r = b; } v_endif;",
                    [](float a, float b) { return a >= 0 ? a : b; }),
      },
      floats(7), floats(8));
}

TEST_F(Sfpi, ScalarControlFlowAndFunctions) {
  const std::string before = R"(
sfpi_inline vFloat twice(vFloat x) { x = x + x; return x; }
sfpi_inline void bump(vFloat& x, const vFloat& by) { v_if(x > 0.0f) { x = x + by; } v_endif; }
static inline vFloat horner(vFloat x) {
  const float c[4] = {0.5f, 0.25f, 2.0f, 1.0f};
  vFloat r = c[0];
  #pragma GCC unroll 4
  for (int i = 1; i < 4; ++i) r = r * x + c[i];
  return r;
}
)";
  bench_->check(
      "control_flow",
      {
          of_floats(
              "by value", "r = twice(a) + a;", [](float a, float) { return a + a + a; }, 1),
          of_floats("by reference", "r = a; bump(r, b); bump(r, a);",
                    [](float a, float b) {
                      float r = a;
                      if (r > 0) r += b;
                      if (r > 0) r += a;
                      return r;
                    }),
          of_floats(
              "unrolled", "r = horner(a * 0.01f);",
              [](float a, float) {
                const float x = a * 0.01F;
                return std::fma(std::fma(std::fma(0.5F, x, 0.25F), x, 2.0F), x, 1.0F);
              },
              8),
          // The scalar is a word of memory, so the compiler does not know the number of iterations.
          of_floats("loop-carried",
                    "volatile int n = 3; r = a; vFloat previous = b;"
                    " for (int i = 0; i < n; ++i) { vFloat next = r + previous; previous = r;"
                    " r = next; }",
                    [](float a, float b) {
                      float r = a;
                      float previous = b;
                      for (int i = 0; i < 3; ++i) {
                        const float next = r + previous;
                        previous = r;
                        r = next;
                      }
                      return r;
                    }),
          of_floats("swapped in a loop",
                    "volatile int n = 3; vFloat x = a; vFloat y = b;"
                    " for (int i = 0; i < n; ++i) { vFloat t = x; x = y; y = t; } r = x - y;",
                    [](float a, float b) { return b - a; }),
          of_floats("scalar branch",
                    "volatile int n = d; if (n & 1) { r = a; } else { r = a * 1.0f + 0.0f; }",
                    [](float a, float) { return a; }),
          of_floats("number at run time",
                    "volatile float n = 1.5f; volatile int e = 2; r = addexp(a, 1) * n;"
                    " r = setexp(r, 127 + e);",
                    [](float a, float) {
                      // The exponent of zero is 1 here.
                      const Word bits = a == 0 ? w(1.5F) : w(a * 2.0F * 1.5F);
                      return f((bits & 0x807FFFFF) | 129U << 23);
                    }),
          of_floats("array", "vFloat v[3] = {a, b, a}; v[1] = v[1] + v[0]; r = v[1] + v[2];",
                    [](float a, float b) { return b + a + a; }),
          of_floats(
              "eight at a time",
              "vFloat x1 = a + 1.0f; vFloat x2 = a + 2.0f; vFloat x3 = a + 3.0f;"
              " vFloat x4 = a + 4.0f; vFloat x5 = a + 5.0f; vFloat x6 = a + 6.0f;"
              " r = x1 * x6; r = r + x2 * x5; r = r + x3 * x4; r = r * x1;",
              [](float a, float) {
                float r = (a + 1) * (a + 6);
                r = std::fma(a + 2, a + 5, r);
                r = std::fma(a + 3, a + 4, r);
                return r * (a + 1);
              },
              8),
          of_floats(
              "constants loaded again",
              "vFloat c1 = 0.1f; vFloat c2 = 0.2f; vFloat c3 = 0.3f; vFloat c4 = 0.4f;"
              " vFloat c5 = 0.6f; vFloat c6 = 0.7f; vFloat c7 = 0.8f;"
              " r = a * c1 + b; r = r * c2 + a; r = r * c3 + b; r = r * c4 + a;"
              " r = r * c5 + b; r = r * c6 + a; r = r * c7 + c1 * c2;",
              [](float a, float b) {
                float r = std::fma(a, 0.1F, b);
                r = std::fma(r, 0.2F, a);
                r = std::fma(r, 0.3F, b);
                r = std::fma(r, 0.4F, a);
                r = std::fma(r, 0.6F, b);
                r = std::fma(r, 0.7F, a);
                return std::fma(r, 0.8F, 0.1F * 0.2F);
              },
              64),
      },
      floats(9), floats(10), before);
}

// Functions of tt-metal's LLK that kernels with vector code call.
TEST_F(Sfpi, FunctionsOfTheLibrary) {
  SfpiBench::Words x;
  std::mt19937 random(23);
  for (const float special : {0.0F, 1.0F, -1.0F, 87.5F, -86.5F, -88.0F, 100.0F, -100.0F, 1e-20F})
    x.push_back(w(special));
  std::uniform_real_distribution<float> some(-30, 30);
  while (x.size() < SfpiBench::kTileWords) x.push_back(w(some(random)));
  SfpiBench::Words y = x;
  std::shuffle(y.begin(), y.end(), random);
  const auto of = [](const char* name, const char* body, float (*golden)(float), double part) {
    return SfpiCase{name, body, [golden](Word a, Word) { return w(golden(f(a))); }, "vFloat",
                    static_cast<Word>(part * (1 << 24))};
  };
  constexpr auto kReciprocal = [](float a) { return 1 / a; };
  bench_->check(
      "functions_of_the_library",
      {
          of("reciprocal of 8 bits", "r = ckernel::sfpu::_sfpu_reciprocal_<0>(a);", kReciprocal,
             1.0 / (1 << 8)),
          of("reciprocal of 17 bits", "r = ckernel::sfpu::_sfpu_reciprocal_<1>(a);", kReciprocal,
             1.0 / (1 << 17)),
          of("reciprocal", "r = ckernel::sfpu::_sfpu_reciprocal_<2>(a);", kReciprocal,
             1.0 / (1 << 22)),
          of(
              "of the magnitude", "r = ckernel::sfpu::_reciprocal_compat_<3>(a);",
              [](float a) { return 1 / std::abs(a); }, 1.0 / (1 << 22)),
          of(
              "exponential",
              "r = ckernel::sfpu::_calculate_exponential_piecewise_<false, false, false>(a);",
              [](float a) {
                return a >= 88.5F ? std::numeric_limits<float>::infinity()
                       : a < -87  ? 0
                                  : std::exp(a);
              },
              2e-5),
          of(
              "scaled exponential",
              "r = ckernel::sfpu::_calculate_exponential_piecewise_<true, true, true>(a, 0xBF00);",
              [](float a) { return std::exp(-0.5F * a); }, 2e-5),
          of(
              "softplus",
              "ckernel::sfpu::calculate_softplus_body<false>(2.0f, 0.5f, 20.0f); r = dst_reg[0];",
              [](float a) {
                const double beta_x = 2.0 * static_cast<double>(a);
                if (beta_x > 20) return a;
                return beta_x < -87 ? 0 : static_cast<float>(std::log1p(std::exp(beta_x)) / 2);
              },
              3e-5),
          of(
              "softplus of bits",
              "ckernel::sfpu::calculate_softplus_body<true>("
              "ckernel::sfpu::Converter::as_float(0x3F800000u), 1.0f, 1000.0f); r = dst_reg[0];",
              [](float a) { return a < -87  ? 0
                                   : a > 80 ? a
                                            : std::log1p(std::exp(a)); }, 3e-5),
      },
      x, y);
}

// A modifier of the kernel moves to the next vector, another one moves back.
TEST_F(Sfpi, AddressModifiers) {
  const auto a = floats(31), b = floats(32);
  bench_->check("address_modifiers",
                {{"there and back",
                  "const vFloat x = dst_reg[0].mode(2); const vFloat next = dst_reg[0];"
                  "const vFloat y = dst_reg[0].mode(1); const vFloat back = dst_reg[0];"
                  "r = (next - vFloat(dst_reg[1])) + (y - next) + (x - back) + b;",
                  [](Word, Word right) { return right; }}},
                a, b, "",
                "addr_mod_t{.dest = {.incr = 2}}.set(ADDR_MOD_6);"
                "addr_mod_t{.dest = {.incr = 1022}}.set(ADDR_MOD_5);");
}

/// The compiler's message about a body that does not compile.
std::string refusal(SfpiBench& bench, const char* name, const std::string& body,
                    const std::string& before = "") {
  return fault_of(
      [&] {
        bench.run(name, {{name, body, {}, "vFloat", 0}}, floats(1), floats(2), before);
      },
      {}, "");
}

TEST_F(Sfpi, WhatCannotBeDoneIsRefusedWithItsLine) {
  std::string nine;
  std::string sum = "r = a";
  for (const char* x : {"x1", "x2", "x3", "x4", "x5", "x6", "x7"}) {
    nine += std::string("vFloat ") + x + " = a * b; a = a * b; ";
    sum += std::string(" * ") + x + " + b";
  }
  const std::string crowd =
      refusal(*bench_, "crowd", nine + "vFloat x8 = a * b; " + sum + " * x8;");
  EXPECT_NE(crowd.find("vectors are needed at the same time, and the vector unit has 8 registers"),
            std::string::npos)
      << crowd;
  EXPECT_NE(crowd.find("/crowd.cpp:10: "), std::string::npos) << crowd;

  const std::string memory =
      refusal(*bench_, "memory", "vFloat v[2] = {a, b}; volatile int i = 1; r = v[i] + v[1 - i];");
  EXPECT_NE(memory.find("Vectors cannot be in an array that is indexed at run time"),
            std::string::npos)
      << memory;

  const std::string call =
      refusal(*bench_, "call", "r = outside(a) + b;",
              "__attribute__((noinline)) vFloat outside(vFloat x) { return x * x; }");
  EXPECT_NE(call.find("Functions that take or return them must be inlined"), std::string::npos)
      << call;
  const std::string across =
      refusal(*bench_, "across", "r = a; outside(); r = r + b;",
              "__attribute__((noinline)) void outside() { dst_reg[8] = vFloat(dst_reg[9]); }");
  EXPECT_NE(across.find("needed after a call of a function that uses vectors, too"),
            std::string::npos)
      << across;
}

}  // namespace
}  // namespace tvp::test
