#include <filesystem>
#include <fstream>
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
  test::expect("validate --deviations 1000 --only " + only + " --json " + path("rows.json"), 0, {});
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

/// Families of a folder's tables. Rings of eight chips take half a minute each, so they run by name.
std::vector<std::string> families(bool rings) {
  std::set<std::string> all;
  const std::string key = "family = \"";
  for (const auto& entry : std::filesystem::directory_iterator(TVP_VALIDATION_FOLDER)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.rfind(key, 0) == 0) all.insert(line.substr(key.size(), line.rfind('"') - key.size()));
  }
  std::erase_if(all, [&](const std::string& each) { return (each == "fabric_rings") != rings; });
  return {all.begin(), all.end()};
}

INSTANTIATE_TEST_SUITE_P(Families, Calibration, ::testing::ValuesIn(families(false)),
                         [](const auto& each) { return each.param; });
INSTANTIATE_TEST_SUITE_P(LinesOfTheRings, Calibration, ::testing::Values("fabric_ring.chips=4"));
INSTANTIATE_TEST_SUITE_P(DISABLED_Rings, Calibration, ::testing::ValuesIn(families(true)));

}  // namespace
}  // namespace tvp
