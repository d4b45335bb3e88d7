#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Reports uses of L1 that begin while hardware still reads or writes the place, because a wait
/// (STALLWAIT, a barrier) is missing. The report names both transfers.
class UnfinishedTransfers : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unfinished_transfers"; }
  const char* summary() const override {
    return "uses of L1 that begin before transfers there are over";
  }
  Probe::Kinds kinds() const override;
  Probe::Kinds kinds_of_findings() const override { return TileRecord::kinds(); }
  /// STOREREG to a counter of a circular buffer (kAnnounce) hands pages over to other cores. The
  /// thread's unpackers and packers must have finished with L1 then.
  void on(const ProbeEvent& event) override;

 private:
  void announced(const ProbeEvent& event) const;
  void report(const TileRecord::Overlap& found) const;
  /// `offered`: the coprocessor's instruction at this moment.
  void report_missing_wait(const std::string& where, const std::string& text,
                           const support::Offered& offered, const std::string& hint = {}) const;
  std::string hint_of(const TileRecord::Overlap& found) const;
};

}  // namespace tvp::checks
