#include "models/mesh/traffic/load_sweep.h"

#include <algorithm>
#include <cstdio>

#include "foundation/fault.h"
#include "models/mesh/make_mesh.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {
/// Interval in cycles between checks for the end of a phase.
constexpr Cycle kLookCycles = 64;
// Tokens of events.
constexpr std::uint64_t kLook = 0;
constexpr std::uint64_t kMeasureFrom = 1;
constexpr std::uint64_t kMeasureTo = 2;
/// A network accepts the offered load if it gets at least this share of it; the rest is noise of
/// the measured cycles.
constexpr double kAcceptedShare = 0.95;
/// The usual criterion of saturation: the mean latency exceeds this multiple of the empty
/// network's.
constexpr double kLatencyFactor = 3;

std::string to_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}
}  // namespace

LoadSweep::LoadSweep(const MeshConfig& mesh, const MeshTrafficConfig& traffic,
                     support::Calendar& calendar, RouterClock* clock)
    : mesh_(mesh),
      traffic_(traffic),
      calendar_(calendar),
      clock_(clock),
      topology_(mesh.width, mesh.height) {
  if (traffic.load_to == 0) {
    loads_ = {traffic.load};
  } else {
    if (traffic.load_to < traffic.load) {
      throw Fault(FaultKind::kDescription, "traffic.load_to",
                  "below traffic.load, " + to_text(traffic.load));
    }
    const double step = (traffic.load_to - traffic.load) / (traffic.points - 1);
    for (unsigned i = 0; i < traffic.points; ++i) loads_.push_back(traffic.load + i * step);
  }
  // Both constructors refuse bad settings. External routers must be created before simulated time
  // advances.
  [[maybe_unused]] const TrafficPattern pattern(traffic, topology_);
  support::Calendar nobody({1, 1});
  make_mesh(mesh, topology_, nobody, clock);
}

LoadSweep::~LoadSweep() = default;

void LoadSweep::start() { start_load(calendar_.now()); }

/// Runs before all other events of the cycle, when the previous cycle is complete in all routers.
/// RTL has its outputs only after the mesh's step.
void LoadSweep::look_at(Cycle when, std::uint64_t token) {
  calendar_.post(when, {.phase = static_cast<std::uint8_t>(support::Phase::kLink), .port = 1},
                 *this, token);
}

void LoadSweep::start_load(Cycle now) {
  networks_.push_back(make_mesh(mesh_, topology_, calendar_, clock_));
  networks_.back()->set_link_signals(link_signals_);
  networks_.back()->report_to(nullptr, time_of_);
  generators_.push_back(std::make_unique<TrafficGenerator>(traffic_, *networks_.back(), calendar_));
  started_ = now;
  is_judged_ = false;
  const Cycle from = now + traffic_.warmup_cycles;
  const Cycle to = from + traffic_.measure_cycles;
  generators_.back()->start(loads_[next_++], from, to, to + traffic_.drain_cycles);
  look_at(from, kMeasureFrom);
  look_at(to, kMeasureTo);
}

void LoadSweep::fire(Cycle now, std::uint64_t token) {
  MeshNetwork& network = *networks_.back();
  TrafficGenerator& generator = *generators_.back();
  if (token == kMeasureFrom) return network.clear_statistics();
  if (token == kMeasureTo) measured_ = network.statistics();
  if (network.is_stuck()) return;  // nothing is left to wait for
  const Cycle limit =
      started_ + traffic_.warmup_cycles + traffic_.measure_cycles + traffic_.drain_cycles;
  if (!is_judged_ && (generator.measured_open() == 0 || now >= limit)) {
    is_judged_ = true;
    judge();
    generator.stop();
  }
  if (!is_judged_ || network.in_flight() != 0) return look_at(now + kLookCycles, kLook);
  network.check_at_end();
  points_.back().cycles = now - started_;
  points_.back().lost = generator.lost_packets();
  points_.back().retries = network.statistics().retries;
  if (next_ < loads_.size()) return start_load(now);
  is_done_ = true;
}

void LoadSweep::judge() {
  const TrafficGenerator& generator = *generators_.back();
  LoadPoint point;
  const double node_cycles = static_cast<double>(topology_.nodes()) * traffic_.measure_cycles;
  point.offered = loads_[next_ - 1];
  point.accepted = static_cast<double>(generator.accepted_flits()) / node_cycles;
  const support::LatencyHistogram& latency = generator.latency(0);
  point.mean_latency = latency.mean();
  point.p50 = latency.percentile(0.5);
  point.p99 = latency.percentile(0.99);
  point.max = latency.max();
  point.urgent_latency = generator.latency(1).mean();
  point.urgent_p99 = generator.latency(1).percentile(0.99);
  point.statistics = measured_;
  point.fault_log = networks_.back()->fault_log();
  point.partition = networks_.back()->partition();
  const double routers =
      static_cast<double>(measured_.total_hops) /
      static_cast<double>(std::max<std::uint64_t>(measured_.packets_delivered, 1));
  point.zero_load_latency = networks_.back()->zero_load_cycles(routers, traffic_.packet_flits);
  const double made = static_cast<double>(generator.offered_flits()) / node_cycles;
  if (generator.measured_open() != 0) {
    point.is_saturated = true;
    point.verdict = std::to_string(generator.measured_open()) +
                    " measured packets had not arrived " + std::to_string(traffic_.drain_cycles) +
                    " cycles after the last was made";
  } else if (point.accepted < kAcceptedShare * made) {
    point.is_saturated = true;
    point.verdict = "accepted " + to_text(point.accepted) + " of " + to_text(made);
  } else if (point.mean_latency > kLatencyFactor * point.zero_load_latency) {
    point.is_saturated = true;
    point.verdict =
        "mean latency more than " + to_text(kLatencyFactor) + " times that of an empty mesh";
  }
  points_.push_back(std::move(point));
}

void LoadSweep::check_conservation() const {
  for (const auto& network : networks_) network->check_conservation();
}

void LoadSweep::check_at_end() const {
  for (const auto& network : networks_) network->check_at_end();
}

}  // namespace tvp::mesh
