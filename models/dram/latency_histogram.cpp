#include "models/dram/latency_histogram.h"

#include <cmath>

namespace tvp::dram {

std::uint64_t LatencyHistogram::percentile(double q) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen >= wanted && seen > 0) return border_of(bucket);
  }
  return max_;
}

}  // namespace tvp::dram
