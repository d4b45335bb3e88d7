#include "models/support/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tvp::support {

namespace {
constexpr unsigned kExactBits = 10;
constexpr std::uint64_t kExact = 1ULL << kExactBits;
/// Buckets for each doubling above that.
constexpr unsigned kStepBits = 7;
constexpr std::uint64_t kSteps = 1ULL << kStepBits;
}  // namespace

std::size_t LatencyHistogram::bucket_of(std::uint64_t cycles) {
  if (cycles < kExact) return cycles;
  const auto top = static_cast<unsigned>(std::bit_width(cycles)) - 1;
  const std::uint64_t step = (cycles >> (top - kStepBits)) & (kSteps - 1);
  return kExact + (top - kExactBits) * kSteps + step;
}

std::uint64_t LatencyHistogram::highest_of(std::size_t bucket) {
  if (bucket < kExact) return bucket;
  const std::uint64_t beyond = bucket - kExact;
  const auto top = static_cast<unsigned>(beyond / kSteps) + kExactBits;
  const std::uint64_t step = beyond % kSteps;
  return (1ULL << top) + ((step + 1) << (top - kStepBits)) - 1;
}

void LatencyHistogram::add(std::uint64_t cycles) {
  const std::size_t bucket = bucket_of(cycles);
  if (bucket >= counts_.size()) counts_.resize(std::max<std::size_t>(bucket + 1, 256), 0);
  ++counts_[bucket];
  ++count_;
  sum_ += cycles;
  max_ = std::max(max_, cycles);
}

double LatencyHistogram::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t LatencyHistogram::percentile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted && seen > 0) return std::min(highest_of(i), max_);
  }
  return max_;
}

}  // namespace tvp::support
