#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvp::test {

/// CPU time of this process in seconds. A loaded machine changes it less than wall time.
double cpu_seconds();

/// The results of a benchmark. Parses the command line of all benchmarks and writes the file that
/// `vp bench` reads.
class BenchReport {
 public:
  enum class Better { kHigher, kLower };

  /// Parses `[--short] [--json FILE]`. Ends the process with exit code 2 for other arguments.
  BenchReport(std::string bench, int argc, char** argv);

  /// A short benchmark shows that the benchmark works; its figures are not meaningful.
  bool is_short() const { return is_short_; }

  void add(std::string metric, double value, std::string unit, Better better,
           std::optional<double> bar = std::nullopt);

  /// Writes the file of --json. Returns the exit code.
  int finish() const;

 private:
  struct Row {
    std::string metric;
    double value;
    std::string unit;
    Better better;
    std::optional<double> bar;
  };

  std::string bench_;
  bool is_short_ = false;
  std::string json_file_;
  std::vector<Row> rows_;
};

}  // namespace tvp::test
