#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/ddr/ca_command.h"
#include "models/ddr/external_ca_bus.h"
#include "models/dram/timing/timing.h"

namespace tvp::ddr {

using dram::MemCycle;

/// The command/address bus of a channel: one slot for each cycle of CK. Every rank whose chip
/// select is low receives the slot. Only the host's controller drives the bus. Normal commands and
/// PIM words compete for slots in the order in which they ask. A request for a later time leaves
/// earlier slots free for others. DDR5's ACT, RD and WR take two slots (dram::Timing::column_slots,
/// activate_slots).
class CaBus {
 public:
  struct Stats {
    std::uint64_t normal_slots = 0;
    std::uint64_t pim_slots = 0;
    MemCycle waited = 0;  ///< sum of the cycles between request and slot
  };

  CaBus(const dram::Timing& timing, unsigned ranks) : timing_(timing), ranks_(ranks) {}

  /// From now on `external` gives the slots. None may have been taken before.
  void replace(ExternalCaBus& external) { external_ = &external; }
  bool is_replaced() const { return external_ != nullptr; }

  /// Takes the first free slots from `earliest` on. Returns the cycle of the first slot. `ranks`
  /// are the chip selects.
  MemCycle issue(CaCommand command, MemCycle earliest, std::uint32_t ranks = 1);
  /// Takes `words` consecutive slots for PIM words, of which `first` is the first one. Returns the
  /// cycle of the first slot.
  MemCycle issue_pim(unsigned words, MemCycle earliest, PimWord first = {});
  /// An arrival at a barrier of the external controller. For the last rank, returns
  /// ExternalCaBus::Answer::known.
  std::optional<MemCycle> arrive(const ExternalCaBus::Arrival& arrival, MemCycle earliest);

  unsigned slots_of(CaCommand command) const;
  /// The first cycle from `earliest` on from which so many slots are free.
  MemCycle first_free(unsigned slots, MemCycle earliest) const;
  unsigned ranks() const { return ranks_; }
  const Stats& stats() const { return stats_; }

 private:
  struct Span {
    MemCycle begin;
    MemCycle end;
  };
  /// Number of spans that the bus remembers. No caller asks for slots before the oldest one.
  static constexpr std::size_t kKept = 256;

  /// The first span that begins behind `slots` free slots, whose first cycle `at` becomes.
  std::size_t place_of(unsigned slots, MemCycle& at) const;
  MemCycle take(unsigned slots, MemCycle earliest);
  MemCycle count_wait(MemCycle slot, MemCycle earliest);

  const dram::Timing& timing_;
  const unsigned ranks_;
  ExternalCaBus* external_ = nullptr;
  std::vector<Span> taken_;  ///< ascending, with free slots between them
  Stats stats_;
};

}  // namespace tvp::ddr
