#pragma once

#include <string>

#include "sw/report/run_report.h"

namespace tvp::cli {

/// How an exception ends a run or a command.
struct Ending {
  report::Status status = report::Status::kDefect;
  std::string reason;

  /// The ending for the exception that is being handled, which must be a std::exception.
  static Ending of_current();
};

}  // namespace tvp::cli
