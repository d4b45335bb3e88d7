#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Uses of WRAM by a PIM unit's core under a descriptor of its DMA engine, before it has seen in
/// the register that counts those that the descriptor is done, once for each two places in its
/// code: what it finds there depends on who is faster. Descriptors among themselves come in order.
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
  /// Of a record of its own.
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
  std::deque<Descriptor> unseen_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< of whom: go and access
};

}  // namespace tvp::checks
