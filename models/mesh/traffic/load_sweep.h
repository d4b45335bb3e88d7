#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/mesh/traffic/traffic_generator.h"

namespace tvp::mesh {

class RouterClock;

/// The result of one offered load.
struct LoadPoint {
  double offered = 0;            ///< flits a node and cycle
  double accepted = 0;           ///< flits a node and cycle
  double zero_load_latency = 0;  ///< for the number of routers that the packets passed
  double mean_latency = 0;
  std::uint64_t p50 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t max = 0;
  bool is_saturated = false;
  std::string verdict;        ///< reason why the point counts as saturated
  support::Cycle cycles = 0;  ///< until all packets had arrived
  Statistics statistics;      ///< statistics of the measured cycles
  double urgent_latency = 0;
  std::uint64_t urgent_p99 = 0;
  std::uint64_t lost = 0;
  std::uint64_t retries = 0;  ///< from the measured cycles to the end
  std::vector<std::string> fault_log;
  std::string partition;  ///< empty if every router reaches every other one
};

/// Runs one load after the other on a calendar, each on a new network. The phases are warm-up,
/// measurement, drain of the measured packets while traffic continues, and drain of all packets.
class LoadSweep : public support::EventTarget {
 public:
  /// `clock` provides external routers, or is null. Throws Fault(kDescription) if mesh and traffic
  /// do not fit together.
  LoadSweep(const MeshConfig& mesh, const MeshTrafficConfig& traffic, support::Calendar& calendar,
            RouterClock* clock = nullptr);
  ~LoadSweep() override;

  /// Starts the first load; the others follow. The calendar is idle after the last one.
  void start();
  bool done() const { return is_done_; }

  const std::vector<LoadPoint>& points() const { return points_; }
  const MeshTopology& topology() const { return topology_; }
  const MeshTrafficConfig& traffic() const { return traffic_; }
  /// Sets the signals of all networks, see MeshNetwork.
  void set_link_signals(support::LevelSignal* signals) { link_signals_ = signals; }
  /// Throw Fault(kInternal) if a network has lost a packet; check_at_end() also if a packet is
  /// still in flight.
  void check_conservation() const;
  void check_at_end() const;
  /// See MeshNetwork.
  std::string why_stuck() const { return networks_.empty() ? "" : networks_.back()->why_stuck(); }
  void set_time_text(MeshNetwork::TimeText time_of) { time_of_ = std::move(time_of); }

  void fire(support::Cycle now, std::uint64_t token) override;

 private:
  void start_load(support::Cycle now);
  void judge();
  void look_at(support::Cycle when, std::uint64_t token);

  const MeshConfig& mesh_;
  const MeshTrafficConfig& traffic_;
  support::Calendar& calendar_;
  RouterClock* clock_;
  support::LevelSignal* link_signals_ = nullptr;
  MeshNetwork::TimeText time_of_;
  MeshTopology topology_;
  std::vector<double> loads_;
  std::size_t next_ = 0;
  /// Networks of earlier loads stay, since the calendar may still have events for them.
  std::vector<std::unique_ptr<MeshNetwork>> networks_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
  support::Cycle started_ = 0;
  bool is_judged_ = false;
  bool is_done_ = false;
  Statistics measured_;  ///< statistics of the measured cycles
  std::vector<LoadPoint> points_;
};

}  // namespace tvp::mesh
