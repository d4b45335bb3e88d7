#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/pim/inbox.h"
#include "models/pim/pim_config.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/fault.h"
#include "models/support/mmio.h"

namespace tvp::pim {

class BarrierPort;

/// Barriers of groups of units, with a latency of pim.barrier_cycles from the last arrival to the
/// release of all: wires to a counter and back. Which units a group has is set before they start.
class Barrier : public support::EventTarget {
 public:
  Barrier(const PimConfig& config, support::Calendar& calendar)
      : config_(config), calendar_(calendar) {}

  void connect(unsigned unit, BarrierPort& port);
  /// From now on these units wait for each other, and for no others.
  void make_group(std::span<const unsigned> units);

  /// A unit comes to its barrier, at its own cycle.
  void arrive(unsigned unit, support::Cycle now);
  void fire(support::Cycle now, std::uint64_t unit) override;

  std::uint64_t passed() const { return passed_; }

 private:
  struct Group {
    std::vector<unsigned> units;
    unsigned arrived = 0;
  };

  const PimConfig& config_;
  support::Calendar& calendar_;
  std::vector<BarrierPort*> ports_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
  std::uint64_t passed_ = 0;
  std::uint32_t posted_ = 0;
};

/// The registers of one unit's end of the barrier (models/regs/pim.h).
class BarrierPort : public support::Agent, public support::MmioDevice {
 public:
  BarrierPort(std::string where, unsigned unit, Barrier& barrier, support::Calendar& calendar,
              unsigned calendar_index, support::WatchHub& watch_hub, support::FaultPolicy& faults);

  void reset();
  void release(support::Cycle when);
  bool waiting() const { return arrived_; }

  void access(support::MmioAccess& access) override;
  void run() override;

 private:
  const std::string where_;
  const unsigned unit_;
  Barrier& barrier_;
  support::Calendar& calendar_;
  const unsigned calendar_index_;
  support::WatchHub& watch_hub_;
  support::FaultPolicy& faults_;
  std::uint32_t generation_ = 0;
  bool arrived_ = false;
};

}  // namespace tvp::pim
