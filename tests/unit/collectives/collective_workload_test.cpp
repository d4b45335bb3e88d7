// How `./vp run collective` reads its settings and fits its measurements.

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "sw/workloads/collective/message_cost_fit.h"
#include "sw/workloads/collective/size_list.h"
#include "tests/support/fault_of.h"

namespace tvp::workloads::collective {
namespace {

using Sizes = std::vector<std::uint64_t>;

TEST(SizeList, TakesSizesListsStepsAndFactors) {
  EXPECT_EQ(parse_sizes("x", "1000"), Sizes{1000});
  EXPECT_EQ(parse_sizes("x", "1K,2M"), (Sizes{1024, 2 << 20}));
  EXPECT_EQ(parse_sizes("x", "1K:5K:2K"), (Sizes{1024, 3072, 5120}));
  EXPECT_EQ(parse_sizes("x", "1K:100K:*8"), (Sizes{1024, 8192, 65536}));
  EXPECT_EQ(parse_sizes("x", "512M:2G:*2"), (Sizes{1U << 29, 1U << 30, 1U << 31}));
}

// An unlimited range would take all memory of the host.
TEST(SizeList, ARangeIsNoLongerThanAnyoneRuns) {
  EXPECT_EQ(parse_sizes("x", "4:40000:4").size(), 10'000U);
  for (const char* text : {"4:40004:4", "1:2G:1", "1:9000:1,1:1001:1"})
    EXPECT_THROW(parse_sizes("collective.bytes", text), foundation::Fault) << text;
}

TEST(SizeList, RefusesEverythingElse) {
  for (const char* text : {"", "0", "3G", "K", "G1", "KM", "1KG", "-1", "1K:", "1K:2K", "2K:1K:1K",
                           "1K:4K:*1", "1K,", "1:2:3:4", "4096M", "1.5K"})
    EXPECT_THROW(parse_sizes("collective.bytes", text), foundation::Fault) << text;
  EXPECT_TRUE(tvp::test::faults([&] { parse_sizes("collective.bytes", "12Q"); }, {}, {"12Q"}));
}

TEST(MessageCost, FindsTheLineItWasMadeFrom) {
  const Sizes sizes{64, 1024, 65536, 1 << 20};
  std::vector<double> bytes;
  std::vector<double> ns;
  for (const std::uint64_t size : sizes) {
    bytes.push_back(static_cast<double>(size));
    ns.push_back(1700 + bytes.back() / 11.5);
  }
  const MessageCost cost = fit_message_cost(bytes, ns);
  EXPECT_NEAR(cost.alpha_ns, 1700, 0.1);
  EXPECT_NEAR(cost.bytes_per_ns, 11.5, 0.001);
  EXPECT_NEAR(cost.worst_deviation, 0, 1e-6);
  ns[1] *= 1.1;
  EXPECT_GT(fit_message_cost(bytes, ns).worst_deviation, 0.03);
}

}  // namespace
}  // namespace tvp::workloads::collective
