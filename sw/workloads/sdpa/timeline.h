#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernels/sdpa/buffers.h"
#include "firmware/kernels/sdpa/exchange.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::sdpa {

/// Time stamps of every shard core, in cycles of the wall clock, which counts nanoseconds at 1 GHz.
class Timeline {
 public:
  using Stamps = std::vector<std::uint32_t>;

  Timeline(unsigned devices, unsigned workers)
      : devices_(devices), workers_(workers), rounds_(kernels::sdpa::rounds_of(devices)) {
    stamps_.resize(std::size_t{devices} * workers, Stamps(kernels::sdpa::stamps_of(rounds_)));
  }
  Stamps& at(unsigned device, unsigned worker) { return stamps_[device * workers_ + worker]; }
  const Stamps& at(unsigned device, unsigned worker) const {
    return stamps_[device * workers_ + worker];
  }

  /// From the first core that enters a phase to the last one that leaves it.
  std::vector<Phase> phases() const;
  /// A phase of one core, in cycles.
  struct CorePhase {
    unsigned device = 0;
    unsigned worker = 0;
    std::string name;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<CorePhase> core_phases() const;
  /// Minimum, mean and maximum time of a core in each phase, and the estimates of the design.
  std::vector<Metric> metrics() const;
  /// Returns a sentence for each phase whose mean differs from its estimate by more than a fifth,
  /// with the difference and the reason. For the fabric's phases it gives the share of queueing:
  /// the mean packet's time minus the shortest packet's, which waits for no other.
  std::vector<std::string> remarks() const;

 private:
  struct Span {
    std::string name;
    double estimate_ns = 0;   ///< 0: none
    const char* reason = "";  ///< reason for a difference
    bool fabric = false;      ///< a packet's way, which can include queueing
    std::vector<double> begin = {}, end = {};

    std::vector<double> took() const;
    double shortest() const;
    double mean() const;
  };
  std::vector<Span> empty_spans() const;
  std::vector<Span> spans() const;
  std::uint32_t arrived(unsigned device, unsigned worker, unsigned round) const;
  std::uint32_t computed(unsigned device, unsigned worker, unsigned round) const;
  /// The time from which a device's writer may send in a round.
  std::uint32_t may_send(unsigned device, unsigned worker, unsigned round) const;
  std::string remark(const Span& span) const;

  unsigned devices_;
  unsigned workers_;
  unsigned rounds_;
  std::vector<Stamps> stamps_;
};

}  // namespace tvp::workloads::sdpa
