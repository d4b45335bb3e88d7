#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/dram_channel.h"
#include "models/dram/traffic/pattern_source.h"
#include "models/pim/channel_array.h"
#include "models/pim/host/host_pins.h"
#include "models/pim/host/host_traffic_config.h"
#include "models/support/calendar.h"
#include "models/support/latency_histogram.h"

namespace tvp::pim {

/// The programs that run beside the host's traffic.
class Activity {
 public:
  virtual ~Activity() = default;
  /// True if programs run at cycle `now` of the calendar and at least one of them can progress.
  virtual bool busy(support::Cycle now) const = 0;
  /// True if the host owns that bank in all chips of the rank. Both numbers count over the system.
  virtual bool host_owns(unsigned rank, unsigned bank) const = 0;
};

/// Normal reads and writes of the host, in a pattern, on the pins that PIM traffic uses. Each
/// channel has a controller with banks (dram::DramChannel). Requests come as long as programs run.
/// Moves no bytes.
class HostTraffic : public support::EventTarget {
 public:
  struct Totals {
    std::uint64_t bytes = 0;
    dram::MemCycle active = 0;               ///< cycles in which it issued requests
    support::LatencyHistogram read_latency;  ///< from the time at which the pattern issued it
    support::LatencyHistogram write_latency;
  };

  HostTraffic(const HostTrafficConfig& config, const PimConfig& pim, ChannelArray& channels,
              support::Calendar& calendar, const Activity& activity);

  /// Programs start. Throws Fault(kDescription) if there is no bank that the traffic may use.
  void start(support::Cycle now);
  void fire(support::Cycle now, std::uint64_t token) override;

  bool wanted() const { return !players_.empty(); }
  unsigned channels() const { return static_cast<unsigned>(players_.size()); }
  const Totals& totals(unsigned channel) const { return players_[channel]->totals; }
  const dram::ChannelStats& stats(unsigned channel) const {
    return players_[channel]->channel.stats();
  }
  /// Throws Fault(kInternal) if a request has no answer.
  void check_at_end() const;

 private:
  struct Open {
    dram::MemCycle wanted = 0;
    bool write = false;
  };
  struct Done {
    dram::MemCycle at = 0;
    unsigned open = 0;
  };
  struct Player {
    Player(const dram::Preset& preset, const dram::ChannelOptions& options,
           const dram::PatternSource::Options& pattern, MemoryChannel& memory,
           unsigned outstanding);
    HostPins pins;
    dram::DramChannel channel;
    dram::PatternSource source;
    std::vector<unsigned> banks;  ///< flat numbers of the banks that the host may use
    dram::TrafficRequest next;
    dram::MemCycle origin = 0;  ///< start of the pattern's times
    std::vector<Open> open;
    std::vector<unsigned> free;
    std::vector<Done> done;  ///< a heap
    Totals totals;
  };
  static bool later(const Done& a, const Done& b) {
    return a.at != b.at ? a.at > b.at : a.open > b.open;
  }

  void find_banks(unsigned channel);
  dram::MemCycle step(Player& player, bool asks, dram::MemCycle from, dram::MemCycle until);
  void retire(Player& player, dram::MemCycle now);
  /// Returns the time of the next request; kNeverMem if an answer must come first.
  dram::MemCycle ask(Player& player, dram::MemCycle from, dram::MemCycle until);
  bool try_ask(Player& player, dram::MemCycle wanted, dram::MemCycle at);
  void collect(Player& player);
  void post(support::Cycle when);

  const HostTrafficConfig& config_;
  ChannelArray& memory_;
  support::Calendar& calendar_;
  const Activity& activity_;
  const dram::ClockRatio to_dram_;
  const dram::ClockRatio to_logic_;
  dram::Preset preset_;  ///< with the number of ranks that the host sees
  std::vector<std::unique_ptr<Player>> players_;
  bool posted_ = false;
  dram::MemCycle stepped_ = 0;
};

}  // namespace tvp::pim
