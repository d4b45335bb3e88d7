#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/l1_in_flight.h"

namespace tvp::checks {

/// Warns if a PIM unit's core uses WRAM that a descriptor of its DMA engine still covers, or
/// changes the bytes of a message that is not sent. A transfer covers its bytes until the core has
/// read in the counter of finished transfers that it is done. A core that waits in a loop knows the
/// count for which it waits. Without this read the result depends on which side is faster. A later
/// message that has arrived at a unit and was answered shows the same of a message (UnitOrder).
/// There is one warning for each pair of places in the code. An engine executes transfers in order,
/// so they are not compared with each other.
class DmaWaits : public Check, private L1InFlight::Listener {
 public:
  explicit DmaWaits(const TileContext& tile);
  const char* name() const override { return "dma_waits"; }
  const char* summary() const override {
    return "uses of WRAM before the DMA transfers and messages there are seen to be done";
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
    bool reads = false;  ///< from WRAM
    bool done = false;
    std::uint32_t number = 0;  ///< position in the program, from 1 on
  };
  /// The DMA engine, or the stop as the sender of messages.
  struct Engine {
    BusMaster agent;
    std::deque<Descriptor> unseen{};  ///< those whose end the core has not seen
    std::uint32_t started = 0;        ///< number of commands in the program
  };
  Engine& engine_of(BusMaster agent) { return agent == BusMaster::kPimStop ? stop_ : dma_; }
  void started(const ProbeEvent& event);
  void done(Engine& engine);
  void counted(const ProbeEvent& event);
  void accessed(const ProbeEvent& event);
  void forget_left(Cycle now);
  void forget_first(Engine& engine, Cycle now);
  bool is_done(const L1InFlight::Transfer& command);

  std::unique_ptr<L1InFlight> in_flight_;  ///< null: the tile is no PIM unit
  Engine dma_{BusMaster::kPimDma};
  Engine stop_{BusMaster::kPimStop};
  std::uint64_t learned_ = 0;  ///< changes of what the unit knows that stop_ includes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< pcs of start and access
};

}  // namespace tvp::checks
