// The functions of programs/float_functions.def compared with the C library in double precision.

#include "tests/firmware/programs/float_functions.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "tests/firmware/functions_bench.h"

namespace tvp::test {

TVP_DECLARE_PROGRAM(float_functions_tiny_fp32);
TVP_DECLARE_PROGRAM(float_functions_full_bf16);

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const Variant kVariants[] = TVP_FUNCTION_VARIANTS(float_functions);

double clamp(double x, double low, double high) { return std::fmin(std::fmax(x, low), high); }

/// The inverse of erf by bisection, or of erfc if erf is near one.
double erf_inverse(double x) {
  if (std::fabs(x) > 1) return std::nan("");
  if (std::fabs(x) == 1) return x * double(kInf);
  double low = 0, high = 6;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    const bool below =
        std::fabs(x) < 0.5 ? std::erf(middle) < std::fabs(x) : std::erfc(middle) > 1 - std::fabs(x);
    (below ? low : high) = middle;
  }
  return std::copysign(low, x);
}

/// Uses the recurrence up to 40, and the asymptotic series beyond.
double digamma(double x) {
  double sum = 0;
  for (; x < 40; ++x) sum -= 1 / x;
  const double square = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - square * (1.0 / 12 - square / 120);
}
/// The sum, and the integral for the terms after the last one.
double polygamma(int n, double x) {
  constexpr int kTerms = 20000;
  double sum = 0;
  for (int k = 0; k < kTerms; ++k) sum += std::pow(x + k, -n - 1);
  sum += std::pow(x + kTerms - 0.5, -n) / n;
  return (n % 2 == 0 ? -1 : 1) * std::tgamma(n + 1) * sum;
}

struct Case {
  const char* name;
  FloatFunction function;
  double low, high, relative, absolute;
  double (*golden)(double x, double y, double k0, double k1, double k2);
  float k[3];
  std::vector<float> special;
};

const Case kCases[] = {
#define FLOAT_FUNCTION(title, call, from, to, by_part, by_value, formula, number0, number1, \
                       number2, ...)                                                        \
  {#title,                                                                                  \
   FloatFunction::title,                                                                    \
   from,                                                                                    \
   to,                                                                                      \
   by_part,                                                                                 \
   by_value,                                                                                \
   []([[maybe_unused]] double x, [[maybe_unused]] double y, [[maybe_unused]] double k0,     \
      [[maybe_unused]] double k1, [[maybe_unused]] double k2) { return double(formula); },  \
   {number0, number1, number2},                                                             \
   {__VA_ARGS__}},
#include "tests/firmware/programs/float_functions.def"
#undef FLOAT_FUNCTION
};

TEST(FloatFunctions, AgreeWithTheCLibrary) {
  std::mt19937 engine(11);
  for (const Case& c : kCases) {
    for (const Variant& variant : kVariants) {
      if (!variant.fp32_dst && std::string(c.name).starts_with("fp32_")) continue;
      SCOPED_TRACE(std::string(c.name) + ", " + variant.name);
      std::uniform_real_distribution<double> operands(c.low, c.high);
      std::vector<Tile> a(3, Tile(variant.rows)), b = a;
      for (Tile& tile : a)
        for (float& v : tile.values) v = workloads::sdpa::round_bf16(operands(engine));
      for (Tile& tile : b)
        for (float& v : tile.values) v = workloads::sdpa::round_bf16(operands(engine));
      // Every face has special operands. In half of the places both tiles have the same one, in a
      // quarter only one tile has it.
      for (std::size_t i = 0; i < c.special.size(); ++i)
        for (std::size_t at = i, n = 0; at < a[1].values.size(); at += 5 * c.special.size(), ++n) {
          const float special = workloads::sdpa::round_bf16(c.special[i]);
          if (n % 4 != 3) a[1].values[at] = special;
          if (n % 4 != 1) b[1].values[at] = special;
        }
      float_function_parameters = {.function = c.function, .k = {}, .tiles = 3};
      std::copy_n(c.k, 3, float_function_parameters.k);
      const std::vector<Tile> out = run_two_operands(variant.program, variant.rows, a, b);
      unsigned wrong = 0;
      double worst = 0;
      for (unsigned i = 0; i < a.size(); ++i)
        for (std::size_t at = 0; at < a[i].values.size() && wrong < 5; ++at) {
          const float x = a[i].values[at], y = b[i].values[at];
          const double expected = c.golden(x, y, c.k[0], c.k[1], c.k[2]);
          const double got = out[i].values[at];
          if (!within(got, expected, c.relative, c.absolute, variant.fp32_dst)) {
            ADD_FAILURE() << got << " for " << expected << " of " << x << " and " << y;
            ++wrong;
          }
          if (expected != 0 && std::isfinite(expected))
            worst = std::fmax(worst, std::fabs(got - expected) / std::fabs(expected));
        }
      RecordProperty(std::string(c.name) + " " + variant.name, std::to_string(worst));
    }
  }
}

}  // namespace
}  // namespace tvp::test
