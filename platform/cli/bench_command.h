#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tvp::cli {

/// What `vp bench` was asked for.
struct BenchOptions {
  std::optional<std::string> name;  ///< all of them without
  std::optional<std::string> json_file;
  bool is_short = false;  ///< shows that they run; the figures say little
};

/// `vp bench`: runs the benchmarks one after the other, each in a process of its own, and prints
/// their figures beside the bars.
class BenchCommand {
 public:
  explicit BenchCommand(BenchOptions options);
  ~BenchCommand();
  BenchCommand(const BenchCommand&) = delete;
  BenchCommand& operator=(const BenchCommand&) = delete;

  /// Returns the exit code: that of the first benchmark that failed. A bar that is missed fails
  /// nothing, because it depends on the machine and on what else runs on it.
  int execute();

 private:
  using Json = nlohmann::ordered_json;

  /// Measures one; appends to `rows_`.
  int run(std::string_view name);
  int run_executable(const std::string& name);
  int run_sdpa();
  /// Runs the workload once and reads its report.
  int report_of_sdpa(Json& report) const;
  void add(const char* bench, const char* metric, double value, const char* unit,
           const char* better, std::optional<double> bar);
  void print_rows(std::size_t from) const;

  BenchOptions options_;
  std::filesystem::path folder_;  ///< of this process, removed at the end
  Json rows_ = Json::array();
};

}  // namespace tvp::cli
