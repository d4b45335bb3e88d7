#include "sw/report/sweep_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "sw/report/report_page.h"
#include "tests/unit/report/browser.h"

namespace tvp::report::sweep_report_test {
namespace {

using Json = nlohmann::ordered_json;

/// Times of two phases over a width and two seeds; the last run hangs.
SweepReport example() {
  SweepReport sweep;
  sweep.workload = "exchange";
  sweep.common = {{"system", "pair"}};
  sweep.settings = {{"exchange.rounds", "3"}};
  sweep.keys = {{"link.width", "B", "32", {"16", "32"}}, {"seed", "", "1", {"1", "2"}}};
  const auto run = [](const std::string& width, const std::string& seed, double send,
                      double whole) {
    SweptRun r;
    r.values = {width, seed};
    r.status = "passed";
    r.exit_code = 0;
    r.report_file = "link.width=" + width + ",seed=" + seed + ".json";
    r.identity = "id" + width + seed;
    r.figures = {{"send", "ns", send}, {"fixed", "", 7}, {"whole", "ns", whole}};
    return r;
  };
  sweep.runs = {run("16", "1", 200, 400), run("16", "2", 220, 440), run("32", "1", 100, 300),
                run("32", "2", 0, 0)};
  sweep.runs[3].status = "hang";
  sweep.runs[3].exit_code = 4;
  sweep.runs[3].reason = "core 0 waits\nfor core 1, \"for ever\"";
  sweep.runs[3].figures.clear();
  return sweep;
}

TEST(SweepReport, FiguresArePhasesAndMetrics) {
  const Json report = Json::parse(R"({"simulated_ns": 26000.5,
      "phases": [{"name": "send", "begin_ns": 10.5, "end_ns": 30}],
      "metrics": {"latency": {"value": 3.5, "unit": "cycles"},
                  "send": {"value": 9, "unit": ""}, "error": {"value": "inf", "unit": ""}}})");
  const auto figures = figures_of(report);
  ASSERT_EQ(figures.size(), 4u);
  EXPECT_EQ(figures[0].name, "send");
  EXPECT_EQ(figures[0].unit, "ns");
  EXPECT_DOUBLE_EQ(figures[0].value, 19.5);
  EXPECT_EQ(figures[1].name, "latency");
  EXPECT_EQ(figures[1].unit, "cycles");
  EXPECT_EQ(figures[2].name, "send (metric)");
  EXPECT_EQ(figures[3].name, "simulated time");
  EXPECT_DOUBLE_EQ(figures[3].value, 26000.5);
}

TEST(SweepReport, RunsAreComparedWithTheDefaultsElseTheFirst) {
  SweepReport sweep = example();
  EXPECT_EQ(sweep.baseline(), 2u);
  sweep.keys[0].default_value = "32.0";
  EXPECT_EQ(sweep.baseline(), 2u);
  sweep.keys[0].default_value = "64";
  EXPECT_EQ(sweep.baseline(), 0u);
}

TEST(SweepReport, ShowsWhatDiffersUnlessToldWhat) {
  SweepReport sweep = example();
  EXPECT_EQ(sweep.shown(), (std::vector<std::string>{"whole", "send"}));
  sweep.wanted = {"fixed"};
  EXPECT_EQ(sweep.shown(), (std::vector<std::string>{"fixed"}));
  sweep = example();
  sweep.runs.resize(1);
  EXPECT_EQ(sweep.shown(), (std::vector<std::string>{"send"}));
}

TEST(SweepReport, TheTablePutsFiguresBesideThoseOfTheBase) {
  EXPECT_EQ(example().to_table(),
            "  link.width, B  seed  status  whole, ns            send, ns\n"
            "             16     1  passed        400  +33.33 %       200  +100.00 %\n"
            "             16     2  passed        440  +46.67 %       220  +120.00 %\n"
            "             32     1  passed        300      base       100       base\n"
            "             32     2  hang            -         -         -          -\n"
            "  link.width=32, seed=2: core 0 waits\n");
}

TEST(SweepReport, LongFiguresHaveNoExponent) {
  SweepReport sweep = example();
  sweep.runs[0].figures[2].value = 1022249.7;
  sweep.runs[1].figures[2].value = 0.0182482;
  EXPECT_NE(sweep.to_table().find(" 1022250 "), std::string::npos) << sweep.to_table();
  EXPECT_NE(sweep.to_table().find(" 0.0182482 "), std::string::npos) << sweep.to_table();
}

TEST(SweepReport, RunsThatFailedHaveATableOfTheirOwn) {
  SweepReport sweep = example();
  sweep.keys[1].key = "a\"b";
  EXPECT_EQ(sweep.passed().to_csv(),
            "\"link.width, B\",\"a\"\"b\",report,\"send, ns\",fixed,\"whole, ns\"\n"
            "16,1,\"link.width=16,seed=1.json\",200,7,400\n"
            "16,2,\"link.width=16,seed=2.json\",220,7,440\n"
            "32,1,\"link.width=32,seed=1.json\",100,7,300\n");
  EXPECT_EQ(sweep.failed().to_csv(),
            "\"link.width, B\",\"a\"\"b\",exit_code,status,error,report\n"
            "32,2,4,hang,\"core 0 waits\nfor core 1, \"\"for ever\"\"\","
            "\"link.width=32,seed=2.json\"\n");
}

TEST(SweepReport, ARecordIsReadByItsRunOnly) {
  const SweepReport sweep = example();
  for (const SweptRun& run : sweep.runs) {
    SweptRun again;
    again.identity = run.identity;
    const std::string text = record_of(run).dump();
    ASSERT_TRUE(read_record(text, again));
    EXPECT_EQ(again.status, run.status);
    EXPECT_EQ(again.exit_code, run.exit_code);
    EXPECT_EQ(again.reason, run.reason);
    ASSERT_EQ(again.figures.size(), run.figures.size());
    for (std::size_t f = 0; f < run.figures.size(); ++f) {
      EXPECT_EQ(again.figures[f].name, run.figures[f].name);
      EXPECT_EQ(again.figures[f].unit, run.figures[f].unit);
      EXPECT_EQ(again.figures[f].value, run.figures[f].value);
    }
    again.identity = "another";
    EXPECT_FALSE(read_record(text, again));
    again.identity = run.identity;
    for (std::size_t size = 0; size < text.size(); ++size)
      EXPECT_FALSE(read_record(text.substr(0, size), again)) << size;
  }
}

TEST(SweepReport, JsonIsReadBack) {
  const auto file =
      std::filesystem::temp_directory_path() / ("tvp_sweep_" + std::to_string(getpid()) + ".json");
  const SweepReport sweep = example();
  const Json json = sweep.to_json();
  EXPECT_EQ(json["runs"][1]["values"], Json::parse(R"({"link.width": 16, "seed": 2})"));
  EXPECT_EQ(json["runs"][1]["figures"]["whole"], 440);
  EXPECT_EQ(json["baseline"], 2);
  std::ofstream(file) << json.dump();
  const SweepReport again = read_sweep(file.string());
  EXPECT_EQ(again.workload, sweep.workload);
  EXPECT_EQ(again.common, sweep.common);
  EXPECT_EQ(again.settings, sweep.settings);
  ASSERT_EQ(again.runs.size(), 4u);
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(again.runs[r].values, sweep.runs[r].values);
    EXPECT_EQ(again.runs[r].exit_code, sweep.runs[r].exit_code);
    EXPECT_EQ(again.runs[r].identity, sweep.runs[r].identity);
  }
  for (const char* bad : {"{", "[]", "{\"schema\": 2}", "{\"schema\": 1, \"workload\": 3}"}) {
    std::ofstream(file) << bad;
    EXPECT_THROW(read_sweep(file.string()), foundation::Fault) << bad;
  }
  std::filesystem::remove(file);
  EXPECT_THROW(read_sweep(file.string()), foundation::Fault);
}

/// Counts curves and table rows in the browser's document.
TEST(SweepReport, ABrowserDrawsThePage) {
  const auto dom = document_of(sweep_page(example().to_json()));
  if (!dom) GTEST_SKIP() << "no chromium here";
  const auto count = [&](const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = dom->find(what); at != std::string::npos; at = dom->find(what, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(count("<svg"), 2u);  // whole and send, over the width
  EXPECT_EQ(count("<title>whole, mean and range over seeds: 16, 420</title>"), 1u);
  EXPECT_EQ(count("<title>whole, mean and range over seeds: 32, 300</title>"), 1u);
  EXPECT_EQ(count("<line class=\"range\""), 4u);
  EXPECT_EQ(count("3 of 4 runs passed"), 1u);
  EXPECT_EQ(count("for core 1, \"for ever\"</div>"), 1u);
  EXPECT_EQ(count("+33.33 %</td>"), 2u);  // among the figures shown, and among all
  EXPECT_EQ(count("class=\"failed\""), 0u);
}

}  // namespace
}  // namespace tvp::report::sweep_report_test
