#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/scratch_folder.h"

namespace tvp::cli {

/// What `vp bench` was asked for.
struct BenchOptions {
  std::optional<std::string> name;  ///< all of them without
  std::optional<std::string> json_file;
  bool is_short = false;  ///< shows that they run; the figures say little
};

/// Runs the benchmarks one after the other, each in a process of its own, and prints
/// their figures beside the bars.
class BenchSuite {
 public:
  explicit BenchSuite(BenchOptions options);

  /// Returns the exit code: that of the first benchmark that failed. A bar that is missed fails
  /// nothing, because it depends on the machine and on what else runs on it.
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

  /// Measures one; appends to `rows_`.
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
