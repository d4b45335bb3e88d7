// Addresses of a core's kernels, and refusals.
#include "sw/runtime/programs/kernel_places.h"

#include <gtest/gtest.h>

#include "foundation/contract/memory_map.h"
#include "foundation/fault.h"
#include "foundation/random.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::kernel_places_test {
namespace {

constexpr std::uint32_t kKiB = 1024;
constexpr std::uint32_t kEnd = contract::kKernelTextBase + contract::kKernelTextSize;

std::vector<KernelSize> kernels_of(const std::vector<std::uint32_t>& bytes) {
  std::vector<KernelSize> kernels;
  for (std::uint32_t processor = 0; processor < bytes.size(); ++processor)
    if (bytes[processor] != 0)
      kernels.push_back({"k" + std::to_string(processor) + ".cpp", processor, bytes[processor]});
  return kernels;
}

/// Addresses relative to the beginning of the area.
std::vector<std::uint32_t> places_of(const std::vector<std::uint32_t>& bytes) {
  auto places = kernel_places("(0, 0)", kernels_of(bytes));
  for (std::uint32_t& place : places) place -= contract::kKernelTextBase;
  return places;
}

using Places = std::vector<std::uint32_t>;

TEST(KernelPlaces, AreTheUsualOnesWhereTheyCanBe) {
  const auto usual = [](std::uint32_t processor) {
    return contract::usual_kernel_offset(processor);
  };
  const Places all = {usual(0), usual(1), usual(2), usual(3), usual(4)};
  EXPECT_EQ(places_of({100, 100, 100, 100, 100}), all);
  EXPECT_EQ(places_of({20 * kKiB, 16 * kKiB, 34 * kKiB, 20 * kKiB, 30 * kKiB}), all);
  EXPECT_EQ(places_of({0, 5000, 0, 0, 1}), (Places{usual(1), usual(4)}));
  EXPECT_TRUE(places_of({}).empty());
  // No kernel follows the last one, and a large kernel alone needs no move.
  EXPECT_EQ(places_of({0, 0, 84 * kKiB, 0, 0}), (Places{usual(2)}));
  EXPECT_EQ(kernel_places("(0, 3)", {{"e.cpp", contract::kErisc, contract::kEthKernelTextSize}}),
            (Places{contract::kEthKernelTextBase}));
}

TEST(KernelPlaces, GiveWayToThoseThatReachFurther) {
  // TRISC0's 45 KiB move TRISC1's kernel; TRISC2's stays.
  EXPECT_EQ(places_of({8 * kKiB, 8 * kKiB, 45 * kKiB, 5000, 9000}),
            (Places{0, 20 * kKiB, 36 * kKiB, 82 * kKiB, 90 * kKiB}));
  // Earlier kernels move if there is no room after them.
  EXPECT_EQ(places_of({8 * kKiB, 8 * kKiB, 0, 0, 45 * kKiB}), (Places{0, 20 * kKiB, 74 * kKiB}));
  EXPECT_EQ(places_of({20 * kKiB, 2 * kKiB, 0, 0, 98 * kKiB}), (Places{0, 20 * kKiB, 22 * kKiB}));
}

TEST(KernelPlaces, BeginBehindArgumentsOfAnySize) {
  const auto behind = [](std::uint32_t arguments, const std::vector<std::uint32_t>& bytes) {
    auto places = kernel_places("(0, 0)", kernels_of(bytes), arguments);
    for (std::uint32_t& place : places) place -= contract::kKernelConfigBase;
    return places;
  };
  EXPECT_EQ(behind(8 * kKiB, {100, 100}), (Places{8 * kKiB, 28 * kKiB}));
  EXPECT_EQ(behind(8 * kKiB + 1, {100, 100}), (Places{10 * kKiB, 28 * kKiB}));
  EXPECT_EQ(behind(60 * kKiB, {20 * kKiB, 100, 100}), (Places{60 * kKiB, 80 * kKiB, 82 * kKiB}));
  EXPECT_NE(
      tvp::test::fault_of([&] { behind(60 * kKiB, {69 * kKiB}); }, foundation::FaultKind::kFirmware)
          .find("have 69632 bytes in all"),
      std::string::npos);
}

TEST(KernelPlaces, AreThereForAllThatFitTogether) {
  foundation::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint32_t> bytes(contract::kTensixProcessors);
    std::uint32_t sum = 0;
    for (std::uint32_t& b : bytes) {
      b = static_cast<std::uint32_t>(random.below(50 * kKiB));
      sum += (b + contract::kKernelPlaceAlignment - 1) / contract::kKernelPlaceAlignment *
             contract::kKernelPlaceAlignment;
    }
    const auto kernels = kernels_of(bytes);
    if (sum > contract::kKernelTextSize) {
      EXPECT_THROW(kernel_places("(0, 0)", kernels), foundation::Fault);
      continue;
    }
    std::uint32_t free_from = contract::kKernelTextBase;
    const auto places = kernel_places("(0, 0)", kernels);
    ASSERT_EQ(places.size(), kernels.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(places[i] % contract::kKernelPlaceAlignment, 0U);
      EXPECT_GE(places[i], free_from);
      free_from = places[i] + kernels[i].bytes;
    }
    EXPECT_LE(free_from, kEnd);
  }
}

std::string refusal(const std::vector<KernelSize>& kernels) {
  return tvp::test::fault_of([&] { kernel_places("(2, 1)", kernels); },
                             foundation::FaultKind::kFirmware);
}

TEST(KernelPlaces, AreRefusedByNameAndSizes) {
  EXPECT_EQ(refusal({{"r.cpp", contract::kNcrisc, 9000},
                     {"c.cpp", contract::kTrisc0, 45056},
                     {"c.cpp", contract::kTrisc2, 70000}}),
            "c.cpp: takes 70000 bytes on TRISC2; the kernels of core (2, 1) have 122880 bytes in "
            "all, in units of 2048, and beside it there are r.cpp with 9000 bytes on NCRISC, c.cpp "
            "with 45056 bytes on TRISC0");
  EXPECT_EQ(refusal({{"b.cpp", contract::kBrisc, 200000}}),
            "b.cpp: takes 200000 bytes on BRISC; the kernels of core (2, 1) have 122880 bytes in "
            "all, in units of 2048");
  EXPECT_EQ(
      refusal({{"e.cpp", contract::kErisc, 30000}}),
      "e.cpp: takes 30000 bytes on ERISC; the kernels of core (2, 1) have 26560 bytes in all, "
      "in units of 16");
}

}  // namespace
}  // namespace tvp::runtime::kernel_places_test
