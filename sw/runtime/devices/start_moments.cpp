#include "sw/runtime/devices/start_moments.h"

#include <algorithm>
#include <string>

#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

namespace {

std::uint64_t value_of(const DeviceLibrary& library, const char* key, std::uint64_t otherwise) {
  const auto value = library.setting(key);
  return value ? std::stoull(*value) : otherwise;
}

}  // namespace

StartMoments::StartMoments(const DeviceLibrary& library)
    : StartMoments(static_cast<std::uint32_t>(value_of(library, "launch.start_spread", 0)),
                   value_of(library, "launch.seed", 1)) {}

std::vector<std::uint32_t> StartMoments::draw(std::size_t cores) {
  std::vector<std::uint32_t> moments(cores, 0);
  if (spread_ == 0 || cores < 2) return moments;
  for (std::uint32_t& moment : moments)
    moment = static_cast<std::uint32_t>(random_() % (std::uint64_t{spread_} + 1));
  const std::uint32_t first = *std::min_element(moments.begin(), moments.end());
  for (std::uint32_t& moment : moments) moment -= first;
  return moments;
}

}  // namespace tvp::runtime
