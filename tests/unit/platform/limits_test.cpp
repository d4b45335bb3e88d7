#include "platform/cli/limits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::cli {
namespace {

namespace fs = std::filesystem;

class Limits : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  void readme(const std::string& model, const std::string& text) const {
    fs::create_directories(folder_ / model);
    std::ofstream(folder_ / model / "README.md") << text;
  }
  fs::path folder_ = fs::temp_directory_path() / ("tvp_limits_" + std::to_string(getpid()));
};

TEST_F(Limits, AreTheListsUnderTheHeading) {
  readme("", "# models\n\n## Limits\n\n* of no model\n");
  readme("noc",
         "# noc\n\n* modelled\n\n## Limits\n\n* one\n* two goes\n  on\n\n## More\n\n* not\n");
  readme("dram/banks", "# banks\n\nNothing said.\n");
  const auto limits = read_limits(folder_.string());
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].model, "dram/banks");
  EXPECT_TRUE(limits[0].limits.empty());
  EXPECT_EQ(limits[1].model, "noc");
  EXPECT_EQ(limits[1].limits, (std::vector<std::string>{"one", "two goes on"}));
}

TEST_F(Limits, AMissingFolderIsNamed) {
  EXPECT_TRUE(
      tvp::test::faults([&] { read_limits((folder_ / "nowhere").string()); }, {}, {"nowhere"}));
}

}  // namespace
}  // namespace tvp::cli
