#pragma once

#include <stdexcept>
#include <string>

namespace tvp::foundation {

/// The machine that the platform runs on fails it: a disk is full or read-only, a process that was
/// started is killed. Neither the input nor the firmware nor the platform is wrong. Exit code 71.
class HostError : public std::runtime_error {
 public:
  HostError(const std::string& where, const std::string& message)
      : std::runtime_error(where.empty() ? message : where + ": " + message) {}
};

}  // namespace tvp::foundation
