#include "models/tensix/coprocessor/vector/vector_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "tests/unit/tensix/matrix/math_reference.h"

namespace {

using math_reference::Random;
using tvp::tensix::coprocessor::vector_multiply_add;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
float value(std::uint32_t x) { return std::bit_cast<float>(x); }
bool is_nan(std::uint32_t x) { return (x & 0x7FFFFFFF) > 0x7F800000; }

/// Flushes denormals and minus zero, as the vector unit does.
std::uint32_t flushed(std::uint32_t x) { return (x & 0x7F800000) == 0 ? 0 : x; }

std::uint32_t number(Random& random, unsigned lowest, unsigned highest) {
  const std::uint32_t exponent = lowest + random.below(highest - lowest + 1);
  return (random.bits() & 0x807FFFFF) | (exponent << 23);
}

constexpr std::uint32_t kOne = 0x3F800000;
constexpr std::uint32_t kInfinity = 0x7F800000;
constexpr std::uint32_t kMinusInfinity = 0xFF800000;

TEST(VectorFloat, MultipliesLikeIeeeWhenItAddsZero) {
  Random random(1);
  for (unsigned i = 0; i < 200000; ++i) {
    const std::uint32_t x = number(random, 1, 254);
    const std::uint32_t y = number(random, 1, 254);
    const std::uint32_t wanted = flushed(bits(value(x) * value(y)));
    // Near denormals, silicon rounds at another place; SFPMAD.md leaves those out.
    if (((wanted >> 23) & 255) <= 1) continue;
    ASSERT_EQ(vector_multiply_add(x, y, 0), wanted) << std::hex << x << " * " << y;
  }
}

TEST(VectorFloat, AddsLikeIeeeWhenItMultipliesByOne) {
  Random random(2);
  for (unsigned i = 0; i < 400000; ++i) {
    const std::uint32_t x = number(random, 100, 150);
    const std::uint32_t z = number(random, 100, 150);
    const std::uint32_t wanted = flushed(bits(value(x) + value(z)));
    ASSERT_EQ(vector_multiply_add(x, kOne, z), wanted) << std::hex << x << " + " << z;
    ASSERT_EQ(vector_multiply_add(kOne, x, z), wanted);
  }
}

TEST(VectorFloat, IsWithinItsGuardBitsOfAFusedOperation) {
  Random random(3);
  unsigned different = 0;
  constexpr unsigned kTrials = 400000;
  for (unsigned i = 0; i < kTrials; ++i) {
    const std::uint32_t x = number(random, 115, 140);
    const std::uint32_t y = number(random, 115, 140);
    const std::uint32_t z = number(random, 105, 150);
    const float got = value(vector_multiply_add(x, y, z));
    const double product = static_cast<double>(value(x)) * static_cast<double>(value(y));
    const double exact = product + static_cast<double>(value(z));
    // Half an ulp of the result, and one unit of the larger operand's last guard bit.
    const double larger = std::fmax(std::fabs(product), std::fabs(static_cast<double>(value(z))));
    const double bound = std::ldexp(std::fabs(exact), -24) + std::ldexp(larger, -25);
    ASSERT_LE(std::fabs(static_cast<double>(got) - exact), bound)
        << std::hex << x << " " << y << " " << z;
    if (got != std::fma(value(x), value(y), value(z))) ++different;
  }
  EXPECT_GT(different, 0u);            // it is not fused completely,
  EXPECT_LT(different, kTrials / 10);  // but nearly
}

TEST(VectorFloat, KeepsThreeBitsOfTheProductBelowFp32) {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46. Minus 1 + 2^-22, the fused result is 2^-46. The product only
  // has a sticky bit of weight 2^-26 for it.
  const std::uint32_t x = kOne + 1;
  EXPECT_EQ(vector_multiply_add(x, x, 0x80000000 | (kOne + 2)), bits(std::ldexp(1.0F, -26)));
}

TEST(VectorFloat, DropsABitWhenASumGrowsByTwoPlaces) {
  // Units of 2^-26: (2 - 2^-23)^2 = 2^28 - 32 and sticky, 1 + k * 2^-23 = 2^26 + 8 k; ulp 32.
  const std::uint32_t x = 0x3FFFFFFF;
  EXPECT_EQ(vector_multiply_add(x, x, kOne + 1), bits(5.0F) - 1);  // 9 above: down
  EXPECT_EQ(vector_multiply_add(x, x, kOne + 2), bits(5.0F));      // 17 above: up, by sticky only
  // Remainder 10010 in binary: the lost bit is above the tie, so the result rounds to even, here
  // down.
  Random random(5);
  unsigned seen = 0;
  for (unsigned i = 0; i < 4000000 && seen < 20; ++i) {
    const std::uint32_t a = number(random, 127, 127) & 0x7FFFFFFE;
    const std::uint32_t b = number(random, 127, 127) & 0x7FF00000;  // the product is exact
    const std::uint32_t c = number(random, 127, 127) & 0x7FFFFFFF;
    const auto significand = [](std::uint32_t v) {
      return std::uint64_t{(v & 0x7FFFFF) | 0x800000};
    };
    const std::uint64_t sum = (significand(a) * significand(b) >> 20) + (significand(c) << 3);
    if (sum < (1u << 28) || (sum & 63) != 18) continue;
    ++seen;
    const float got = value(vector_multiply_add(a, b, c));
    EXPECT_EQ(got, std::ldexp(static_cast<float>(sum >> 5), -21));
    EXPECT_EQ(bits(got) + 1, bits(std::fma(value(a), value(b), value(c))));
  }
  EXPECT_EQ(seen, 20u);
}

TEST(VectorFloat, ForgetsAnAddendThatIsShiftedOutWhole) {
  // 1.5 * (1 + 2^-23) is a tie. An addend of -2^-26 breaks it; one of -2^-27 is lost before.
  const std::uint32_t x = bits(1.5F);
  const std::uint32_t y = kOne + 1;
  EXPECT_EQ(vector_multiply_add(x, y, bits(-std::ldexp(1.0F, -26))), x + 1);
  EXPECT_EQ(vector_multiply_add(x, y, bits(-std::ldexp(1.0F, -27))), x + 2);
  EXPECT_EQ(bits(std::fma(1.5F, value(y), -std::ldexp(1.0F, -27))), x + 1);
}

TEST(VectorFloat, FlushesDenormalsAndMinusZero) {
  EXPECT_EQ(vector_multiply_add(0x007FFFFF, kOne, 0), 0u);
  EXPECT_EQ(vector_multiply_add(kOne, kOne, 0x807FFFFF), kOne);
  EXPECT_EQ(vector_multiply_add(0x80000000, kOne, 0x80000000), 0u);
  EXPECT_EQ(vector_multiply_add(bits(-2.0F), 0, 0x80000000), 0u);
  EXPECT_EQ(vector_multiply_add(0x00800000, bits(0.5F), 0), 0u);
  EXPECT_EQ(vector_multiply_add(0x80800000, bits(0.5F), 0), 0u);
  EXPECT_EQ(vector_multiply_add(bits(3.0F), kOne, bits(-3.0F)), 0u);
  EXPECT_EQ(vector_multiply_add(bits(-3.0F), kOne, bits(3.0F)), 0u);
}

TEST(VectorFloat, HasInfinitiesAndNans) {
  EXPECT_EQ(vector_multiply_add(kInfinity, bits(-2.0F), kOne), kMinusInfinity);
  EXPECT_EQ(vector_multiply_add(kOne, kOne, kMinusInfinity), kMinusInfinity);
  EXPECT_EQ(vector_multiply_add(kInfinity, kOne, kInfinity), kInfinity);
  EXPECT_EQ(vector_multiply_add(0x7F7FFFFF, bits(2.0F), 0), kInfinity);
  EXPECT_EQ(vector_multiply_add(0x7F7FFFFF, kOne, 0x7F7FFFFF), kInfinity);
  EXPECT_EQ(vector_multiply_add(0xFF7FFFFF, bits(4.0F), kOne), kMinusInfinity);
  const std::uint32_t nans[] = {vector_multiply_add(kInfinity, 0, kOne),
                                vector_multiply_add(0, kMinusInfinity, kOne),
                                vector_multiply_add(kInfinity, kOne, kMinusInfinity),
                                vector_multiply_add(0x7F800001, kOne, kOne),
                                vector_multiply_add(kOne, 0xFFC00000, 0),
                                vector_multiply_add(kOne, kOne, 0x7FC00000),
                                vector_multiply_add(0x7F7FFFFF, 0x7F7FFFFF, kMinusInfinity)};
  for (const std::uint32_t nan : nans) {
    EXPECT_TRUE(is_nan(nan)) << std::hex << nan;
    EXPECT_EQ(nan & 1, 1u) << std::hex << nan;
  }
}

// Bits of the sum get into NaNs. Beyond the range, a product has exponent 255, however large it is
// (ISA Miscellaneous/FMA). (1.75 - 1) * 2^128 is 1.5 * 2^127, with exponent 254.
TEST(VectorFloat, LetsBitsOfASumIntoNans) {
  constexpr std::uint32_t kLarge = 0x7F600000;  // 1.75 * 2^127
  for (const float other : {2.0F, 4.0F, 3.0F * 0x1p60F, 0x1p127F}) {
    const float whole = std::ldexp(1.0F, std::ilogb(other));
    EXPECT_EQ(vector_multiply_add(kLarge, bits(whole), kMinusInfinity), 0x7FC00001U) << other;
    EXPECT_EQ(vector_multiply_add(kLarge, bits(-whole), kInfinity), 0xFFC00001U) << other;
    // (1.75 - 1.25) * 2^128
    EXPECT_EQ(vector_multiply_add(kLarge, bits(whole), 0xFFA00000), 0xFF800001U) << other;
    // (1.75 - 1.5625) * 2^128 is 1.5 * 2^125, with exponent 252.
    EXPECT_EQ(vector_multiply_add(kLarge, bits(whole), 0xFFC80000), 0xFFC00001U) << other;
  }
}

// ---- Lanes at once ------------------------------------------------------------------------------

using tvp::tensix::coprocessor::LaneProducts;

/// Numbers of all kinds; some cancel all but the last bits of `other`.
std::uint32_t any_number(Random& random, std::uint32_t other) {
  const std::uint32_t sign = random.bits() & 0x80000000;
  switch (random.below(8)) {
    case 0:
      return random.bits();
    case 1:
      return number(random, 120, 135);
    case 2:
      return sign | (random.below(256) << 23) | (random.below(2) != 0 ? 0x7FFFFF : 0);
    case 3:
      return (other ^ 0x80000000) + random.below(9) - 4;
    case 4:
      return number(random, 125, 128) & 0xFFFFF000;
    case 5:
      return random.below(3) != 0 ? kOne : sign;
    case 6:
      return number(random, 0, 40);
    default:
      return sign | ((127 + random.below(30)) << 23) | random.below(8);
  }
}

/// Typical operands: similar magnitude, some with few bits, some whose sum almost cancels.
void draw_usual(Random& random, std::uint32_t& x, std::uint32_t& y, std::uint32_t& z) {
  const auto draw = [&random] {
    const std::uint32_t kept = random.below(2) != 0 ? ~0U : ~0U << random.below(23);
    return number(random, 122, 132) & kept;
  };
  x = draw();
  y = random.below(8) != 0 ? draw() : bits(1.0F);
  z = draw();
  const std::uint32_t product = vector_multiply_add(x, y, 0);
  if (random.below(3) == 0) z = (product ^ 0x80000000) + random.below(9) - 4;
  if (random.below(3) == 0) z = (z & 0x807FFFFF) | (product & 0x7F800000);
  if (random.below(16) == 0) z = random.below(2) << 31;
}

/// All lanes have ordinary numbers, since the fast path needs that in all lanes.
void expect_equal_of_usual_numbers(LaneProducts::Function multiply_add, unsigned seed) {
  Random random(seed);
  LaneProducts::Lanes x, y, z, written, result;
  written.fill(~0U);
  for (unsigned i = 0; i < 400000; ++i) {
    std::uint32_t a, b, c;
    draw_usual(random, a, b, c);
    x.fill(a);
    y.fill(b);
    z.fill(c);
    multiply_add(x, y, z, written, result);
    const std::uint32_t expected = vector_multiply_add(a, b, c);
    ASSERT_EQ(result[i % 32], expected) << std::hex << a << " * " << b << " + " << c;
  }
}

/// No exponent exceeds `most`, so that lanes are computed together and not one by one.
void expect_equal_to_scalar(LaneProducts::Function multiply_add, std::uint32_t most,
                            unsigned seed) {
  Random random(seed);
  const auto draw = [&](std::uint32_t other) {
    for (;;) {
      const std::uint32_t x = any_number(random, other);
      if (((x >> 23) & 255) <= most) return x;
    }
  };
  LaneProducts::Lanes x, y, z, written, result{};
  for (unsigned i = 0; i < 10000; ++i) {
    for (unsigned lane = 0; lane < x.size(); ++lane) {
      x[lane] = draw(0);
      y[lane] = draw(x[lane]);
      z[lane] = draw(vector_multiply_add(x[lane], y[lane], 0));
    }
    // Results in some lanes only, in the register of a factor.
    for (auto& lane : written) lane = random.below(4) == 0 ? 0 : ~0U;
    LaneProducts::Lanes& place = i % 4 == 0 ? result : i % 4 == 1 ? x : i % 4 == 2 ? y : z;
    const auto a = x, b = y, c = z, before = place;
    multiply_add(x, y, z, written, place);
    for (unsigned lane = 0; lane < x.size(); ++lane) {
      ASSERT_EQ(place[lane],
                written[lane] != 0 ? vector_multiply_add(a[lane], b[lane], c[lane]) : before[lane])
          << std::hex << a[lane] << " * " << b[lane] << " + " << c[lane];
    }
  }
}

/// All combinations of values at the limits of the host's fused product, to detect a limit that is
/// off by one exponent or bit.
void expect_equal_at_edges(LaneProducts::Function multiply_add) {
  std::vector<std::uint32_t> edges;
  for (const unsigned exponent :
       {0U,  1U,   2U,   3U,   4U,   22U,  23U,  24U,  37U,  38U,  39U,  63U,
        64U, 126U, 127U, 128U, 162U, 163U, 164U, 191U, 252U, 253U, 254U, 255U}) {
    for (const std::uint32_t mantissa : {0U, 1U, 0x400000U, 0x7FFFFEU, 0x7FFFFFU})
      edges.push_back(exponent << 23 | mantissa);
  }
  Random random(9);
  const auto draw = [&] { return edges[random.below(static_cast<unsigned>(edges.size()))]; };
  LaneProducts::Lanes x, y, z, written, result{};
  written.fill(~0U);
  for (unsigned i = 0; i < 400000; ++i) {
    std::uint32_t a = draw(), b = draw(), c = draw();
    const std::uint32_t signs = random.bits();
    a ^= signs & 0x80000000;
    b ^= signs << 1 & 0x80000000;
    c ^= signs << 2 & 0x80000000;
    // One lane is not zero, so no rule may depend on the other lanes.
    const unsigned lane = i % 32;
    x.fill(0);
    y.fill(kOne);
    z.fill(0);
    x[lane] = a;
    y[lane] = b;
    z[lane] = c;
    multiply_add(x, y, z, written, result);
    ASSERT_EQ(result[lane], vector_multiply_add(a, b, c))
        << std::hex << a << " * " << b << " + " << c;
    ASSERT_EQ(result[lane ^ 9], 0U);
  }
}

/// An inexact product, and an addend that puts the sum next to a midpoint: lost bits of either
/// decide.
void expect_equal_at_ties(LaneProducts::Function multiply_add) {
  Random random(10);
  LaneProducts::Lanes x, y, z, written, result{};
  written.fill(~0U);
  for (unsigned i = 0; i < 20000; ++i) {
    for (unsigned lane = 0; lane < x.size(); ++lane) {
      // Exponents over the whole range of the host's product, equal in all lanes.
      const unsigned middle = 60 + i % 120;
      x[lane] = number(random, 126, 128) & (~0U << random.below(20));
      y[lane] = (number(random, 0, 0) & 0x807FFFFF & (~0U << random.below(20))) | middle << 23;
      const std::uint32_t product = vector_multiply_add(x[lane], y[lane], 0);
      const unsigned lower = random.below(30);
      z[lane] = (product & 0x7F800000) - (lower << 23);
      z[lane] |= random.below(2) << 31 | (random.bits() & (~0U << random.below(23)) & 0x7FFFFF);
    }
    multiply_add(x, y, z, written, result);
    for (unsigned lane = 0; lane < x.size(); ++lane) {
      ASSERT_EQ(result[lane], vector_multiply_add(x[lane], y[lane], z[lane]))
          << std::hex << x[lane] << " * " << y[lane] << " + " << z[lane];
    }
  }
}

/// Products near half an ulp of the smallest numbers, added to such numbers.
void expect_equal_beside_lost_products(LaneProducts::Function multiply_add) {
  Random random(11);
  LaneProducts::Lanes x, y, z, written, result{};
  written.fill(~0U);
  for (unsigned i = 0; i < 100000; ++i) {
    const unsigned exponent = 40 + random.below(20);
    const std::uint32_t mantissas = random.below(2) != 0 ? 0 : 0x7FFFFF;
    x.fill(number(random, exponent, exponent) & (0xFF800000 | mantissas));
    y.fill((101 + random.below(6) - exponent) << 23 | (random.bits() & mantissas));
    z.fill(number(random, 0, 4) | (random.below(2) != 0 ? 0x7FFFFF : 0));
    multiply_add(x, y, z, written, result);
    ASSERT_EQ(result[i % 32], vector_multiply_add(x[0], y[0], z[0]))
        << std::hex << x[0] << " * " << y[0] << " + " << z[0];
  }
}

void expect_equal_to_scalar(LaneProducts::Function multiply_add) {
  expect_equal_to_scalar(multiply_add, 255, 2);
  expect_equal_to_scalar(multiply_add, 190, 3);
  expect_equal_of_usual_numbers(multiply_add, 6);
  expect_equal_at_edges(multiply_add);
  expect_equal_at_ties(multiply_add);
  expect_equal_beside_lost_products(multiply_add);
}

TEST(LaneProducts, EqualOneProductAfterTheOtherOnEveryMachine) {
  expect_equal_to_scalar(LaneProducts::portable(), 255, 1);
}
TEST(LaneProducts, EqualOneProductAfterTheOtherWithAvx2) {
  if (LaneProducts::wide<32>() == nullptr) GTEST_SKIP() << "no AVX2 here";
  expect_equal_to_scalar(LaneProducts::wide<32>());
}
TEST(LaneProducts, EqualOneProductAfterTheOtherWithAvx512) {
  if (LaneProducts::wide<64>() == nullptr) GTEST_SKIP() << "no AVX-512 here";
  expect_equal_to_scalar(LaneProducts::wide<64>());
}

}  // namespace
