#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tvp::dram {

/// Counts of cycles in buckets that are exact below 128 and 1/64 wide above, so that percentiles of
/// any length of run come from a fixed array.
class LatencyHistogram {
 public:
  void add(std::uint64_t cycles) {
    ++buckets_[bucket_of(cycles)];
    ++count_;
    sum_ += cycles;
    if (cycles > max_) max_ = cycles;
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t max() const { return max_; }
  double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  /// Lower border of the bucket in which the share `q` of all is reached.
  std::uint64_t percentile(double q) const;

 private:
  static constexpr unsigned kSubBits = 6;
  static constexpr std::uint64_t kSub = 1U << kSubBits;
  static constexpr unsigned kLargestBits = 40;
  static constexpr std::size_t kBuckets = (kLargestBits - kSubBits + 1) * kSub;

  static std::size_t bucket_of(std::uint64_t v) {
    if (v < 2 * kSub) return v;
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kSubBits - 1;
    const std::size_t bucket = shift * kSub + (v >> shift);
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  static std::uint64_t border_of(std::size_t bucket) {
    if (bucket < 2 * kSub) return bucket;
    const std::size_t shift = bucket / kSub - 1;
    return (bucket - shift * kSub) << shift;
  }

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace tvp::dram
