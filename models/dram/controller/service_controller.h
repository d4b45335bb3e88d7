#pragma once

#include "models/dram/controller/controller.h"
#include "models/dram/dram_config.h"

namespace tvp::dram {

/// A channel as a server: requests pass the data bus one after the other at the rate that is
/// documented as reachable, and take a fixed latency besides. All of it waits while the channel
/// refreshes. Timing of banks is not public for these parts.
class ServiceController : public Controller {
 public:
  ServiceController(const sc_core::sc_module_name& name, const DramConfig& config,
                    std::uint64_t bytes, support::Calendar& calendar);

 protected:
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  /// Bus time in 1/1024 cycles: rates are not whole bytes a cycle.
  using Ticks = std::uint64_t;
  static constexpr unsigned kTickBits = 10;
  static Ticks to_ticks(support::Cycle cycle) { return cycle << kTickBits; }
  static support::Cycle to_cycles_up(Ticks ticks) {
    return (ticks + (Ticks{1} << kTickBits) - 1) >> kTickBits;
  }
  Ticks bus_time(std::uint64_t address, std::uint32_t bytes, bool write) const;
  /// When the bus has moved for `time` from `start` on, with the refreshes between them. `start`
  /// moves behind a refresh that it lies in.
  Ticks moved_by(Ticks& start, Ticks time) const;

  const DramConfig& config_;
  Ticks bus_free_ = 0;
};

}  // namespace tvp::dram
