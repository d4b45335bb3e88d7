#include "sw/report/report_comparison.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::report::report_comparison_test {
namespace {

using Json = nlohmann::ordered_json;

Json example() {
  return Json::parse(R"({
    "schema": 1, "workload": "sdpa", "system": "quad_ring", "status": "passed",
    "simulated_ns": 20000.0, "state_digest": "AB", "seed": 1,
    "phases": [{"name": "round 1", "begin_ns": 100, "end_ns": 1100},
               {"name": "old", "begin_ns": 0, "end_ns": 5}],
    "metrics": {"bandwidth": {"value": 10.5, "unit": "B/ns"}, "zero": {"value": 0, "unit": ""}},
    "settings": {"noc.hop_cycles": {"value": "9", "is_default": true},
                 "riscv.retire": {"value": "8", "is_default": true},
                 "gone.default": {"value": "1", "is_default": true},
                 "gone.set": {"value": "2", "is_default": false}}})");
}

/// The line of a table that begins with `name`, with single blanks.
std::string line_of(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\n  " + name + " ");
  if (at == std::string::npos) return "";
  const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  std::string words;
  for (const char c : line) {
    if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
  }
  return words;
}

TEST(ReportComparison, SaysByHowMuchBDiffersFromA) {
  const Json a = example();
  Json b = a;
  b["simulated_ns"] = 25000.0;
  b["state_digest"] = "CD";
  b["phases"][0]["end_ns"] = 850;
  b["phases"].erase(1);
  b["phases"].push_back({{"name", "new"}, {"begin_ns", 1}, {"end_ns", 4}});
  b["metrics"]["bandwidth"]["value"] = 10.5;
  b["metrics"]["zero"]["value"] = 3;
  b["settings"]["noc.hop_cycles"]["value"] = "18";
  b["settings"].erase("gone.default");
  b["settings"].erase("gone.set");
  const std::string text = compare(a, b);
  EXPECT_EQ(text.rfind("A: sdpa on quad_ring, passed\nB: sdpa on quad_ring, passed\n", 0), 0u);
  EXPECT_EQ(line_of(text, "simulated_ns"), "simulated_ns 20000 ns 25000 ns +25.00 %");
  EXPECT_EQ(line_of(text, "state_digest"), "state_digest AB CD differs");
  EXPECT_EQ(line_of(text, "seed"), "seed 1 1 same");
  EXPECT_EQ(line_of(text, "round 1"), "round 1 1000 ns 750 ns -25.00 %");
  EXPECT_EQ(line_of(text, "old"), "old 5 ns - only in A");
  EXPECT_EQ(line_of(text, "new"), "new - 3 ns only in B");
  EXPECT_EQ(line_of(text, "bandwidth"), "bandwidth 10.5 B/ns 10.5 B/ns same");
  EXPECT_EQ(line_of(text, "zero"), "zero 0 3 differs");
  EXPECT_EQ(line_of(text, "noc.hop_cycles"), "noc.hop_cycles 9 18");
  EXPECT_EQ(line_of(text, "gone.set"), "gone.set 2 - only in A");
  EXPECT_EQ(line_of(text, "riscv.retire"), "");
  EXPECT_EQ(line_of(text, "gone.default"), "");
}

TEST(ReportComparison, BadFilesAreNamedWithTheKey) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tvp_compare_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "r.json").string();
  const auto fails_with = [&](const std::string& content, const std::string& part) {
    std::ofstream(file) << content;
    EXPECT_TRUE(tvp::test::faults([&] { read_report(file); }, foundation::FaultKind::kDescription,
                                  {file, part}))
        << content;
  };
  fails_with("{\"a\": ", "is not JSON");
  fails_with("[1]", "expected an object");
  fails_with(std::string(200'000, '[') + std::string(200'000, ']'), "values nest too deeply");
  fails_with("{}", "no key 'schema'");
  const auto changed = [](const char* key, const Json& value) {
    Json json = example();
    json[key] = value;
    return json.dump();
  };
  fails_with(changed("schema", 2), "'schema': expected 1");
  fails_with(changed("workload", 7), "'workload': expected a string");
  fails_with(changed("phases", 7), "'phases': expected an array");
  fails_with(changed("phases", Json::parse(R"([{"name": "x"}])")), "begin_ns and end_ns");
  fails_with(changed("metrics", Json::parse(R"({"m": 1})")), "'metrics.m'");
  fails_with(changed("settings", Json::parse("[]")), "'settings': expected an object");
  std::ofstream(file) << example().dump();
  EXPECT_EQ(read_report(file), example());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tvp::report::report_comparison_test
