#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tvp::runtime {

class DeviceLibrary;

/// When cores that start together get their go signals: at once, or each some cycles after the
/// first, as from a dispatcher whose signals and polls take their time. By the library's keys
/// launch.start_spread and launch.seed; at once where it has none.
class StartMoments {
 public:
  StartMoments(std::uint32_t spread, std::uint64_t seed) : spread_(spread), random_(seed) {}
  explicit StartMoments(const DeviceLibrary& library);

  /// Cycles after the first signal, one for each of so many cores; another draw each time.
  std::vector<std::uint32_t> draw(std::size_t cores);

 private:
  std::uint32_t spread_;
  std::mt19937_64 random_;
};

}  // namespace tvp::runtime
