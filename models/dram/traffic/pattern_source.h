#pragma once

#include <cstdint>

#include "foundation/random.h"
#include "models/dram/traffic/traffic_source.h"

namespace tvp::dram {

/// Requests by a rule, from a seed: stream (burst after burst), strided, or random (uniform), each
/// wrapping inside a working set; reads and writes drawn with a given share.
class PatternSource : public TrafficSource {
 public:
  enum class Kind : std::uint8_t { kStream, kStrided, kRandom };
  struct Options {
    Kind kind = Kind::kStream;
    std::uint64_t requests = 0;
    std::uint64_t working_set_bytes = 0;  ///< a multiple of the burst
    std::uint64_t stride_bytes = 0;       ///< of kStrided
    unsigned burst_bytes = 64;
    double read_share = 1;
    /// Requests a cycle of CK when they come whether or not earlier ones are answered; 0: as soon
    /// as an earlier one is answered.
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
  std::uint64_t lap_ = 0;  ///< of a strided walk
};

}  // namespace tvp::dram
