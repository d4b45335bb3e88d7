// Profiles of the built program: where the cycles of cores go.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tvp {
namespace {

using test::expect;
using Row = std::map<std::string, std::string>;

/// The fields of a line of a CSV file.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

class Profile : public test::FolderTest {
 protected:
  /// The rows of the profile of a run.
  std::vector<Row> rows_of(const std::string& run) {
    expect("run " + run + " --quiet --report " + path("r.json") + " --profile " + path("p.csv"), 0,
           {});
    report_ = test::read_json(path("r.json"));
    std::istringstream lines(test::read_file(path("p.csv")));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = fields_of(line);
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
      const std::vector<std::string> fields = fields_of(line);
      EXPECT_EQ(fields.size(), names.size()) << line;
      Row& row = rows.emplace_back();
      for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) row[names[i]] = fields[i];
    }
    return rows;
  }
  /// Cycles of the rows with this value in a column.
  static std::uint64_t sum(const std::vector<Row>& rows, const std::string& of,
                           const std::string& column = "version", const std::string& value = "1") {
    std::uint64_t sum = 0;
    for (const Row& row : rows)
      if (row.at(column) == value) sum += std::stoull(row.at(of));
    return sum;
  }
  /// The cycles of each core are those of the run, and each has a purpose.
  void expect_complete(const std::vector<Row>& rows) const {
    const nlohmann::ordered_json& profile = report_["profile"];
    std::map<std::string, std::uint64_t> of_core;
    for (const Row& row : rows) of_core[row.at("core")] += std::stoull(row.at("cycles"));
    EXPECT_EQ(of_core.size(), profile["cores"]);
    for (const auto& [core, cycles] : of_core) EXPECT_EQ(cycles, of_core.begin()->second) << core;
    std::uint64_t spent = 0;
    for (const auto& [name, cycles] : profile["spent"].items()) {
      EXPECT_EQ(cycles, sum(rows, name)) << name;
      spent += cycles.get<std::uint64_t>();
    }
    EXPECT_EQ(spent, profile["cycles"]);
    EXPECT_EQ(spent, sum(rows, "cycles"));
  }

  nlohmann::ordered_json report_;
};

TEST_F(Profile, NamesLinesAndPurposesOfAMatrixMultiplication) {
  const std::vector<Row> rows = rows_of("matmul");
  expect_complete(rows);
  // The jumps at the reset addresses have no line.
  EXPECT_LE(report_["profile"]["cycles_without_line"], 10);
  // All cores start with the run, which ends up to a poll of the host later.
  EXPECT_GE(sum(rows, "cycles", "core", "D0 (1,1) BRISC"),
            report_["simulated_ps"].get<std::uint64_t>() / 1000);
  EXPECT_GT(sum(rows, "circular_buffer", "called", "cb_wait_front"), 1000u);
  EXPECT_GT(sum(rows, "noc", "called", "noc_async_read_barrier"), 100u);
  EXPECT_GT(sum(rows, "coprocessor"), 10'000u);
  EXPECT_EQ(sum(rows, "semaphore") + sum(rows, "dma"), 0u);
  for (const Row& row : rows) {
    if (row.at("called") != "cb_wait_front") continue;
    EXPECT_NE(row.at("file").find("firmware/kernels/"), std::string::npos) << row.at("file");
    EXPECT_EQ(row.at("circular_buffer") == "0" && row.at("busy") == "0", false);
  }
}

TEST_F(Profile, KnowsPimUnitsAndTasklets) {
  expect_complete(rows_of("pim_allreduce --set bytes=256"));
  EXPECT_GT(report_["profile"]["spent"]["noc"], 0);
  const std::vector<Row> rows = rows_of("pim_prim --set elements=4096");
  expect_complete(rows);
  EXPECT_GT(sum(rows, "dma", "called", "dma_read"), 100u);
}

TEST_F(Profile, WritesTheSameCyclesForThreeTools) {
  const std::string run = "run noc_exchange --profile ";
  expect(run + path("p.callgrind") + " --report " + path("r.json"), 0,
         {"profile ", " cores, ", "without source line 0.0 %", "busy ", "semaphore "});
  const std::uint64_t cycles = test::read_json(path("r.json"))["profile"]["cycles"];
  std::istringstream callgrind(test::read_file(path("p.callgrind")));
  std::uint64_t summary = 0, lines = 0;
  std::string line;
  bool is_cost = false;
  while (std::getline(callgrind, line)) {
    if (line.starts_with("summary: ")) summary = std::stoull(line.substr(9));
    if (is_cost) lines += std::stoull(line.substr(line.find(' ') + 1));
    is_cost = line.starts_with("fn=");
  }
  EXPECT_EQ(summary, cycles);
  EXPECT_EQ(lines, cycles);

  expect(run + path("p.folded"), 0, {});
  std::istringstream folded(test::read_file(path("p.folded")));
  std::uint64_t stacks = 0;
  while (std::getline(folded, line)) stacks += std::stoull(line.substr(line.rfind(' ') + 1));
  EXPECT_EQ(stacks, cycles);
  EXPECT_NE(test::read_file(path("p.folded")).find(";noc_semaphore_wait_min;[semaphore] "),
            std::string::npos);
  // A host program gets the same.
  expect("exec --profile " + path("e.folded") + " -- " + test::kProgram + " run noc_exchange", 0,
         {});
  EXPECT_EQ(test::read_file(path("e.folded")), test::read_file(path("p.folded")));
}

TEST_F(Profile, WritesTheLogOfTheDeviceProfiler) {
  const std::string file = path("profile_log_device.csv");
  expect("run noc_exchange --quiet --profile " + file, 0, {});
  std::istringstream lines(test::read_file(file));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 80");
  std::getline(lines, line);
  EXPECT_EQ(line,
            "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], "
            "data, run host ID, trace id, trace id counter, zone name, type, source line, source "
            "file, meta data");
  // The kernel's zone lies in that of the firmware.
  std::map<std::string, std::vector<std::string>> of_core;
  std::map<std::string, std::uint64_t> time_of;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = fields_of(line);
    ASSERT_EQ(fields.size(), 15u) << line;
    const std::string core = fields[1] + "," + fields[2] + " " + fields[3];
    of_core[core].push_back(fields[10] + " " + fields[11]);
    EXPECT_GE(std::stoull(fields[5]), time_of[core]) << line;
    time_of[core] = std::stoull(fields[5]);
  }
  EXPECT_EQ(of_core["1,1 BRISC"],
            (std::vector<std::string>{"BRISC-FW ZONE_START", "BRISC-KERNEL ZONE_START",
                                      "BRISC-KERNEL ZONE_END", "BRISC-FW ZONE_END"}));
  expect("run pim_allreduce --set bytes=256 --profile " + file, 2, {"profile.file", "no chips"});
}

TEST_F(Profile, RefusesFilesAndSystemsThatItCannotServe) {
  expect("run noc_exchange --profile p.txt", 2,
         {"p.txt", "expected a name that ends in .callgrind, .folded or .csv"});
  expect("run noc_exchange --profile /nowhere/p.csv", 2, {"/nowhere/p.csv"});
  expect("run mesh --profile " + path("p.csv"), 2, {"profile.file", "no cores to profile"});
  expect("run noc_exchange --report " + path("p.csv") + " --profile " + path("p.csv"), 2,
         {"--profile", "--report"});
}

}  // namespace
}  // namespace tvp
