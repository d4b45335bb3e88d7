#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/memory_system.h"
#include "models/dram/traffic/trace_format.h"
#include "models/dram/traffic/traffic_source.h"

namespace tvp::dram {

/// A trace of requests in a text file, of one of the formats in trace_format.cpp. Empty lines and
/// text after '#' are skipped.
class TraceSource : public TrafficSource {
 public:
  struct Options {
    std::string format = "auto";     ///< or a name of trace_format_names()
    unsigned clock_mhz = 0;          ///< clock of the trace's times; 0: CK of the memory
    double instructions_per_ck = 1;  ///< rate of the core of a trace with instructions
    bool wraps = false;              ///< addresses beyond the memory wrap around
  };
  /// Reads the whole file. Throws Fault(kDescription) with file, line and what was expected.
  TraceSource(const std::string& file, const Options& options, const MemorySystem& memory);

  bool next(TrafficRequest& request) override;
  std::size_t size() const { return requests_.size(); }

 private:
  void add(const TraceEntry& entry, const TraceLine& line);
  MemCycle cycle_of(const TraceEntry& entry, const TraceLine& line);
  std::uint64_t address_of(const TraceEntry& entry, const TraceLine& line) const;

  const Options options_;
  const AddressMapping& memory_;
  const ClockRatio to_ck_;
  std::vector<TrafficRequest> requests_;
  std::size_t at_ = 0;
  std::uint64_t time_ = 0;   ///< time of the entry before, in cycles of the trace
  double instructions_ = 0;  ///< sum of all entries so far
};

}  // namespace tvp::dram
