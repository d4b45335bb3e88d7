#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// Builds schedules of one algorithm. An object has no state.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual std::string name() const = 0;     ///< as in `--set algo=`
  virtual std::string summary() const = 0;  ///< one line
  virtual std::vector<Primitive> primitives() const = 0;
  /// Forms of the algorithm by name, the default first; empty if there is one only.
  virtual std::vector<std::string> variants() const { return {}; }
  /// Why there is no schedule for a request whose primitive, ranks and order are in order; empty
  /// if there is one.
  virtual std::string refusal(const ScheduleRequest&) const { return {}; }
  /// Messages one after the other that a segment takes part in, L of (L + P - 1): what the best
  /// number of segments follows from. 0 where more segments gain nothing.
  virtual std::uint32_t depth(const ScheduleRequest&) const { return 0; }

  /// Throws Fault(kDescription) that names what was asked for and why it cannot be had.
  Schedule schedule(const ScheduleRequest& request) const;

 protected:
  virtual Schedule build(const ScheduleRequest& request) const = 0;
  std::string title(const ScheduleRequest& request) const;

 private:
  std::string reason_against(const ScheduleRequest& request) const;
};

/// One of each in the list of sw/collectives/CMakeLists.txt.
std::vector<std::unique_ptr<Algorithm>> make_algorithms();
/// The same, there for the rest of the run.
const std::vector<std::unique_ptr<Algorithm>>& all_algorithms();
/// Throws Fault(kDescription) that lists the names.
const Algorithm& algorithm_named(const std::string& name);

/// P* = sqrt((L - 1) M / (alpha BW)), which makes (L + P - 1)(alpha + M / (P BW)) least, rounded to
/// the better neighbor and within 1 … `most`. Times in one unit; whole_time is M / BW.
std::uint32_t best_segments(std::uint32_t depth, double alpha, double whole_time,
                            std::uint32_t most);

/// Smallest L with 2^L >= value.
std::uint32_t ceil_log2(std::uint32_t value);

}  // namespace tvp::collectives
