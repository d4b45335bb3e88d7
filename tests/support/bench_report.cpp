#include "tests/support/bench_report.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

namespace tvp::test {

using Json = nlohmann::ordered_json;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

BenchReport::BenchReport(std::string bench, int argc, char** argv) : bench_(std::move(bench)) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--short") {
      is_short_ = true;
    } else if (word == "--json" && i + 1 < argc) {
      json_file_ = argv[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--short] [--json FILE]\n", argv[0]);
      std::exit(2);
    }
  }
}

void BenchReport::add(std::string metric, double value, std::string unit, Better better,
                      std::optional<double> bar) {
  rows_.push_back({std::move(metric), value, std::move(unit), better, bar});
}

int BenchReport::finish() const {
  if (json_file_.empty()) return 0;
  Json rows = Json::array();
  for (const Row& row : rows_) {
    rows.push_back({{"bench", bench_},
                    {"metric", row.metric},
                    {"value", row.value},
                    {"unit", row.unit},
                    {"better", row.better == Better::kHigher ? "higher" : "lower"},
                    {"bar", row.bar ? Json(*row.bar) : Json()}});
  }
  std::ofstream file(json_file_);
  file << rows.dump(2) << "\n";
  file.close();
  if (file) return 0;
  std::perror(json_file_.c_str());
  return 2;
}

}  // namespace tvp::test
