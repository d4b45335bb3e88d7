#pragma once

#include "models/dram/controller/controller.h"
#include "models/dram/dram_config.h"

namespace tvp::dram {

/// A channel as a server. Requests pass the data bus one after the other at the documented
/// reachable rate, with a fixed latency added. All of them wait during a refresh. Timing of banks
/// is not public for these parts.
class ServiceController : public Controller {
 public:
  ServiceController(const sc_core::sc_module_name& name, const DramConfig& config,
                    std::uint64_t bytes, support::Calendar& calendar);

 protected:
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  /// Bus time in 1/1024 cycles, since rates are not whole bytes a cycle.
  using Ticks = std::uint64_t;
  static constexpr unsigned kTickBits = 10;
  static Ticks to_ticks(support::Cycle cycle) { return cycle << kTickBits; }
  static support::Cycle to_cycles_up(Ticks ticks) {
    return (ticks + (Ticks{1} << kTickBits) - 1) >> kTickBits;
  }
  Ticks bus_time(std::uint64_t address, std::uint32_t bytes, bool write) const;
  /// The end of a transfer that takes `time` from `start` on, with the refreshes in between. If
  /// `start` is inside a refresh, it moves behind it.
  Ticks moved_by(Ticks& start, Ticks time) const;

  const DramConfig& config_;
  Ticks bus_free_ = 0;
};

}  // namespace tvp::dram
