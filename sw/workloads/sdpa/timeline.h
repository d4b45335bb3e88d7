#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "firmware/kernels/sdpa/buffers.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::sdpa {

/// Time stamps of every shard core, in cycles of the wall clock, which counts nanoseconds at 1 GHz.
class Timeline {
 public:
  using Stamps = std::array<std::uint32_t, kernels::sdpa::kStamps>;

  Timeline(unsigned devices, unsigned workers) : devices_(devices), workers_(workers) {
    stamps_.resize(std::size_t{devices} * workers);
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
    const char* name;
    double estimate_ns;  ///< 0: none
    const char* reason;  ///< reason for a difference
    std::vector<double> begin, end;

    std::vector<double> took() const;
    double shortest() const;
    double mean() const;
  };
  std::vector<Span> spans() const;
  std::string remark(const Span& span) const;

  unsigned devices_;
  unsigned workers_;
  std::vector<Stamps> stamps_;
};

/// The partners of the exchanges, by position on a ring of four.
constexpr unsigned round1_neighbor(unsigned device) { return device ^ 1U; }
constexpr unsigned round2_neighbor(unsigned device) { return 3U - device; }
/// Operands are merged in the order of the ring: {0, 1} before {2, 3}.
constexpr bool local_first_round1(unsigned device) { return device % 2 == 0; }
constexpr bool local_first_round2(unsigned device) { return device < 2; }

}  // namespace tvp::workloads::sdpa
