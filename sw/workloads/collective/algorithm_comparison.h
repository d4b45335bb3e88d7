#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/collectives/library/chooser.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// Runs all algorithms of an operation over sizes: writes the tuner's table, and a chart.
class AlgorithmComparison {
 public:
  using Print = std::function<void(const std::string&)>;
  AlgorithmComparison(collectives::CollectiveExecutor& executor, collectives::Chooser& chooser,
                      std::uint64_t seed, Print print)
      : executor_(executor), chooser_(chooser), seed_(seed), print_(std::move(print)) {}

  /// Runs the sizes of one operation; adds to the result, and to the table in the chooser's file.
  void run(collectives::Chooser::Question question, const std::vector<std::uint64_t>& sizes,
           Result& result);

 private:
  void measure(const collectives::Chooser::Question& question,
               const collectives::Estimate& candidate, collectives::TimeTable& table,
               Result& result);
  static Curve curve(const std::string& name, const collectives::TimeTable& table);
  void print(const std::string& name, const collectives::TimeTable& table) const;

  collectives::CollectiveExecutor& executor_;
  collectives::Chooser& chooser_;
  std::uint64_t seed_;
  Print print_;
  /// The largest ratio over all sizes: time of the algorithm that the estimates choose to the time
  /// of the fastest one.
  double worst_choice_ = 1;
};

}  // namespace tvp::workloads::collective
