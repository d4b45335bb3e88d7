#include "sw/workloads/sdpa/timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace tvp::workloads::sdpa {

namespace kernel = kernels::sdpa;

namespace {

constexpr const char* kFabricReason = "one mux, two routers and a link";
constexpr const char* kComputeReason =
    "statistics stay in Dst from maxima to sums; the estimate assumes circular buffers between "
    "tile "
    "operations";
constexpr const char* kNormalizationReason =
    "one reciprocal for all tiles of a row, one multiplication per tile";

}  // namespace

std::vector<double> Timeline::Span::took() const {
  std::vector<double> result(begin.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = end[i] - begin[i];
  return result;
}

double Timeline::Span::shortest() const {
  const std::vector<double> all = took();
  return *std::min_element(all.begin(), all.end());
}

double Timeline::Span::mean() const {
  const std::vector<double> all = took();
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

std::vector<Timeline::Span> Timeline::empty_spans() const {
  std::vector<Span> all = {{"connect"}};
  for (unsigned round = 1; round <= rounds_; ++round) {
    const std::string name = "round " + std::to_string(round);
    // The design estimates ways over one link.
    const double estimate = kernel::hops(devices_, round) == 1 ? 2000 : 0;
    all.push_back({name + " fabric", estimate, kFabricReason, true});
    all.push_back({name + " compute", 2000, kComputeReason});
    if (round == 1) all.push_back({name + " statistics"});
  }
  all.push_back({"normalization", 800, kNormalizationReason});
  all.push_back({"whole"});
  return all;
}

std::uint32_t Timeline::arrived(unsigned device, unsigned worker, unsigned round) const {
  return at(device, worker)[round == 1   ? kernel::kRound1Arrived
                            : round == 2 ? kernel::kRound2Arrived
                                         : later_stamp(round, kernel::kLaterArrived)];
}

std::uint32_t Timeline::computed(unsigned device, unsigned worker, unsigned round) const {
  return at(device, worker)[round == 1   ? kernel::kRound1Computed
                            : round == 2 ? kernel::kRound2Computed
                                         : later_stamp(round, kernel::kLaterComputed)];
}

std::uint32_t Timeline::may_send(unsigned device, unsigned worker, unsigned round) const {
  const Stamps& stamps = at(device, worker);
  if (round == 1) return stamps[kernel::kForwardConnected];
  const std::uint32_t ready = computed(device, worker, round - 1);
  return round == 2 ? std::max(ready, stamps[kernel::kBackwardConnected]) : ready;
}

std::vector<Timeline::Span> Timeline::spans() const {
  std::vector<Span> all = empty_spans();
  const auto add = [&](const std::string& name, std::uint32_t begin, std::uint32_t end) {
    for (Span& span : all) {
      if (span.name != name) continue;
      span.begin.push_back(begin);
      span.end.push_back(end);
    }
  };
  for (unsigned device = 0; device < devices_; ++device) {
    for (unsigned worker = 0; worker < workers_; ++worker) {
      const Stamps& own = at(device, worker);
      add("connect", own[kernel::kWriterStart], own[kernel::kForwardConnected]);
      for (unsigned round = 1; round <= rounds_; ++round) {
        const std::string name = "round " + std::to_string(round);
        const unsigned from = kernel::partner(devices_, device, round);
        add(name + " fabric", may_send(from, worker, round), arrived(device, worker, round));
        // The reader notices an early packet only after waiting for its own result.
        add(name + " compute", arrived(device, worker, round), computed(device, worker, round));
      }
      add("round 1 statistics", own[kernel::kRound1Arrived], own[kernel::kRound1Statistics]);
      add("normalization", computed(device, worker, rounds_), own[kernel::kNormalized]);
      add("whole", std::min(own[kernel::kReaderStart], own[kernel::kWriterStart]),
          std::max(own[kernel::kNormalized], own[kernel::kDisconnected]));
    }
  }
  return all;
}

std::vector<Phase> Timeline::phases() const {
  std::vector<Phase> result;
  for (const Span& span : spans())
    result.push_back({span.name, *std::min_element(span.begin.begin(), span.begin.end()),
                      *std::max_element(span.end.begin(), span.end.end())});
  return result;
}

std::vector<Timeline::CorePhase> Timeline::core_phases() const {
  std::vector<CorePhase> result;
  for (const Span& span : spans()) {
    for (unsigned i = 0; i < span.begin.size(); ++i)
      result.push_back({i / workers_, i % workers_, span.name,
                        static_cast<std::uint64_t>(span.begin[i]),
                        static_cast<std::uint64_t>(span.end[i])});
  }
  return result;
}

std::vector<Metric> Timeline::metrics() const {
  std::vector<Metric> result;
  for (const Span& span : spans()) {
    const std::vector<double> took = span.took();
    const std::string& name = span.name;
    result.push_back({name + ", shortest", span.shortest(), "ns"});
    result.push_back({name + ", mean", span.mean(), "ns"});
    result.push_back({name + ", longest", *std::max_element(took.begin(), took.end()), "ns"});
    if (span.estimate_ns > 0) result.push_back({name + ", estimate", span.estimate_ns, "ns"});
    if (span.fabric) result.push_back({name + ", queueing", span.mean() - span.shortest(), "ns"});
  }
  return result;
}

std::vector<std::string> Timeline::remarks() const {
  std::vector<std::string> result;
  for (const Span& span : spans()) {
    if (span.estimate_ns == 0) continue;
    if (std::abs(span.mean() - span.estimate_ns) <= 0.2 * span.estimate_ns) continue;
    result.push_back(remark(span));
  }
  return result;
}

std::string Timeline::remark(const Span& span) const {
  const auto rounded = [](double value) { return std::to_string(std::lround(value)); };
  const std::string text = span.name + ": " + rounded(span.mean()) + " ns, estimated " +
                           rounded(span.estimate_ns) + " ns: ";
  if (!span.fabric) return text + span.reason;
  const double queueing = span.mean() - span.shortest();
  return text + rounded(queueing) + " ns (" + rounded(100 * queueing / span.mean()) +
         " %) are queueing in the mux, which the workers of a link share; the shortest takes " +
         rounded(span.shortest()) + " ns: " + span.reason;
}

}  // namespace tvp::workloads::sdpa
