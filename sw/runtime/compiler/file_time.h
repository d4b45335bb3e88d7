#pragma once

#include <time.h>

#include <cstdint>

namespace tvp::runtime {

constexpr std::int64_t kNanosecondsASecond = 1'000'000'000;

inline std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanosecondsASecond + time.tv_nsec;
}

/// By the clock that file systems take their times from.
inline std::int64_t file_time_now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

}  // namespace tvp::runtime
