#pragma once

#include <functional>
#include <string>
#include <vector>

#include "foundation/process.h"

namespace tvp::runtime {

/// A running program of the cross compiler. Its destruction also ends its child processes.
class ToolProcess {
 public:
  /// `scratch` is the folder of its temporary files. Throws HostError, or Fault(kDescription) if
  /// there is no such program.
  ToolProcess(const std::vector<std::string>& command, const std::string& scratch);

  /// Waits until one of them has ended and returns its index. Calls `waiting`, which may throw,
  /// several times a second.
  static std::size_t wait_for_one(std::vector<ToolProcess>& processes,
                                  const std::function<void()>& waiting);

  // For a process that has ended.
  bool succeeded() const { return process_.exit_code() == 0; }
  /// 0, or the signal that killed it.
  int signal() const { return process_.signal(); }
  /// Text of its standard error.
  const std::string& messages() const { return process_.said(); }

  /// Describes a failure of the machine instead of the source, or returns "".
  std::string trouble_of_the_host() const;

 private:
  foundation::Process process_;
};

}  // namespace tvp::runtime
