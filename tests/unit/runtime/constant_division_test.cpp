// Division by constants, as firmware divides by numbers of banks.

#include <gtest/gtest.h>

#include <random>

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
    // Around multiples: where a reciprocal that is too large or too small first shows.
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
  expect_exact<63>();  // no factor of 32 bits
  expect_exact<7>();
  expect_exact<1>();
  expect_exact<3>();
  expect_exact<641>();
  expect_exact<0x80000001>();
  expect_exact<0xFFFFFFFF>();
}

TEST(ConstantDivision, NumbersOfBanksNeedNoDivu) {
  EXPECT_NE(tvp::Reciprocal<12>{}.factor, 0u);
  EXPECT_NE(tvp::Reciprocal<56>{}.factor, 0u);
  EXPECT_NE(tvp::Reciprocal<72>{}.factor, 0u);
  EXPECT_NE(tvp::Reciprocal<80>{}.factor, 0u);
  EXPECT_EQ(tvp::Reciprocal<7>{}.factor, 0u);
}

}  // namespace
