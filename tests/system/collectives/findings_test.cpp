// Compares sw/collectives/FINDINGS.md with runs of all its rows.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <sstream>

#include "tests/support/program.h"

namespace tvp {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Texts must be equal, numbers within 10 %, since a better model does not refute a claim.
void expect_alike(const std::string& found, const std::string& wanted) {
  const char* a = found.c_str();
  const char* b = wanted.c_str();
  while (*a != 0 && *b != 0) {
    if (std::isdigit(static_cast<unsigned char>(*a)) &&
        std::isdigit(static_cast<unsigned char>(*b))) {
      char* a_end = nullptr;
      char* b_end = nullptr;
      const double x = std::strtod(a, &a_end);
      const double y = std::strtod(b, &b_end);
      EXPECT_NEAR(x, y, 0.1 * y) << found;
      a = a_end;
      b = b_end;
      continue;
    }
    if (*a++ != *b++) break;
  }
  EXPECT_TRUE(*a == 0 && *b == 0) << found << "\nand in FINDINGS.md\n" << wanted;
}

TEST(Findings, OnMachinesAreOfToday) {
  const test::Outcome today = test::vp("collectives findings");
  ASSERT_EQ(today.exit_code, 0) << today.output;
  const std::vector<std::string> found = lines_of(today.output);
  const std::vector<std::string> wanted =
      lines_of(test::read_file(TVP_SOURCE_FOLDER "/sw/collectives/FINDINGS.md"));
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_alike(found[i], wanted[i]);
}

}  // namespace
}  // namespace tvp
