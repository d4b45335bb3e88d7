#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Transfers that write where a tile's firmware and its mailboxes are, once for each place in the
/// code of whoever asked for them: an address is wrong, which silicon does not say.
class FirmwareGuard : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "firmware_guard"; }
  const char* summary() const override {
    return "transfers that write over the firmware and its mailboxes";
  }
  Probe::Kinds kinds() const override { return tile_.is_tensix() ? TileRecord::kinds() : 0; }
  Probe::Kinds kinds_of_findings() const override { return TileRecord::kinds(); }
  void on(const ProbeEvent& /*event*/) override {
    for (const TileRecord::Trespass& each : tile_.record->found().trespasses) report(each);
  }

 private:
  void report(const TileRecord::Trespass& found);
  using Place = std::tuple<unsigned, unsigned, BusMaster, std::uint32_t>;
  std::set<Place> reported_;  ///< tile, core and pc
};

}  // namespace tvp::checks
