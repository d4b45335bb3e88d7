#include "models/dram/pattern_source.h"

namespace tvp::dram {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t PatternSource::random() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

bool PatternSource::next(TrafficRequest& request) {
  if (made_ == options_.requests) return false;
  request.not_before =
      options_.rate > 0 ? static_cast<MemCycle>(static_cast<double>(made_) / options_.rate) : 0;
  ++made_;
  request.address = address_;
  switch (options_.kind) {
    case Kind::kStream:
      address_ = (address_ + options_.burst_bytes) % options_.working_set_bytes;
      break;
    case Kind::kStrided:
      address_ += options_.stride_bytes;
      if (address_ >= options_.working_set_bytes) {
        // The next walk begins a burst later, so that a walk over all of it touches everything.
        lap_ = (lap_ + options_.burst_bytes) % options_.stride_bytes;
        address_ = lap_;
      }
      break;
    case Kind::kRandom: {
      const std::uint64_t bursts = options_.working_set_bytes / options_.burst_bytes;
      request.address = random() % bursts * options_.burst_bytes;
      break;
    }
  }
  request.write = false;
  if (options_.read_share < 1) {
    constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
    request.write = static_cast<double>(random() >> 11) * kUnit >= options_.read_share;
  }
  return true;
}

}  // namespace tvp::dram
