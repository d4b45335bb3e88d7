#pragma once

#include <functional>
#include <string>
#include <vector>

#include "foundation/process.h"

namespace tvp::runtime {

/// A program of the cross compiler at work; it ends with all that it has started when this does.
class ToolProcess {
 public:
  /// `scratch` takes its temporary files. Throws HostError, or Fault(kDescription) when there is no
  /// such program.
  ToolProcess(const std::vector<std::string>& command, const std::string& scratch);

  /// Waits until one of them has ended and returns its index. Calls `waiting`, which may throw,
  /// several times a second.
  static std::size_t wait_for_one(std::vector<ToolProcess>& processes,
                                  const std::function<void()>& waiting);

  // Of one that has ended.
  bool succeeded() const { return process_.exit_code() == 0; }
  /// 0, or what it was killed by.
  int signal() const { return process_.signal(); }
  /// Of its standard error.
  const std::string& messages() const { return process_.said(); }

  /// What the machine, and not the source, is to blame for; "" when that is nothing.
  std::string trouble_of_the_host() const;

 private:
  foundation::Process process_;
};

}  // namespace tvp::runtime
