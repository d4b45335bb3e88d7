#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about kernels that expect another number of answers to their writes than the NIU receives.
/// Each destination answers a multicast, and the kernel passes the number of destinations. If this
/// number is wrong, a barrier waits forever or ends early.
class MiscountedAnswers : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "miscounted_answers"; }
  const char* summary() const override {
    return "kernels that count another number of answers than their writes have";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;
  std::vector<foundation::Fault> found_so_far(bool is_idle) const override;

 private:
  struct Counts {
    BusMaster core = BusMaster::kDebug;
    BusMaster niu = BusMaster::kDebug;
    std::uint32_t before = 0;  ///< `counted` at the first event of the program
    std::uint32_t counted = 0, came = 0;
  };
  void note(const ProbeEvent& event);

  bool runs_ = false;
  std::vector<Counts> counts_;  ///< one entry for each core and NIU
};

}  // namespace tvp::checks
