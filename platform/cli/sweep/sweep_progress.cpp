#include "platform/cli/sweep/sweep_progress.h"

#include <cmath>

namespace tvp::cli {

namespace {

/// The two largest units.
std::string time_text(long seconds) {
  const auto parts = [](long large, const char* unit, long small, const char* smaller) {
    return std::to_string(large) + unit + std::to_string(small) + smaller;
  };
  if (seconds >= 86400) return parts(seconds / 86400, " d ", seconds / 3600 % 24, " h");
  if (seconds >= 3600) return parts(seconds / 3600, " h ", seconds / 60 % 60, " min");
  if (seconds >= 60) return parts(seconds / 60, " min ", seconds % 60, " s");
  return std::to_string(seconds) + " s";
}

}  // namespace

std::string SweepProgress::text(Seconds passed) const {
  std::string text = std::to_string(kept_ + ended_) + " of " + std::to_string(runs_) + " runs";
  if (failed_ > 0) text += ", " + std::to_string(failed_) + " failed";
  if (ended_ == 0) return text;
  const auto left = static_cast<double>(runs_ - kept_ - ended_);
  const double rest = passed.count() * left / static_cast<double>(ended_);
  return text + ", " + time_text(std::lround(rest)) + " left";
}

}  // namespace tvp::cli
