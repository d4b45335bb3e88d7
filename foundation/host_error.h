#pragma once

#include <optional>
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

/// True if the host machine is the cause when a call that opens or starts something fails (`error`
/// is errno), and not the name.
bool is_of_the_host(int error);

/// The text of an errno and, where the user can do something about it, what.
std::string reason_of(int error);

/// Throws "WHERE: WHAT: reason": a HostError if errno blames the machine, or else a
/// Fault(kDescription).
[[noreturn]] void throw_errno(const std::string& where, const std::string& what, int error);

/// The text to report if the host machine caused an exception; nothing for all other exceptions.
/// The causes are a HostError, missing memory, and a system call that failed for lack of resources.
std::optional<std::string> host_failure(const std::exception& error);

}  // namespace tvp::foundation
