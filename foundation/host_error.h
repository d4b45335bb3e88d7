#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace tvp::foundation {

/// A failure of the machine that the platform runs on: for example a full disk or a killed child
/// process. The input, the firmware and the platform are not the cause. Exit code 71.
class HostError : public std::runtime_error {
 public:
  HostError(const std::string& where, const std::string& message)
      : std::runtime_error(where.empty() ? message : where + ": " + message) {}
};

/// True if `error` (an errno of a call that opens or starts something) blames the host machine and
/// not the name.
bool is_of_the_host(int error);

/// The text of an errno, with advice where the user can do something about it.
std::string reason_of(int error);

/// Throws "WHERE: WHAT: reason": a HostError if errno blames the machine, or else a
/// Fault(kDescription).
[[noreturn]] void throw_errno(const std::string& where, const std::string& what, int error);

/// The text to report if the host machine caused the exception; otherwise nothing. Such causes are
/// a HostError, missing memory, and a system call that failed for lack of resources.
std::optional<std::string> host_failure(const std::exception& error);

}  // namespace tvp::foundation
