// The functions of programs/integer_functions.def must equal the host processor's integers bit for
// bit.

#include "tests/firmware/programs/integer_functions.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "tests/firmware/functions_bench.h"

namespace tvp::test {

TVP_DECLARE_PROGRAM(integer_functions_tiny_fp32);
TVP_DECLARE_PROGRAM(integer_functions_full_bf16);

namespace {

using std::int64_t;

constexpr std::uint32_t kAddressA = 0x20000, kAddressB = 0x30000, kAddressOut = 0x40000;

const ComputeProgram kWide = TVP_PROGRAM_OF(integer_functions_tiny_fp32);
const ComputeProgram kNarrow = TVP_PROGRAM_OF(integer_functions_full_bf16);

int64_t floor_divide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/// One tile of each buffer, with datums of the given size in the order of L1.
template <typename In, typename Out>
std::vector<Out> run(const ComputeProgram& program, IntegerFunctionParameters parameters,
                     const std::vector<In>& a, const std::vector<In>& b) {
  integer_function_parameters = parameters;
  ComputeBench& machine = functions_bench();
  const auto bytes = static_cast<std::uint32_t>(a.size() * sizeof(In));
  const auto out_bytes = static_cast<std::uint32_t>(a.size() * sizeof(Out));
  std::memcpy(machine.l1() + kAddressA, a.data(), bytes);
  std::memcpy(machine.l1() + kAddressB, b.data(), bytes);
  machine.buffer(program, parameters.a, kAddressA, bytes, 1, 1);
  if (parameters.b != parameters.a) machine.buffer(program, parameters.b, kAddressB, bytes, 1, 1);
  machine.buffer(program, parameters.out, kAddressOut, out_bytes, 1, 0);
  EXPECT_TRUE(machine.execute(program)) << machine.waiting();
  std::vector<Out> out(a.size());
  std::memcpy(out.data(), machine.l1() + kAddressOut, out_bytes);
  return out;
}

constexpr std::uint32_t kSpecial[] = {
    0,       1,    2,          5,          31, 32,         0x7FFF,     0xFFFF,
    0x10000, 0xFF, 0x7FFFFFFF, 0x80000000, 33, 0xFFFFFFFF, 0xFFFFFFFB, 0x100000};
/// Random numbers with all bits or few bits, and all pairs of special numbers.
template <typename T>
void fill(std::vector<T>& a, std::vector<T>& b) {
  std::mt19937 engine(5);
  const std::size_t specials = std::size(kSpecial);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<T>(engine() >> engine() % 32);
    b[i] = static_cast<T>(engine() >> engine() % 32);
    if (engine() % 4 == 0) a[i] = static_cast<T>(0 - a[i]);
    if (engine() % 4 == 0) b[i] = static_cast<T>(0 - b[i]);
  }
  for (std::size_t i = 0; i < specials * specials && i < a.size(); ++i) {
    a[i] = static_cast<T>(kSpecial[i / specials]);
    b[i] = static_cast<T>(kSpecial[i % specials]);
  }
}

template <typename T, typename Golden>
void check(const char* name, const std::vector<T>& a, const std::vector<T>& b,
           const std::vector<T>& out, Golden golden) {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < a.size() && wrong < 5; ++i) {
    const auto expected = static_cast<T>(golden(a[i], b[i]));
    if (out[i] == expected) continue;
    ADD_FAILURE() << name << ": " << std::hex << out[i] << " for " << expected << " of " << a[i]
                  << " and " << b[i];
    ++wrong;
  }
}

TEST(IntegerFunctions, OfBits32) {
  for (const unsigned round : {0, 1}) {
    std::vector<std::uint32_t> x(256), y(256);
    fill(x, y);
    if (round == 1) {  // the same without special numbers
      std::mt19937 engine(9);
      for (auto& each : x) each = static_cast<std::uint32_t>(engine());
      for (auto& each : y) each = static_cast<std::uint32_t>(engine() >> engine() % 32);
    }
#define INTEGER_FUNCTION(name, call, golden)                                                  \
  check(#name, x, y, run<std::uint32_t, std::uint32_t>(kWide, {IntegerFunction::name}, x, y), \
        []([[maybe_unused]] std::uint32_t ua, [[maybe_unused]] std::uint32_t ub) {            \
          [[maybe_unused]] const auto a = static_cast<std::int32_t>(ua);                      \
          [[maybe_unused]] const auto b = static_cast<std::int32_t>(ub);                      \
          return static_cast<int64_t>(golden);                                                \
        });
#define UINT16_FUNCTION(name, call, golden)
#define CAST_FUNCTION(name, in, out, call, golden)
#include "tests/firmware/programs/integer_functions.def"
#undef INTEGER_FUNCTION
#undef UINT16_FUNCTION
#undef CAST_FUNCTION
  }
}

/// The nearest integer of eight bits, ties up, limited to 16 bits.
std::uint32_t rounded_to_bf16(std::uint32_t n) {
  const auto bits = static_cast<std::uint32_t>(std::bit_width(n));
  if (bits <= 8) return n;
  const std::uint32_t rounded = (n + (1u << (bits - 9))) >> (bits - 8) << (bits - 8);
  return std::min(rounded, 0xFFFFu);
}

TEST(IntegerFunctions, OfBits16) {
  std::vector<std::uint16_t> x(1024), y(1024);
  fill(x, y);
#define INTEGER_FUNCTION(name, call, golden)
#define UINT16_FUNCTION(name, call, golden)                                                  \
  check(#name, x, y,                                                                         \
        run<std::uint16_t, std::uint16_t>(kNarrow, {IntegerFunction::name, 2, 3, 17}, x, y), \
        []([[maybe_unused]] std::uint32_t ua, [[maybe_unused]] std::uint32_t ub) {           \
          return golden;                                                                     \
        });
#define CAST_FUNCTION(name, in, out, call, golden)
#include "tests/firmware/programs/integer_functions.def"
#undef INTEGER_FUNCTION
#undef UINT16_FUNCTION
#undef CAST_FUNCTION
}

/// Compares results as 32-bit numbers with the golden value's sign, or as floats.
void check_cast(const char* name, IntegerFunction function, std::uint32_t in, std::uint32_t out,
                double (*golden)(std::uint32_t bits)) {
  std::vector<std::uint32_t> x(256), y(256);
  fill(x, y);
  std::vector<std::uint32_t> result;
  const IntegerFunctionParameters parameters{function, in, in, out};
  if (in == 0) {
    result = run<std::uint32_t, std::uint32_t>(kWide, parameters, x, x);
  } else {
    std::vector<std::uint16_t> narrow(x.begin(), x.end());
    std::mt19937 engine(3);
    if (in == 4)  // floats of all sizes of integers, and beyond
      for (auto& each : narrow) {
        const double size = std::ldexp(1 + static_cast<double>(engine()) / 0x1p32,
                                       static_cast<int>(engine() % 36) - 2);
        each = workloads::sdpa::to_bf16(static_cast<float>(engine() % 2 != 0 ? size : -size));
      }
    // NaN, infinities, -0, the least number, halves, and the limits of integers.
    constexpr std::uint16_t kFloats[] = {0x7FC0, 0x7F80, 0xFF80, 0x8000, 0x0001, 0x3F00, 0xBF00,
                                         0x3FC0, 0x4020, 0x477F, 0x4780, 0x4F00, 0xCF00, 0x4F80};
    if (in == 4) std::copy(std::begin(kFloats), std::end(kFloats), narrow.begin());
    result = run<std::uint16_t, std::uint32_t>(kWide, parameters, narrow, narrow);
    x.assign(narrow.begin(), narrow.end());
  }
  unsigned wrong = 0;
  for (std::size_t i = 0; i < x.size() && wrong < 5; ++i) {
    const double expected = golden(in == 4 ? x[i] << 16 : x[i]);
    double got = std::bit_cast<float>(result[i]);
    if (out == 16) got = result[i];
    if (out == 16 && expected < 0) got = static_cast<std::int32_t>(result[i]);
    if (std::isnan(expected)) continue;
    const double exact = out == 16 ? expected : static_cast<double>(static_cast<float>(expected));
    if (got == exact ||
        (function == IntegerFunction::divide_int32_to_float && std::fabs(got - exact) < 0x1p-21))
      continue;
    ADD_FAILURE() << name << ": " << got << " for " << exact << " of " << x[i];
    ++wrong;
  }
}

TEST(IntegerFunctions, Casts) {
#define INTEGER_FUNCTION(name, call, golden)
#define UINT16_FUNCTION(name, call, golden)
#define CAST_FUNCTION(name, in, out, call, golden)                         \
  check_cast(#name, IntegerFunction::name, in, out, [](std::uint32_t ua) { \
    [[maybe_unused]] const auto a = static_cast<std::int32_t>(ua);         \
    [[maybe_unused]] const double x = std::bit_cast<float>(ua);            \
    return static_cast<double>(golden);                                    \
  });
#include "tests/firmware/programs/integer_functions.def"
#undef INTEGER_FUNCTION
#undef UINT16_FUNCTION
#undef CAST_FUNCTION
}

}  // namespace
}  // namespace tvp::test
