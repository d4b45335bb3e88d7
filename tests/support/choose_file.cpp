#include "tests/support/choose_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace tvp::test {

bool choose_file(int argc, char** argv) {
  const std::string argument = argc > 1 ? argv[1] : "";
  const std::string option = "--file=";
  if (argument.rfind(option, 0) != 0) return true;
  const std::string end = "/" + argument.substr(option.size());
  std::string chosen;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      if (!std::string_view(test.file()).ends_with(end)) continue;
      chosen += std::string(chosen.empty() ? "" : ":") + suite.name() + "." + test.name();
    }
  }
  GTEST_FLAG_SET(filter, chosen);
  if (chosen.empty()) std::fprintf(stderr, "%s: no tests of that file\n", argv[1]);
  return !chosen.empty();
}

}  // namespace tvp::test
