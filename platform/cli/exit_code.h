#pragma once

#include "sw/report/run_report.h"

namespace tvp::cli {

// Exit codes of commands other than `run`.
inline constexpr int kUsage = static_cast<int>(report::Status::kUsage);
inline constexpr int kDefect = static_cast<int>(report::Status::kDefect);
inline constexpr int kHost = static_cast<int>(report::Status::kHost);
inline constexpr int kInterrupted = static_cast<int>(report::Status::kInterrupted);

}  // namespace tvp::cli
