#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/ddr/external_barrier.h"
#include "models/dram/timing/dram_time.h"
#include "models/pim/channel_array.h"
#include "models/pim/pim_config.h"
#include "models/pim/unit/inbox.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/mmio.h"
#include "models/support/probe.h"

namespace tvp::pim {

class BarrierPort;

/// Barriers of groups of units. Wires join the units of a rank to a counter and back. They take
/// pim.barrier_cycles from the last arrival to the release.
///
/// The counters of the ranks of a channel meet over its command/address bus (ddr::RankControl): a
/// request line to the controller, and PIM words that compete with normal commands. Channels meet
/// at the host, which then lets each channel send its word. The units of a group are set before
/// they start.
class Barrier : public support::EventTarget, private ddr::ReleaseListener {
 public:
  /// `external` replaces the controller of the only channel, or is null.
  Barrier(const PimConfig& config, ChannelArray& channels, support::Calendar& calendar,
          ddr::ExternalBarrier* external = nullptr);

  void connect(unsigned unit, BarrierPort& port);
  /// From now on these units wait for each other, and for no others.
  void make_group(std::span<const unsigned> units);

  /// A unit reaches its barrier at its own cycle.
  void arrive(unsigned unit, support::Cycle now);
  /// The number of the unit's group.
  std::size_t group_of(unsigned unit) const { return group_of_[unit]; }
  void fire(support::Cycle now, std::uint64_t token) override;

  std::uint64_t passed() const { return passed_; }

 private:
  /// Units of a group in one rank, which wires join.
  struct Wired {
    unsigned rank = 0;  ///< number in the system
    unsigned units = 0;
    unsigned arrived = 0;
  };
  struct Channel {
    unsigned number = 0;
    ddr::RankControl::Gathering ranks;
    std::vector<unsigned> units;
  };
  struct Group {
    std::vector<unsigned> units;
    std::vector<Wired> wired;
    std::vector<Channel> channels;
    unsigned levels = 0;  ///< levels beyond the channel
    unsigned gathered = 0;
    dram::MemCycle latest = 0;  ///< latest of the channels that have arrived
  };
  enum class Step : std::uint8_t { kArrive, kRelease, kEdge };

  void arrange(Group& group);
  void begin_external(std::size_t group);
  void arrive_external(std::size_t group, unsigned rank, dram::MemCycle at, support::Cycle now);
  void released(dram::MemCycle when) override;
  void gathered(std::size_t group, unsigned rank, support::Cycle now);
  void post_release(std::size_t group, std::size_t channel, dram::MemCycle when,
                    support::Cycle now);
  void release(const std::vector<unsigned>& units, support::Cycle now);
  unsigned rank_of(unsigned unit) const { return wires_ ? 0 : unit / channels_.units_of_rank(); }
  ddr::RankControl& control_of(const Channel& channel) { return channels_[channel.number].control; }

  const PimConfig& config_;
  ChannelArray& channels_;
  support::Calendar& calendar_;
  const dram::ClockRatio to_dram_;
  const dram::ClockRatio to_logic_;
  ddr::ExternalBarrier* external_;
  std::size_t external_group_ = 0;
  support::Cycle external_arrival_ = 0;  ///< the latest one
  const bool wires_;                     ///< pim.barrier=fixed: wires join all units
  const ddr::BarrierScheme scheme_;
  std::vector<BarrierPort*> ports_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
  std::uint64_t passed_ = 0;
  std::uint32_t posted_ = 0;
};

/// The registers of one unit's end of the barrier (foundation/regs/pim.h).
class BarrierPort : public support::Agent, public support::MmioDevice {
 public:
  BarrierPort(std::string where, unsigned unit, Barrier& barrier, support::Calendar& calendar,
              unsigned calendar_index, support::WatchHub& watch_hub,
              foundation::FaultPolicy& faults);

  /// Sets the probe that gets arrivals and reads of the count; null for none.
  void set_probe(const support::Probe* probe) { probe_ = probe; }

  void reset();
  void release(support::Cycle when);
  bool waiting() const { return arrived_; }

  void access(support::MmioAccess& access) override;
  void run() override;

 private:
  void report(bool arrives, support::Cycle now) const;

  const support::Probe* probe_ = nullptr;
  const std::string where_;
  const unsigned unit_;
  Barrier& barrier_;
  support::Calendar& calendar_;
  const unsigned calendar_index_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  std::uint32_t generation_ = 0;
  bool arrived_ = false;
};

}  // namespace tvp::pim
