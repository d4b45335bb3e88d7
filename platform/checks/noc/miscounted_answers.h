#pragma once

#include <array>
#include <cstdint>
#include <string>
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
  /// A place in the code that starts writes with answers.
  struct Writer {
    BusMaster core = BusMaster::kDebug;
    BusMaster niu = BusMaster::kDebug;
    std::uint32_t pc = 0;
    bool multicasts = false;
  };
  void note(const ProbeEvent& event);
  void note_write(const ProbeEvent& event);
  std::string expected(const Counts& counts, bool more) const;

  bool runs_ = false;
  std::vector<Counts> counts_;   ///< one entry for each core and NIU
  std::vector<Writer> writers_;  ///< in the order of their last writes
};

}  // namespace tvp::checks
