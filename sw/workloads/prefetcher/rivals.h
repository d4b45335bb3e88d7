#pragma once

#include <memory>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/workloads/prefetcher/placement.h"
#include "sw/workloads/prefetcher/ring_programs.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::prefetcher {

/// Another operation beside the prefetcher, which can pause senders (Options::rival_pauses). One
/// kind moves bytes along the rows of the senders in the first column. They go from the last core
/// of the row, around the torus over the senders' links, to the core behind the receivers. The
/// other kind reads the banks of all senders.
class Rivals {
 public:
  /// Throws Fault(kDescription) if no cores are free.
  Rivals(runtime::MeshDevice& mesh, const std::vector<Sender>& senders,
         const RingPrograms& programs, const Options& options, std::uint64_t seed);

  bool empty() const { return on_links_.empty() && on_banks_.empty(); }
  std::vector<runtime::CoreCoord> cores() const;
  /// Reads of the banks before the prefetcher runs, for comparison.
  void measure_alone();
  runtime::Program program() const;
  /// Adds durations and rates. The run fails if a rival has read wrong bytes.
  void report(Result& result) const;

 private:
  struct Rival {
    runtime::CoreCoord core;
    std::size_t sender;
    runtime::CoreCoord to;  ///< on links
  };

  void place_on_links(const runtime::CoreRangeSet& taken);
  void place_on_banks(const runtime::CoreRangeSet& taken);
  void make_source(std::uint64_t seed);
  void add_reads(runtime::Program& program, bool pauses, std::uint32_t delay) const;
  void add_writes(runtime::Program& program) const;
  std::vector<std::uint32_t> common_args(const Rival& rival, std::uint32_t packets, bool pauses,
                                         std::uint32_t delay) const;
  /// The cores' mean of a word that they have written.
  double mean(const std::vector<Rival>& rivals, std::uint32_t stat) const;
  double read_rate() const;  ///< bytes a cycle from all banks
  bool has_right_bytes(const Rival& rival) const;

  runtime::MeshDevice& mesh_;
  const std::vector<Sender>& senders_;
  const Options& options_;
  std::uint32_t control_;
  std::vector<Rival> on_links_, on_banks_;
  std::shared_ptr<runtime::MeshBuffer> memory_, source_;
  std::vector<std::uint8_t> content_;  ///< content of a bank
  double rate_alone_ = 0;
};

}  // namespace tvp::workloads::prefetcher
