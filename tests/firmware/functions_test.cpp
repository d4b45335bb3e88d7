// Functions of the vector unit compared with the C library in double precision. Operands are random
// over their interval, then zeros, ones, limits of ranges and infinities.

#include "tests/firmware/programs/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/firmware/functions_bench.h"

namespace tvp::test {

TVP_DECLARE_PROGRAM(functions_tiny_fp32);
TVP_DECLARE_PROGRAM(functions_full_bf16);

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

const Variant kVariants[] = TVP_FUNCTION_VARIANTS(functions);

std::vector<Tile> run(const Variant& variant, FunctionParameters parameters,
                      const std::vector<Tile>& a, const std::vector<Tile>& b) {
  parameters.tiles = static_cast<unsigned>(a.size());
  function_parameters = parameters;
  return run_two_operands(variant.program, variant.rows, a, b);
}

struct Case {
  const char* name;
  Function function;
  double low, high;           ///< interval of the operands
  double relative, absolute;  ///< bound with FP32 in Dst
  double (*golden)(double a, double b, double number);
  float number = 0;
  std::vector<float> special = {};  ///< additional operands
  double more_in_bf16 = 0;          ///< addition to the relative bound with BF16 in Dst
};

/// Clang 14 does not initialize a struct in parentheses.
Case case_of(const char* name, Function function, double low, double high, double relative,
             double absolute, double (*golden)(double, double, double), float number = 0,
             std::vector<float> special = {}, double more_in_bf16 = 0) {
  return {name,   function,           low,         high, relative, absolute, golden,
          number, std::move(special), more_in_bf16};
}

double clamp(double x, double low, double high) { return std::fmin(std::fmax(x, low), high); }

/// A golden function of operands a and b and the number n.
#define TVP_GOLDEN(...)                                                                 \
  []([[maybe_unused]] double a, [[maybe_unused]] double b, [[maybe_unused]] double n) { \
    return double(__VA_ARGS__);                                                         \
  }

const Case kCases[] = {
    case_of("exp", Function::kExp, -20, 20, 1e-5, 0, TVP_GOLDEN(std::exp(a)), 0,
            {0, -0.0f, -86, 88, 1, -100, 100, float(kInf), float(-kInf)}),
    case_of("exp of 0.5 x", Function::kExpScaled, -20, 20, 1e-5, 0,
            TVP_GOLDEN(std::exp(double(a) * n)), 0.5f, {0, 100, -100}),
    case_of("fast exp", Function::kExpFast, -20, 20, 0.034, 1e-37, TVP_GOLDEN(std::exp(a)), 0,
            {0, -0.0f, -86, 88, 1, -100, -1e30f, float(-kInf)}),
    case_of("expm1", Function::kExpm1, -3, 3, 3e-5, 0, TVP_GOLDEN(std::expm1(a)), 0,
            {0, 0.5f, -0.5f, 1e-6f, -80, 50}),
    case_of("exp2", Function::kExp2, -30, 30, 1.3e-5, 0, TVP_GOLDEN(std::exp2(a)), 0,
            {0, 1, -1, 100, 126}),
    case_of("sqrt", Function::kSqrt, 0, 1000, 1e-6, 0, TVP_GOLDEN(std::sqrt(a)), 0,
            {0, 1, 4, 0x1p-126f, 0x1p-100f, 0x1.fep127f, float(kInf), -1, -1e30f}),
    case_of("rsqrt", Function::kRsqrt, 0.001, 1000, 1e-6, 0, TVP_GOLDEN(1 / std::sqrt(a)), 0,
            {0, 1, 4, 0x1p-126f, 0x1p-100f, 0x1.fep127f, float(kInf), -1, -1e30f}),
    case_of("reciprocal", Function::kReciprocal, 0.01, 100, 1e-6, 0, TVP_GOLDEN(1 / a), 0,
            {1, -1, -3, 1e30f, -1e30f, 1e-30f, 0}),
    case_of("log", Function::kLog, 0.01, 100, 2e-6, 0, TVP_GOLDEN(std::log(a)), 0,
            {0, 1, 0.9921875f, 1.0078125f, 1.4140625f, 1.421875f, 0x1p-126f, 0x1.fep127f,
             float(kInf), -2}),
    case_of("log1p", Function::kLog1p, -0.9, 10, 2e-6, 0, TVP_GOLDEN(std::log1p(a)), 0,
            {0, 1e-6f, -1e-6f, 0.4140625f, 0.421875f, -1, 1e30f, float(kInf)}),
    case_of("log to base 10", Function::kLogWithBase, 0.01, 100, 2e-6, 0,
            TVP_GOLDEN(std::log(a) * n), 0.4342944819f, {1, 10, 1000}),
    case_of(
        "tanh", Function::kTanh, -5, 5, 5e-5, 0, TVP_GOLDEN(std::tanh(a)), 0,
        {0, 0.5f, -0.5f, 0.498046875f, 1e-10f, -1e-10f, 20, -20, 1e30f, float(kInf), float(-kInf)},
        1.3e-3),
    case_of("sigmoid", Function::kSigmoid, -10, 10, 3e-5, 0, TVP_GOLDEN(1 / (1 + std::exp(-a))), 0,
            {0, 80, -80, 1000, float(kInf)}, 3e-4),
    case_of("silu", Function::kSilu, -10, 10, 4e-5, 0, TVP_GOLDEN(a / (1 + std::exp(-a))), 0,
            {0, 80, -80}, 3e-4),
    case_of("gelu", Function::kGelu, -6, 6, 1e-4, 0,
            TVP_GOLDEN(a * 0.5 * std::erfc(-a / std::sqrt(2.0))), 0,
            {0, -0.0f, 1e-10f, 9, -9, 100}),
    case_of("rough gelu", Function::kRoughGelu, -6, 6, 0, 7.3e-3,
            TVP_GOLDEN(a * 0.5 * std::erfc(-a / std::sqrt(2.0))), 0,
            {0, -0.0f, 3.5f, -3.5f, 9, -9, 100, -1e30f}),
    case_of("abs", Function::kAbs, -100, 100, 0, 0, TVP_GOLDEN(std::fabs(a)), 0,
            {0, -0.0f, float(-kInf)}),
    case_of("sign", Function::kSign, -100, 100, 0, 0, TVP_GOLDEN(double(a > 0) - double(a < 0)), 0,
            {0, -0.0f, float(-kInf), 1e-30f, -1e-30f}),
    case_of("floor", Function::kFloor, -100, 100, 0, 0, TVP_GOLDEN(std::floor(a)), 0,
            {0, -0.5f, 0.5f, 1.5f, -1.5f, 2.5f, 1e-20f, -1e-20f, 4194304, -4194304, 1e20f}),
    case_of("ceil", Function::kCeil, -100, 100, 0, 0, TVP_GOLDEN(std::ceil(a)), 0,
            {0, -0.5f, 0.5f, 1.5f, -1.5f, 2.5f, 1e-20f, -1e-20f, 1e20f}),
    case_of("trunc", Function::kTrunc, -100, 100, 0, 0, TVP_GOLDEN(std::trunc(a)), 0,
            {0, -0.5f, 0.5f, 1.5f, -1.5f, 2.5f, 1e-20f, 1e20f}),
    case_of("frac", Function::kFrac, -100, 100, 0, 0, TVP_GOLDEN(a - std::trunc(a)), 0,
            {0, -0.5f, 0.5f, 1.5f, 1e20f}),
    case_of("sin", Function::kSin, -20, 20, 0, 6e-7, TVP_GOLDEN(std::sin(a)), 0,
            {0, 1.5703125f, 3.140625f, 1000}),
    case_of("cos", Function::kCos, -20, 20, 0, 6e-7, TVP_GOLDEN(std::cos(a)), 0,
            {0, 1.5703125f, 3.140625f, -1000}),
    case_of("x == 0", Function::kEqualZero, -1, 1, 0, 0, TVP_GOLDEN(double(a == 0)), 0,
            {0, -0.0f, 1e-30f}),
    case_of("x != 0", Function::kNotEqualZero, -1, 1, 0, 0, TVP_GOLDEN(double(a != 0)), 0,
            {0, -0.0f, 1e-30f}),
    case_of("x < 0", Function::kLessZero, -1, 1, 0, 0, TVP_GOLDEN(double(a < 0)), 0,
            {0, -0.0f, -1e-30f}),
    case_of("x > 0", Function::kGreaterZero, -1, 1, 0, 0, TVP_GOLDEN(double(a > 0)), 0,
            {0, -0.0f, 1e-30f}),
    case_of("x >= 0", Function::kGreaterEqualZero, -1, 1, 0, 0, TVP_GOLDEN(double(a >= 0)), 0,
            {0, -0.0f, 1e-30f}),
    case_of("x <= 0", Function::kLessEqualZero, -1, 1, 0, 0, TVP_GOLDEN(double(a <= 0)), 0,
            {0, -0.0f, 1e-30f}),
    case_of("x + number", Function::kAddNumber, -9, 9, 2e-7, 0, TVP_GOLDEN(a + n), 1.7f),
    case_of("x - number", Function::kSubtractNumber, -9, 9, 2e-7, 0, TVP_GOLDEN(a - n), 1.7f),
    case_of("number - x", Function::kReverseSubtractNumber, -9, 9, 2e-7, 0, TVP_GOLDEN(n - a),
            1.7f),
    case_of("x * number", Function::kMultiplyNumber, -9, 9, 2e-7, 0, TVP_GOLDEN(double(a) * n),
            -1.7f),
    case_of("relu with a maximum", Function::kReluMax, -9, 9, 0, 0, TVP_GOLDEN(clamp(a, 0, n)), 6,
            {0, 6}),
    case_of("relu with a minimum", Function::kReluMin, -9, 9, 0, 0, TVP_GOLDEN(std::fmax(a, n)),
            1.5f, {0, 1.5f}),
    case_of("leaky relu", Function::kLeakyRelu, -9, 9, 2e-7, 0, TVP_GOLDEN(a < 0 ? a * n : a), 0.1f,
            {0}),
    case_of("fill", Function::kFill, -9, 9, 0, 0, TVP_GOLDEN(n), 2.5f),
    case_of("clamp", Function::kClamp, -9, 9, 0, 0, TVP_GOLDEN(clamp(a, -n, n)), 2.5f, {0, 2.5f}),
    case_of("x^5", Function::kPower, -9, 9, 1e-6, 0, TVP_GOLDEN(std::pow(a, 5)), 0, {0, 1, -1}),
    case_of("x == number", Function::kEqualNumber, -1, 1, 0, 0, TVP_GOLDEN(double(a == n)), 0.5f,
            {0.5f, -0.5f, 0}),
    case_of("x < number", Function::kLessNumber, -1, 1, 0, 0, TVP_GOLDEN(double(a < n)), 0.5f,
            {0.5f, -0.5f, 0}),
    case_of("x >= number", Function::kGreaterEqualNumber, -1, 1, 0, 0, TVP_GOLDEN(double(a >= n)),
            0.5f, {0.5f, -0.5f, 0}),
    case_of("a + b", Function::kAdd, -9, 9, 2e-7, 0, TVP_GOLDEN(a + b)),
    case_of("a - b", Function::kSubtract, -9, 9, 2e-7, 0, TVP_GOLDEN(a - b)),
    case_of("b - a", Function::kReverseSubtract, -9, 9, 2e-7, 0, TVP_GOLDEN(b - a)),
    case_of("a * b", Function::kMultiply, -9, 9, 2e-7, 0, TVP_GOLDEN(double(a) * b)),
    case_of("a / b", Function::kDivide, 0.1, 9, 1e-6, 0, TVP_GOLDEN(a / b)),
    case_of("min", Function::kMinimum, -9, 9, 0, 0, TVP_GOLDEN(std::fmin(a, b))),
    case_of("max", Function::kMaximum, -9, 9, 0, 0, TVP_GOLDEN(std::fmax(a, b))),
    case_of("a == b", Function::kEqual, 0, 0.02, 0, 0, TVP_GOLDEN(double(a == b)), 0, {0.5f, 1}),
    case_of("a > b", Function::kGreater, -1, 1, 0, 0, TVP_GOLDEN(double(a > b))),
    case_of("a <= b", Function::kLessEqual, -1, 1, 0, 0, TVP_GOLDEN(double(a <= b))),
    case_of("copy in Dst", Function::kCopyDst, -9, 9, 0, 0, TVP_GOLDEN(b)),
    case_of("where", Function::kWhere, -9, 9, 0, 0, TVP_GOLDEN(std::fmax(a, b))),
};

TEST(Functions, AgreeWithTheCLibrary) {
  std::mt19937 engine(7);
  for (const Case& c : kCases) {
    for (const Variant& variant : kVariants) {
      SCOPED_TRACE(std::string(c.name) + ", " + variant.name);
      std::uniform_real_distribution<double> operands(c.low, c.high);
      std::vector<Tile> a(3, Tile(variant.rows)), b = a;
      for (Tile& tile : a)
        for (float& v : tile.values) v = workloads::sdpa::round_bf16(operands(engine));
      for (Tile& tile : b)
        for (float& v : tile.values) v = workloads::sdpa::round_bf16(operands(engine));
      // Every face has special operands, the same ones in both tiles.
      for (std::size_t i = 0; i < c.special.size(); ++i)
        for (std::size_t at = i; at < a[1].values.size(); at += 5 * c.special.size())
          a[1].values[at] = b[1].values[at] = workloads::sdpa::round_bf16(c.special[i]);
      const std::vector<Tile> out =
          run(variant, {.function = c.function, .number = c.number}, a, b);
      double worst = 0;
      for (unsigned i = 0; i < a.size(); ++i)
        for (std::size_t at = 0; at < a[i].values.size(); ++at) {
          const float x = a[i].values[at];
          const double expected = c.golden(x, b[i].values[at], c.number);
          const double got = out[i].values[at];
          const double relative = c.relative + (variant.fp32_dst ? 0 : c.more_in_bf16);
          if (!within(got, expected, relative, c.absolute, variant.fp32_dst)) {
            ADD_FAILURE() << got << " for " << expected << " of " << x << " and "
                          << b[i].values[at];
            break;
          }
          if (expected != 0 && std::isfinite(expected))
            worst = std::fmax(
                worst, std::fabs(got - expected) / (c.absolute != 0 ? 1 : std::fabs(expected)));
        }
      RecordProperty(std::string(c.name) + " " + variant.name, std::to_string(worst));
    }
  }
}

}  // namespace
}  // namespace tvp::test
