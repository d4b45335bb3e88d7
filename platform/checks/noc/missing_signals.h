#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/unseen_arrivals.h"

namespace tvp::checks {

/// Warns if a core uses data of another tile before any core of its own tile has read the signal
/// for it. There is one warning for each place in the code. Silicon reports nothing, and most runs
/// succeed.
class MissingSignals : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "missing_signals"; }
  const char* summary() const override {
    return "uses of data of other tiles before the signal that announces it";
  }
  Probe::Kinds kinds() const override { return tile_.is_tensix() ? TileRecord::kinds() : 0; }
  Probe::Kinds kinds_of_findings() const override { return TileRecord::kinds(); }
  void on(const ProbeEvent& /*event*/) override {
    for (const TileRecord::Unannounced& each : tile_.record->found().unannounced) report(each);
  }

 private:
  void report(const TileRecord::Unannounced& found);
  std::vector<std::pair<BusMaster, std::uint32_t>> reported_;  ///< core and pc
};

}  // namespace tvp::checks
