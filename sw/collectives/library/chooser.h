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

/// Picks algorithms for a machine by what was measured on it: the table of the tuner where there is
/// one for the operation, otherwise alpha and beta, which it measures itself where the file does
/// not have them yet. Costs of messages to neighbors and further, moved and combined, have a
/// profile each; what a schedule does with links and ports the ideal fabric knows.
class Chooser {
 public:
  struct Question {
    ScheduleRequest request;  ///< algorithm's own keys are the chooser's
    std::uint64_t bytes = 0;  ///< of the whole vector
    std::string type = "fp32";
    std::string redop = "sum";
  };
  /// What is measured with; everything before must have ended.
  Chooser(CollectiveExecutor& executor, TuningFile file);

  Choice choose(const Question& question);
  /// The same question's answer of before; without an algorithm if there is none.
  Choice known(const Question& question) const;
  /// All algorithms that have such a schedule, with the segments that are best by alpha and beta.
  std::vector<Estimate> candidates(const Question& question);
  /// A candidate's schedule, proved.
  Schedule schedule(const Question& question, const Estimate& candidate) const;

  TuningFile& file() { return file_; }
  static std::string table_name(const Question& question);
  /// Of a system as the library describes it, with its settings and the firmware of collectives.
  static std::string system_key(runtime::DeviceLibrary& library, std::uint32_t workers);
  /// In the cache folder, named by the key.
  static std::string default_path(const std::string& key);

 private:
  static std::string text_of(const Question& question);
  CostProfile profile(bool combines, bool one_hop, const Question& question);
  /// n_alpha, n_beta, n_gamma: messages and segments of the algorithm, slices of the machine.
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
