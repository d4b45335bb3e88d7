#pragma once

#include <cstdint>

#include "foundation/random.h"
#include "models/dram/traffic/traffic_source.h"

namespace tvp::dram {

/// Requests by a pattern: stream (burst after burst), strided, or random (uniform). Each wraps
/// inside a working set. The seed selects reads and writes with a given share of reads.
class PatternSource : public TrafficSource {
 public:
  enum class Kind : std::uint8_t { kStream, kStrided, kRandom };
  struct Options {
    Kind kind = Kind::kStream;
    std::uint64_t requests = 0;
    std::uint64_t working_set_bytes = 0;  ///< multiple of the burst size
    std::uint64_t stride_bytes = 0;       ///< for kStrided
    unsigned burst_bytes = 64;
    double read_share = 1;
    /// Requests in a cycle of CK, independent of answers. 0: the next request comes with the answer
    /// of an earlier one.
    double rate = 0;
    std::uint64_t seed = 1;
  };
  explicit PatternSource(const Options& options) : options_(options), random_(options.seed) {}

  bool next(TrafficRequest& request) override;

 private:
  const Options options_;
  foundation::Random random_;
  std::uint64_t made_ = 0;
  std::uint64_t address_ = 0;
  std::uint64_t lap_ = 0;  ///< offset of the current strided walk
};

}  // namespace tvp::dram
