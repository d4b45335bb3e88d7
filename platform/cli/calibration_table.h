#pragma once

#include <span>
#include <string>

namespace tvp::cli {

/// One published measurement of silicon and the run that repeats it.
struct CalibrationRow {
  const char* row;        ///< what was measured
  double published;       ///< the middle, where a range was published
  const char* unit;       ///< of both figures
  const char* source;     ///< where it was published
  const char* mechanism;  ///< what makes the time in the model
  const char* run;        ///< workload and options of `tensix-vp run`
  const char* metric;     ///< of the run's report
  /// Why the model is known to be off by more than the tolerance; null when it is not.
  const char* known_deviation = nullptr;
};

/// Share by which a row may be off.
inline constexpr double kTolerance = 0.10;

std::span<const CalibrationRow> calibration_table();

}  // namespace tvp::cli
