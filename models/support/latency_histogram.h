#pragma once

#include <cstdint>
#include <vector>

namespace tvp::support {

/// Counts of latencies in cycles: exact up to 1023, above that within 1/128 of the value.
class LatencyHistogram {
 public:
  void add(std::uint64_t cycles);
  std::uint64_t count() const { return count_; }
  double mean() const;
  std::uint64_t max() const { return max_; }
  /// The latency that a share (0 to 1) of all does not exceed; 0 if there are none.
  std::uint64_t percentile(double share) const;
  void clear() { *this = LatencyHistogram{}; }

 private:
  static std::size_t bucket_of(std::uint64_t cycles);
  static std::uint64_t highest_of(std::size_t bucket);

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace tvp::support
