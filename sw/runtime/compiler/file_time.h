#pragma once

#include <time.h>

#include <cstdint>

namespace tvp::runtime {

constexpr std::int64_t kNanosecondsASecond = 1'000'000'000;

inline std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanosecondsASecond + time.tv_nsec;
}

/// Current time of the clock that file systems use.
inline std::int64_t file_time_now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

}  // namespace tvp::runtime
