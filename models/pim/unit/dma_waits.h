#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "foundation/warning_sink.h"
#include "models/riscv/core.h"
#include "models/support/l1_in_flight.h"
#include "models/support/time.h"

namespace tvp::pim {

/// Warns of a core that uses WRAM under a descriptor of its DMA engine before it has seen that the
/// descriptor is done, in the register that counts those, once for each two places in its code:
/// what it finds there depends on who is faster. Descriptors among themselves come in order.
class DmaWaits : public support::L1InFlight::Listener {
 public:
  DmaWaits(std::string where, foundation::FaultPolicy& faults);
  void watch(riscv::Core& core);

  /// A descriptor for these bytes of WRAM, to the bank or from it.
  void started(std::uint32_t address, std::uint32_t bytes, bool to_bank, support::Cycle now);
  /// The first one that was not.
  void done();
  /// The core looks at how many are done.
  void looked_at(support::Cycle now);
  /// It sends a message from there.
  void sent(std::uint32_t address, std::uint32_t bytes, support::Cycle now) {
    if (sink_ != nullptr && !unseen_.empty())
      in_flight_.core_accesses(support::BusMaster::kB, address, bytes, false, now);
  }
  void reset(support::Cycle now);

  void too_early(const support::L1InFlight::Transfer& first,
                 const support::L1InFlight::Transfer& second) override;

 private:
  struct Descriptor {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t pc = 0;
    bool to_bank = false;
    bool done = false;
  };
  void forget_first(support::Cycle now);
  void warn(const std::string& text);
  bool is_done(const support::L1InFlight::Transfer& command) const;

  const std::string where_;
  foundation::WarningSink* const sink_;
  support::L1InFlight in_flight_;
  std::deque<Descriptor> unseen_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> told_;  ///< of whom: go and access
};

}  // namespace tvp::pim
