#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Kernels that count another number of answers to their writes than the NIU receives. A multicast
/// is answered by each destination, and the kernel itself says how many those are. With a wrong
/// number a barrier waits for ever, or ends early.
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
    std::uint32_t before = 0;  ///< when the program began
    std::uint32_t counted = 0, came = 0;
  };
  void note(const ProbeEvent& event);

  bool runs_ = false;
  std::vector<Counts> counts_;  ///< of each core and NIU
};

}  // namespace tvp::checks
