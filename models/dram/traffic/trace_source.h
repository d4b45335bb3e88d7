#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/dram/traffic/traffic_source.h"

namespace tvp::dram {

/// A trace of requests in a text file. A line is `TIME R|W ADDRESS`. TIME is a cycle of CK, or +GAP
/// after the line before. ADDRESS is decimal, or hexadecimal with 0x. Empty lines and text after
/// '#' are skipped.
class TraceSource : public TrafficSource {
 public:
  /// Reads the whole file. Throws Fault(kDescription) with file, line and what was expected, also
  /// if an address is not below `bytes`.
  TraceSource(const std::string& file, std::uint64_t bytes);

  bool next(TrafficRequest& request) override;
  std::size_t size() const { return requests_.size(); }

 private:
  std::vector<TrafficRequest> requests_;
  std::size_t at_ = 0;
};

}  // namespace tvp::dram
