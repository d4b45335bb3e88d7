#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/execution/collective_executor.h"
#include "sw/collectives/library/choice.h"
#include "sw/collectives/library/tuning_file.h"

namespace tvp::runtime {
class DeviceLibrary;
}

namespace tvp::collectives {

/// Chooses algorithms for a machine from measurements. If the tuner's table has the operation, the
/// table decides, and the chooser adds sizes that the table does not cover; otherwise alpha and
/// beta decide. The chooser measures alpha and beta if the file does not have them. Messages to
/// neighbors and to farther ranks, moved and combined, have a profile each. The ideal fabric
/// computes how a schedule uses links and ports.
class Chooser {
 public:
  struct Question {
    ScheduleRequest request;  ///< the chooser sets the keys of the algorithm
    std::uint64_t bytes = 0;  ///< size of the whole vector
    std::string type = "fp32";
    std::string redop = "sum";
  };
  /// The executor runs the measurements; all earlier work on it must have ended.
  Chooser(CollectiveExecutor& executor, TuningFile file);

  Choice choose(const Question& question);
  /// Returns the earlier answer to the same question; without an algorithm if there is none.
  Choice known(const Question& question) const;
  /// Returns all algorithms that have such a schedule, with the number of segments that is best by
  /// alpha and beta.
  std::vector<Estimate> candidates(const Question& question);
  /// Returns the schedule of a candidate, proved by the checker.
  Schedule schedule(const Question& question, const Estimate& candidate) const;

  TuningFile& file() { return file_; }
  static std::string table_name(const Question& question);
  /// A key of the system: its description by the library, its settings, and the firmware of
  /// collectives.
  static std::string system_key(runtime::DeviceLibrary& library, std::uint32_t workers);
  /// The path in the cache folder for a key.
  static std::string default_path(const std::string& key);

 private:
  static std::string text_of(const Question& question);
  /// Candidates from the table. It measures what the table lacks for this size: the algorithms that
  /// are near the fastest by the table's lines, or by alpha and beta.
  std::vector<Estimate> from_table(const Question& question);
  void measure_size(const Question& question);
  CostProfile profile(bool combines, bool one_hop, const Question& question);
  /// Computes n_alpha, n_beta and n_gamma, with the messages and segments of the algorithm and the
  /// slices of the machine.
  CostSample costs(const Question& question, const Algorithm& algorithm, std::uint32_t segments);
  CostProfile measure(bool combines, bool one_hop, const std::string& type);
  Schedule build(const Question& question, const Algorithm& algorithm,
                 std::uint32_t segments) const;
  Estimate estimate(const Question& question, const Algorithm& algorithm);
  Estimate estimate(const Question& question, const Algorithm& algorithm, std::uint32_t segments);

  CollectiveExecutor& executor_;
  TuningFile file_;
  std::map<std::string, Choice> known_;
};

}  // namespace tvp::collectives
