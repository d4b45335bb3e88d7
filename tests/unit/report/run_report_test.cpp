#include "sw/report/run_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace tvp::report::run_report_test {
namespace {

struct Keys : foundation::SettingGroup {
  Keys() : SettingGroup("sdpa", SetBy::kRun) {}
  foundation::Setting<unsigned> head_dim{
      *this, {"head_dim", "", "", "assumed"}, {.value = 128, .min = 32, .max = 512}};
};

RunReport example() {
  Keys keys;
  keys.head_dim.set("192");
  RunReport r;
  r.workload = "sdpa";
  r.system = "quad_ring";
  r.status = Status::kPassed;
  r.seed = 7;
  r.wall_s = 0.5;
  r.result.passed = true;
  r.result.max_rel_error = 0.004;
  r.result.error_bound = 0.01;
  r.result.phases = {{"round 1", 1000, 3000}};
  r.result.remarks = {"round 1: 2000 ns, estimated 1000 ns: queueing"};
  r.result.metrics = {{"packet", 4096, "bytes"}};
  r.ended_ps = 12345678;
  r.library_report =
      R"({"simulated_ps": 14000000, "executed_instructions": 1000000, "slept_instructions": 5,
          "state_digest": "abc", "cores": [{"name": "c"}], "metrics": {"x": {"value": 1, "unit": ""}}})";
  r.library_settings =
      R"([{"key": "noc.hop_cycles", "value": "9", "is_default": true, "source": "ISA"},
          {"key": "dram.latency", "value": "1", "is_default": true, "source": "assumed; fitted"}])";
  r.workload_settings = settings_to_json(keys);
  return r;
}

TEST(RunReport, SimulatedTimeIsThatOfTheEndElseThatOfTheStop) {
  RunReport r = example();
  EXPECT_EQ(r.simulated_ps(), 12345678u);
  r.ended_ps = 0;  // not noted: that of the last phase
  EXPECT_EQ(r.simulated_ps(), 3000000u);
  r.result.phases.clear();
  EXPECT_EQ(r.simulated_ps(), 14000000u);
  r = example();
  r.status = Status::kHang;
  EXPECT_EQ(r.simulated_ps(), 14000000u);
}

TEST(RunReport, SharesOfTimeAreThoseOfTheSimulatedTime) {
  RunReport r = example();
  r.ended_ps = 7'000'000;
  r.library_report = R"({"simulated_ps": 14000000, "heatmaps": [
      {"name": "a", "unit": "% of simulated time", "rows": 1, "columns": 2,
       "values": [[10, null]]},
      {"name": "b", "unit": "flits/cycle", "rows": 1, "columns": 1, "values": [[10]]}]})";
  const auto json = r.to_json();
  EXPECT_DOUBLE_EQ(json["heatmaps"][0]["values"][0][0], 20);
  EXPECT_TRUE(json["heatmaps"][0]["values"][0][1].is_null());
  EXPECT_DOUBLE_EQ(json["heatmaps"][1]["values"][0][0], 10);
}

TEST(RunReport, JsonHasEveryKeyOfTheContract) {
  const auto json = example().to_json();
  for (const char* key : {"schema",
                          "version",
                          "workload",
                          "system",
                          "status",
                          "reason",
                          "passed",
                          "error",
                          "simulated_ps",
                          "simulated_ns",
                          "wall_s",
                          "cpu_s",
                          "compile_s",
                          "executed_instructions",
                          "slept_instructions",
                          "mips",
                          "state_digest",
                          "phases",
                          "metrics",
                          "cores",
                          "links",
                          "dram",
                          "settings",
                          "assumed",
                          "seed",
                          "machine"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["simulated_ps"], 12345678u);
  EXPECT_DOUBLE_EQ(json["simulated_ns"], 12345.678);
  EXPECT_DOUBLE_EQ(json["mips"], 2.0);
  EXPECT_EQ(json["settings"]["sdpa.head_dim"]["value"], "192");
  EXPECT_EQ(json["settings"]["sdpa.head_dim"]["is_default"], false);
  EXPECT_EQ(json["assumed"], (nlohmann::ordered_json{"dram.latency", "sdpa.head_dim"}));
  EXPECT_EQ(json["metrics"]["packet"]["value"], 4096);
  EXPECT_EQ(json["metrics"]["x"]["value"], 1);
  EXPECT_EQ(json["remarks"][0], "round 1: 2000 ns, estimated 1000 ns: queueing");
}

TEST(RunReport, WildErrorsStillMakeValidJson) {
  RunReport r = example();
  r.result.max_abs_error = std::numeric_limits<double>::infinity();
  r.result.max_rel_error = std::numeric_limits<double>::quiet_NaN();
  const auto json = nlohmann::json::parse(r.to_json().dump());
  EXPECT_EQ(json["error"]["max_abs"], "inf");
  EXPECT_EQ(json["error"]["max_rel"], "nan");
}

TEST(RunReport, TableSaysWhatHappened) {
  const std::string table = example().to_table();
  for (const char* part :
       {"sdpa on quad_ring: passed", "12346 ns", "1 000 000 executed", "2.0 MIPS", "round 1",
        "2000", "bound 0.01", "estimated 1000 ns: queueing"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
  }
}

TEST(RunReport, WhereAWrongResultComesFromStandsBelowIt) {
  RunReport report = example();
  report.status = Status::kWrongResult;
  report.reason = "results differ\nchip0 has written it\n  in kernel_main";
  EXPECT_NE(
      report.to_table().find("  results differ\n  chip0 has written it\n    in kernel_main\n"),
      std::string::npos);
}

TEST(RunReport, TableEndsWithWarnings) {
  RunReport r = example();
  r.library_report = R"({"warnings": ["chip0: a wait is missing\n  in reader.cpp:7", "another"]})";
  const std::string table = r.to_table();
  const std::string end =
      "\n\n  warning: chip0: a wait is missing\n    in reader.cpp:7\n  warning: another\n";
  ASSERT_GE(table.size(), end.size());
  EXPECT_EQ(table.substr(table.size() - end.size()), end);
}

TEST(RunReport, MetricsStandInOneColumn) {
  RunReport r = example();
  r.result.metrics = {{"short", 1234567, "bytes"}, {"a rather long name, longest", 2.5, "ns"}};
  const std::string table = r.to_table();
  const auto column = [&](const std::string& name, const std::string& value) {
    const std::size_t line = table.find("  " + name);
    return table.find(value, line) - line;
  };
  EXPECT_EQ(column("short", "1 234 567 bytes"), column("a rather long name, longest", "2.5 ns"));
}

TEST(RunReport, ExitCodesAreThoseOfTheContract) {
  EXPECT_EQ(static_cast<int>(Status::kHang), 4);
  EXPECT_EQ(static_cast<int>(Status::kTimeLimit), 5);
  EXPECT_EQ(static_cast<int>(Status::kInterrupted), 130);
}

}  // namespace
}  // namespace tvp::report::run_report_test
