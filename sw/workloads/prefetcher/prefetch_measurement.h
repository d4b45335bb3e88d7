#pragma once

#include "sw/workloads/prefetcher/ring_programs.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::prefetcher {

/// The measurements that the cores of a run have written, as figures, phases and rows of the
/// timeline.
class PrefetchMeasurement {
 public:
  PrefetchMeasurement(const PrefetchPlan& plan, const std::vector<Sender>& senders,
                      const RingPrograms& programs, const Options& options);

  /// `channel_peak` is the peak rate of a bank in bytes a cycle.
  void report(double channel_peak, Result& result) const;
  /// The same for an element-wise consumer that has written `result_bytes` to DRAM.
  void report_elementwise(double channel_peak, double result_bytes, Result& result) const;

 private:
  struct Reader {
    std::uint32_t begin, end;
  };

  void report_bandwidth(double channel_peak, Result& result) const;
  void report_senders(Result& result) const;
  void report_receivers(Result& result) const;
  void report_consumers(double result_bytes, Result& result) const;
  void report_timeline(Result& result) const;
  /// Share of the computing time of cores in which their bank is read.
  double overlap() const;
  Reader reading_of(std::size_t sender) const;

  const PrefetchPlan& plan_;
  const std::vector<Sender>& senders_;
  const Options& options_;
  const std::vector<RingCore>& ring_;
  std::vector<std::vector<std::uint32_t>> sender_stats_, receiver_stats_;
};

}  // namespace tvp::workloads::prefetcher
