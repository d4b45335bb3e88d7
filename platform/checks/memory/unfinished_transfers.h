#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Uses of L1 that begin while hardware still reads or writes the place, for want of a wait
/// (STALLWAIT, a barrier): both sides are named.
class UnfinishedTransfers : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unfinished_transfers"; }
  const char* summary() const override {
    return "uses of L1 that begin before transfers there are over";
  }
  Probe::Kinds kinds() const override;
  Probe::Kinds kinds_of_findings() const override { return TileRecord::kinds(); }
  /// A store to a register of others (STOREREG: counters of circular buffers) says that they may
  /// use what the thread's packers and unpackers have to do with.
  void on(const ProbeEvent& event) override;

 private:
  void announced(const ProbeEvent& event) const;
  void report(const TileRecord::Overlap& found) const;
  /// `offered`: what the coprocessor works at meanwhile.
  void report_missing_wait(const std::string& where, const std::string& text,
                           const support::Offered& offered) const;
};

}  // namespace tvp::checks
