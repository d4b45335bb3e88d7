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

/// Chooses algorithms for a machine from measurements. If the tuner's table covers the size, lines
/// between its times are the estimates; otherwise a cost model has them (CostProfile). Messages to
/// neighbors and to farther ranks, moved and combined, from one core of a rank and from several
/// ones, have a profile each. Schedules through a switch have one as well. The chooser measures the
/// costs if the file does not have them. It also measures the algorithms whose estimates differ by
/// less than their error, and adds their times to the table.
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
  /// Returns the estimates of all algorithms that have such a schedule, by the cost model, with the
  /// number of segments that is best by it.
  std::vector<Estimate> candidates(const Question& question);
  /// Returns the schedule of a candidate, proved by the checker.
  Schedule schedule(const Question& question, const Estimate& candidate) const;

  /// Vectors beyond this size are not measured: estimates decide. Measurements are at the beginning
  /// of a machine's memories, each of which has at most that many bytes.
  static constexpr std::uint64_t kMostMeasuredBytes = 1 << 20;

  TuningFile& file() { return file_; }
  static std::string table_name(const Question& question);
  /// A key of the system: its description by the library, its settings, and the firmware of
  /// collectives.
  static std::string system_key(runtime::DeviceLibrary& library, std::uint32_t workers);
  /// The path in the cache folder for a key.
  static std::string default_path(const std::string& key);

 private:
  static std::string text_of(const Question& question);
  std::vector<Estimate> from_table(const Question& question) const;
  /// Candidates of which one is certainly the fastest, if estimates are right within their error:
  /// measures all of them that may be.
  std::vector<Estimate> compared(const Question& question);
  void measure_contenders(const Question& question, std::vector<Estimate>& all, TimeTable& table);
  void measure_size(const Question& question, Estimate& candidate, TimeTable& table);
  /// Schedules whose costs are those of one profile.
  struct CostClass {
    bool combines = false;
    bool one_hop = false;
    bool splits_lanes = false;
    bool through_switch = false;  ///< which combines, so that cores do not
    bool operator==(const CostClass&) const = default;
    std::string name(const std::string& type) const;
  };
  CostClass class_of(const Schedule& schedule) const;
  CostProfile profile(const CostClass& of, const Question& question);
  CostWork work(const Question& question, const Schedule& schedule);
  CostProfile measure(const CostClass& of, const std::string& type);
  void measure(const Question& question, const Schedule& schedule,
               std::vector<CostSample>& samples);
  Schedule build(const Question& question, const Algorithm& algorithm,
                 std::uint32_t segments) const;
  Estimate estimate(const Question& question, const Algorithm& algorithm);
  Estimate estimate(const Question& question, const Algorithm& algorithm, std::uint32_t segments);

  CollectiveExecutor& executor_;
  TuningFile file_;
  std::map<std::string, Choice> known_;
};

}  // namespace tvp::collectives
