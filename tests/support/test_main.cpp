#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <systemc>

namespace {

/// --file=niu_test.cpp: only what stands in that file. Tests of several files are one program, and
/// SystemC serves one of them in a process.
bool choose_file(const char* name) {
  const std::string end = std::string("/") + name;
  std::string chosen;
  const auto& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      const std::string file = test.file();
      if (file.size() < end.size() ||
          file.compare(file.size() - end.size(), end.size(), end) != 0) {
        continue;
      }
      chosen += std::string(chosen.empty() ? "" : ":") + suite.name() + "." + test.name();
    }
  }
  GTEST_FLAG_SET(filter, chosen);
  return !chosen.empty();
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  ::testing::InitGoogleTest(&argc, argv);
  constexpr const char* kFile = "--file=";
  if (argc > 1 && std::strncmp(argv[1], kFile, std::strlen(kFile)) == 0 &&
      !choose_file(argv[1] + std::strlen(kFile))) {
    std::fprintf(stderr, "%s: no tests of that file\n", argv[1]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
