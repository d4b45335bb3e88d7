// Operands of the caller instead of random ones.
#include "sw/collectives/execution/operands.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

Schedule all_reduce() {
  return algorithm_named("recursive_doubling")
      .schedule({.primitive = Primitive::kAllReduce, .ranks = 2});
}

Demand integers(std::vector<std::vector<std::uint8_t>> content) {
  return {.bytes = 64, .type = "int32", .content = std::move(content)};
}

std::vector<std::uint8_t> filled(std::size_t bytes, std::uint8_t with) {
  return std::vector<std::uint8_t>(bytes, with);
}

TEST(Operands, OfTheCallerAreWhatRanksHaveAndWhatTheyAreJudgedBy) {
  const Operands operands(all_reduce(), integers({filled(64, 1), filled(64, 2)}), 32);
  ASSERT_EQ(operands.input_bytes(), 64U);
  EXPECT_EQ(operands.input(1), filled(64, 2));
  EXPECT_EQ(operands.judge(0, filled(64, 3)).wrong, 0U);
  std::vector<std::uint8_t> wrong = filled(64, 3);
  wrong[17] = 4;
  EXPECT_EQ(operands.judge(0, wrong).wrong, 1U);
  EXPECT_EQ(operands.judge(0, wrong).first_wrong, 4U);
}

TEST(Operands, OfTheCallerHaveToBeThereForEachRankAndWhole) {
  const auto refusal = [](std::vector<std::vector<std::uint8_t>> content) -> std::string {
    return tvp::test::fault_of([&] { Operands(all_reduce(), integers(std::move(content)), 32); },
                               {}, "");
  };
  EXPECT_NE(refusal({filled(64, 1)}).find("content of 1 ranks: expected 2"), std::string::npos);
  EXPECT_NE(refusal({filled(64, 1), filled(60, 1)}).find("content of 60 bytes: expected 64"),
            std::string::npos);
}

TEST(Operands, BitwiseOperationsAreForIntegersOnly) {
  const auto refusal = [](const char* redop, const char* type) {
    return tvp::test::fault_of(
        [&] { require_redop({.where = "here", .type = type, .redop = redop}); }, {}, "");
  };
  for (const char* redop : {"band", "bor", "bxor"}) {
    for (const char* type : {"fp32", "bf16"})
      EXPECT_NE(
          refusal(redop, type)
              .find(std::string("is ") + redop + ", which " + type + " lacks: expected type int32"),
          std::string::npos)
          << refusal(redop, type);
    EXPECT_EQ(refusal(redop, "int32"), "");
  }
  EXPECT_NE(refusal("nand", "int32").find("here.redop: is nand: expected sum"), std::string::npos)
      << refusal("nand", "int32");
  EXPECT_NE(refusal("sum", "fp16").find("expected fp32, bf16 or int32"), std::string::npos);
}

TEST(Operands, BitwiseOperationsAreExact) {
  for (const auto& [redop, wanted] : {std::pair{"band", 0x08}, {"bor", 0x7E}, {"bxor", 0x76}}) {
    Demand demand = integers({filled(64, 0x2A), filled(64, 0x5C)});
    demand.redop = redop;
    const Operands operands(all_reduce(), demand, 32);
    EXPECT_EQ(operands.bound(), 0) << redop;
    EXPECT_EQ(operands.judge(1, filled(64, static_cast<std::uint8_t>(wanted))).wrong, 0U) << redop;
    EXPECT_EQ(operands.judge(1, filled(64, 0x2A)).wrong, 16U) << redop;
  }
}

/// Errors of 257 roundings by 2^-8 must be accepted for as many ranks.
TEST(Operands, AreJudgedWithMoreRanksThanBitsOfBf16Bear) {
  for (const char* redop : {"sum", "prod"}) {
    const Operands operands(
        algorithm_named("ring").schedule({.primitive = Primitive::kAllReduce, .ranks = 300}),
        {.bytes = 64, .type = "bf16", .redop = redop}, 32);
    EXPECT_GT(operands.bound(), 1) << redop;
    EXPECT_LT(operands.bound(), 3) << redop;
  }
}

}  // namespace
}  // namespace tvp::collectives
