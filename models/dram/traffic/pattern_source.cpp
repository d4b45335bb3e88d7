#include "models/dram/traffic/pattern_source.h"

namespace tvp::dram {

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
        // The next walk begins one burst later, so that all walks together touch every burst.
        lap_ = (lap_ + options_.burst_bytes) % options_.stride_bytes;
        address_ = lap_;
      }
      break;
    case Kind::kRandom: {
      const std::uint64_t bursts = options_.working_set_bytes / options_.burst_bytes;
      request.address = random_.next() % bursts * options_.burst_bytes;
      break;
    }
  }
  request.write = false;
  if (options_.read_share < 1) {
    request.write = random_.fraction() >= options_.read_share;
  }
  return true;
}

}  // namespace tvp::dram
