#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tvp::runtime {

class DeviceLibrary;

/// Times of the go signals of cores that start together: all in the same cycle, or each some cycles
/// after the first, as from a dispatcher. The library's keys launch.start_spread and launch.seed
/// select them. Without these keys all are in the same cycle.
class StartMoments {
 public:
  StartMoments(std::uint32_t spread, std::uint64_t seed) : spread_(spread), random_(seed) {}
  explicit StartMoments(const DeviceLibrary& library);

  /// Returns a random number of cycles after the first signal for each of `cores` cores. Each call
  /// returns other numbers.
  std::vector<std::uint32_t> draw(std::size_t cores);

 private:
  std::uint32_t spread_;
  std::mt19937_64 random_;
};

}  // namespace tvp::runtime
