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
  /// Variants of the algorithm by name, the default first; empty if there is only one.
  virtual std::vector<std::string> variants() const { return {}; }
  /// The reason why a request has no schedule, whose primitive, ranks and order are valid; empty if
  /// it has one.
  virtual std::string refusal(const ScheduleRequest&) const { return {}; }
  /// The number L of consecutive messages of a segment. A pipeline takes L + P - 1 slots, from
  /// which the best number of segments P follows. Returns 0 if more segments gain nothing.
  virtual std::uint32_t depth(const ScheduleRequest&) const { return 0; }

  /// Throws Fault(kDescription) that names the request and the reason for its refusal.
  Schedule schedule(const ScheduleRequest& request) const;

 protected:
  virtual Schedule build(const ScheduleRequest& request) const = 0;
  std::string title(const ScheduleRequest& request) const;

 private:
  std::string reason_against(const ScheduleRequest& request) const;
};

/// Makes one object of each class in the list of sw/collectives/CMakeLists.txt.
std::vector<std::unique_ptr<Algorithm>> make_algorithms();
/// The same objects, valid until the end of the process.
const std::vector<std::unique_ptr<Algorithm>>& all_algorithms();
/// Throws Fault(kDescription) that lists the names.
const Algorithm& algorithm_named(const std::string& name);

/// Returns P* = sqrt((L - 1) M / (alpha BW)), which minimizes (L + P - 1)(alpha + M / (P BW)),
/// rounded to the better neighbor and limited to 1 … `most`. Times are in one unit; whole_time is M
/// / BW.
std::uint32_t best_segments(std::uint32_t depth, double alpha, double whole_time,
                            std::uint32_t most);

/// Smallest L with 2^L >= value.
std::uint32_t ceil_log2(std::uint32_t value);

}  // namespace tvp::collectives
