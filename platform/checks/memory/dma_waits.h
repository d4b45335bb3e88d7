#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Warns if a PIM unit's core uses WRAM that a descriptor of its DMA engine still covers. The
/// descriptor covers its bytes until the core has read in the counter of finished descriptors that
/// it is done. Without this read the result depends on which side is faster. There is one warning
/// for each pair of places in the code. The engine executes descriptors in order, so they are not
/// compared with each other.
class DmaWaits : public Check, private L1InFlight::Listener {
 public:
  explicit DmaWaits(const TileContext& tile);
  const char* name() const override { return "dma_waits"; }
  const char* summary() const override {
    return "uses of WRAM before the DMA transfers there are seen to be done";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  /// The object `in_flight_`, which only this check uses, calls it.
  void too_early(const L1InFlight::Transfer& first, const L1InFlight::Transfer& second) override;
  struct Descriptor {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t pc = 0;
    bool to_bank = false;
    bool done = false;
  };
  void started(const ProbeEvent& event);
  void done();
  void accessed(const ProbeEvent& event);
  void forget_first(Cycle now);
  bool is_done(const L1InFlight::Transfer& command) const;

  std::unique_ptr<L1InFlight> in_flight_;  ///< null: the tile is no PIM unit
  std::deque<Descriptor> unseen_;          ///< descriptors whose end the core has not seen
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< pcs of DMA start and access
};

}  // namespace tvp::checks
