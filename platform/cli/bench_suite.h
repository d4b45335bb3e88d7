#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/scratch/scratch_folder.h"

namespace tvp::cli {

/// Options of `vp bench`.
struct BenchOptions {
  std::optional<std::string> name;  ///< empty: all of them
  std::optional<std::string> json_file;
  bool is_short = false;  ///< shows that they work; the figures are not meaningful
};

/// Runs the benchmarks one after the other, each in a process of its own. Prints their figures and
/// bars.
class BenchSuite {
 public:
  explicit BenchSuite(BenchOptions options);

  /// Returns the exit code of the first failed benchmark. A missed bar is no failure, since it
  /// depends on the machine and its load.
  int execute();

 private:
  /// One figure; its JSON is that of tests/support/bench_report.
  struct Row {
    std::string bench;
    std::string metric;
    double value = 0;
    std::string unit;
    std::string better;  ///< higher or lower
    std::optional<double> bar;
  };

  /// Measures one benchmark and appends to `rows_`.
  int run(std::string_view name);
  int run_executable(const std::string& name);
  int run_sdpa();
  /// Runs the workload once and reads its report.
  int report_of_sdpa(nlohmann::ordered_json& report) const;
  nlohmann::ordered_json to_json() const;
  void print_rows(std::size_t from) const;

  BenchOptions options_;
  foundation::ScratchFolder folder_;
  std::vector<Row> rows_;
};

}  // namespace tvp::cli
