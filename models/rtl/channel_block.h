#pragma once

#include <string>

#include "models/dram/timing/dram_time.h"
#include "models/support/calendar.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::rtl {

/// The times of a memory channel's block. Its clock is CK, and the calendar counts cycles of the
/// units.
struct ChannelClock {
  const support::Calendar& calendar;
  dram::ClockRatio to_ck;
  dram::ClockRatio to_wave;  ///< to the cycles of wave files
};

/// A block of a memory channel as RTL, behind the interface of its model.
template <typename Interface>
class ChannelBlock : public Interface {
 public:
  /// Adds the block's pins below `path` to the wave file.
  virtual void watch(support::WaveRecorder& recorder, const std::string& path) = 0;
  /// Clocks the block up to the calendar's present cycle, which the next call would do.
  virtual void catch_up() = 0;
};

}  // namespace tvp::rtl
