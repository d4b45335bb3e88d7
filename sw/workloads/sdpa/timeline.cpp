#include "sw/workloads/sdpa/timeline.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace tvp::workloads::sdpa {

namespace kernel = kernels::sdpa;

std::vector<Timeline::Span> Timeline::spans() const {
  std::vector<Span> all = {{"connect", 0, {}, {}},
                           {"round 1 fabric", 2000, {}, {}},
                           {"round 1 compute", 2000, {}, {}},
                           {"round 2 fabric", 2000, {}, {}},
                           {"round 2 compute", 2000, {}, {}},
                           {"normalization", 800, {}, {}},
                           {"whole", 0, {}, {}}};
  const auto add = [&](unsigned span, std::uint32_t begin, std::uint32_t end) {
    all[span].begin.push_back(begin);
    all[span].end.push_back(end);
  };
  for (unsigned device = 0; device < devices_; ++device) {
    for (unsigned worker = 0; worker < workers_; ++worker) {
      const Stamps& own = at(device, worker);
      const Stamps& first = at(round1_neighbor(device), worker);
      const Stamps& second = at(round2_neighbor(device), worker);
      add(0, own[kernel::kWriterStart], own[kernel::kForwardConnected]);
      // A packet's way begins when its writer may send it.
      add(1, first[kernel::kForwardConnected], own[kernel::kRound1Arrived]);
      add(2, own[kernel::kRound1Arrived], own[kernel::kRound1Computed]);
      add(3, std::max(second[kernel::kRound1Computed], second[kernel::kBackwardConnected]),
          own[kernel::kRound2Arrived]);
      // The reader learns of an early packet only when it has waited for its own result.
      add(4, own[kernel::kRound2Arrived], own[kernel::kRound2Computed]);
      add(5, own[kernel::kRound2Computed], own[kernel::kNormalized]);
      add(6, std::min(own[kernel::kReaderStart], own[kernel::kWriterStart]),
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

std::vector<Metric> Timeline::metrics() const {
  std::vector<Metric> result;
  for (const Span& span : spans()) {
    double sum = 0;
    double largest = 0;
    for (std::size_t i = 0; i < span.begin.size(); ++i) {
      const double took = span.end[i] - span.begin[i];
      sum += took;
      largest = std::max(largest, took);
    }
    const std::string name = span.name;
    result.push_back({name + ", mean", sum / static_cast<double>(span.begin.size()), "ns"});
    result.push_back({name + ", longest", largest, "ns"});
    if (span.estimate_ns > 0) result.push_back({name + ", estimate", span.estimate_ns, "ns"});
  }
  return result;
}

}  // namespace tvp::workloads::sdpa
