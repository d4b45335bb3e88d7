#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// Reports once, during a long wait, which cores alone have run for some seconds while all others
/// waited for the same event. A loop that never ends but changes memory is not detected as a hang.
class LongWait {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kFirstLook{5};

  LongWait(const DeviceLibrary& library, Time begin, std::ostream& out)
      : library_(library), begin_(begin), out_(out) {}
  void look(Time now) {
    if (now >= begin_ + next_) look_at_cores(now);
  }

 private:
  void look_at_cores(Time now);

  const DeviceLibrary& library_;
  Time begin_;
  std::ostream& out_;
  std::chrono::seconds next_ =
      kFirstLook;        ///< the first look after the beginning; later looks are rarer
  std::string waiting_;  ///< state at the last look
  std::uint64_t looked_ps_ = 0;
  bool reported_ = false;
};

}  // namespace tvp::runtime
