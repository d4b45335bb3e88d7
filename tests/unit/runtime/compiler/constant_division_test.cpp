// Division by constants, as firmware divides by numbers of banks.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "firmware/api/internal/mod_div_lib.h"

namespace {

template <std::uint32_t kDivisor>
void expect_exact() {
  const auto check = [](std::uint32_t n) {
    ASSERT_EQ(udivsi3_const_divisor<kDivisor>(n), n / kDivisor) << n << " / " << kDivisor;
    ASSERT_EQ(umodsi3_const_divisor<kDivisor>(n), n % kDivisor) << n << " % " << kDivisor;
  };
  std::mt19937 random(kDivisor);
  for (std::uint32_t i = 0; i < 20000; ++i) {
    check(i);
    check(~i);
    check(static_cast<std::uint32_t>(random()));
    // Numbers around multiples detect a reciprocal that is too large or too small.
    const std::uint32_t multiple = static_cast<std::uint32_t>(random()) / kDivisor * kDivisor;
    check(multiple);
    check(multiple - 1);
  }
  const std::uint32_t last = 0xFFFFFFFF / kDivisor * kDivisor;
  check(last);
  check(last - 1);
}

TEST(ConstantDivision, IsExactForEvery32BitNumber) {
  expect_exact<12>();  // banks of DRAM
  expect_exact<56>();  // and of L1
  expect_exact<64>();
  expect_exact<70>();
  expect_exact<72>();
  expect_exact<80>();
  expect_exact<63>();  // needs a factor of more than 32 bits
  expect_exact<7>();
  expect_exact<1>();
  expect_exact<3>();
  expect_exact<641>();
  expect_exact<6>();  // rounding has its largest effect
  expect_exact<0x80000001>();
  expect_exact<0xA265B1F5>();
  expect_exact<0xFFFFFFFF>();
}

template <std::uint32_t... kLess>
std::vector<std::uint32_t> divided_by_divu(std::integer_sequence<std::uint32_t, kLess...>) {
  std::vector<std::uint32_t> divisors;
  const auto note = [&](std::uint32_t divisor, bool multiplies) {
    if (!multiplies && (divisor & (divisor - 1)) != 0) divisors.push_back(divisor);
  };
  (note(kLess + 1, tvp::Reciprocal<kLess + 1>{}.multiplies()), ...);
  return divisors;
}

// Divisors for which a rounded-up reciprocal of 32 bits is not exact; the list was computed
// separately.
TEST(ConstantDivision, NumbersOfBanksNeedNoDivu) {
  const std::vector<std::uint32_t> expected = {7,   19,  21,  27,  31,  35,  37,  39,  45,  53,
                                               55,  57,  63,  73,  91,  95,  97,  101, 103, 105,
                                               107, 109, 111, 113, 115, 117, 121, 123, 127};
  EXPECT_EQ(divided_by_divu(std::make_integer_sequence<std::uint32_t, 128>()), expected);
  for (const bool multiplies :
       {tvp::Reciprocal<1>{}.multiplies(), tvp::Reciprocal<64>{}.multiplies(),
        tvp::Reciprocal<0x80000000>{}.multiplies(), tvp::Reciprocal<0xA265B1F5>{}.multiplies()}) {
    EXPECT_FALSE(multiplies);
  }
  EXPECT_EQ(tvp::Reciprocal<0x80000001>{}.factor, 0xFFFFFFFFu) << "all of 32 bits";
}

}  // namespace
