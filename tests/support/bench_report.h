#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tvp::test {

/// Seconds of processor time of this process, which a loaded machine lengthens less than wall time.
double cpu_seconds();

/// The figures of a benchmark: parses the command line of all benchmarks and writes the file that
/// `vp bench` reads.
class BenchReport {
 public:
  enum class Better { kHigher, kLower };

  /// `[--short] [--json FILE]`. Ends the process with exit code 2 on anything else.
  BenchReport(std::string bench, int argc, char** argv);

  /// A short bench shows that it runs and what it reports; its figures say little.
  bool is_short() const { return is_short_; }

  void add(std::string metric, double value, std::string unit, Better better,
           std::optional<double> bar = std::nullopt);

  /// Writes the file, if one was asked for. Returns the exit code.
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
