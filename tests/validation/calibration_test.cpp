#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tvp {
namespace {

/// Checks the noted deviations against the model's figures.
constexpr double kMeasuredTolerance = 0.01;

class Calibration : public test::FolderTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(Calibration, HoldsToPublishedSilicon) {
  const std::string& only = GetParam();
  // The limit of rows that are known to be off applies to the whole table only.
  test::expect("validate --deviations 1000 --only '" + only + "' --json " + path("rows.json"), 0,
               {});
  const nlohmann::json rows = test::read_json(path("rows.json"));
  ASSERT_TRUE(rows.is_array());
  EXPECT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const std::string name = row.at("row");
    ASSERT_TRUE(row.at("simulated").is_number()) << name;
    const double simulated = row.at("simulated");
    const double published = row.at("published");
    EXPECT_EQ(row.at("warnings"), 0) << name;
    EXPECT_DOUBLE_EQ(row.at("error").get<double>(), simulated / published - 1) << name;
    const double tolerance = row.at("tolerance");
    const auto drawn = row.at("drawn").get<std::vector<double>>();
    const auto span = row.at("published_span").get<std::vector<double>>();
    const bool within =
        drawn.at(1) >= span.at(0) * (1 - tolerance) && drawn.at(0) <= span.at(1) * (1 + tolerance);
    if (row.at("known_deviation").is_null()) {
      EXPECT_TRUE(within) << name << ": " << simulated << " instead of " << published;
    } else {
      EXPECT_FALSE(within) << name << " is not off any more";
      const double measured = row.at("known_measured");
      EXPECT_NEAR(simulated, measured, measured * kMeasuredTolerance) << name;
    }
  }
}

/// Families that take a minute and more, and the text of the rows of them that every run checks.
const std::map<std::string, std::string> kLongFamilies = {
    {"compute", "matmul 512x512x256 8 times, LoFi"},
    {"dram_crowds", "48 tiles write 12 channels, NoC 0, dynamic"},
    {"dram_read_rows", "8 tiles read 8 channels"},
    {"dram_rows", "4 tiles write to a channel"},
    {"fabric_rings", "fabric_ring.chips=4"},
    {"multicast", "linked multicasts to 5 x 5, 8192 B"},
    {"noc_dispatched", "to 2 x 2 from outside, 8192 B"},
    {"noc_patterns", "16 reads from all tiles"},
    {"noc_read_crowds", "5 x 5, all read from all,"},
    {"noc_write_crowds", "5 x 5, all write to all,"}};

std::vector<std::string> families() {
  std::set<std::string> all;
  const std::string key = "family = \"";
  for (const auto& entry : std::filesystem::directory_iterator(TVP_VALIDATION_FOLDER)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.rfind(key, 0) == 0)
        all.insert(line.substr(key.size(), line.rfind('"') - key.size()));
  }
  return {all.begin(), all.end()};
}

std::vector<std::string> texts(bool whole_families) {
  std::vector<std::string> result;
  for (const std::string& family : families()) {
    const auto sample = kLongFamilies.find(family);
    result.push_back(whole_families || sample == kLongFamilies.end() ? family : sample->second);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Families, Calibration, ::testing::ValuesIn(texts(false)));
INSTANTIATE_TEST_SUITE_P(DISABLED_WholeFamilies, Calibration, ::testing::ValuesIn(texts(true)));

TEST(LongFamilies, Exist) {
  const std::vector<std::string> all = families();
  for (const auto& [family, rows] : kLongFamilies)
    EXPECT_EQ(std::ranges::count(all, family), 1) << family;
}

}  // namespace
}  // namespace tvp
