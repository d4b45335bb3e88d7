#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Warns about transfers that overwrite a tile's firmware or its mailboxes, because an address is
/// wrong. There is one warning for each place in the code that started such a transfer. Silicon
/// does not report them.
class FirmwareGuard : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "firmware_guard"; }
  const char* summary() const override {
    return "transfers that write over the firmware and its mailboxes";
  }
  Probe::Kinds kinds() const override { return tile_.is_tensix() ? TileRecord::kinds() : 0; }
  Probe::Kinds kinds_of_findings() const override {
    return TileRecord::kinds() & ~Probe::bit(ProbeEvent::Kind::kCommand);
  }
  void on(const ProbeEvent& event) override {
    if (event.kind == ProbeEvent::Kind::kCommand) command(event);
    for (const TileRecord::Trespass& each : tile_.record->found().trespasses) report(each);
  }

 private:
  void command(const ProbeEvent& event);
  void report(const TileRecord::Trespass& found);
  using Place = std::tuple<unsigned, unsigned, BusMaster, std::uint32_t>;
  std::set<Place> reported_;  ///< tile, core and pc
};

}  // namespace tvp::checks
