#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace tvp::runtime {

/// A program of the cross compiler at work. It gets a vector of arguments, which no shell reads,
/// and a group of its own, so that it ends with all that it has started.
class ToolProcess {
 public:
  /// `scratch` takes its temporary files. Throws HostError, or Fault(kDescription) when there is no
  /// such program.
  ToolProcess(const std::vector<std::string>& command, const std::string& scratch);
  ~ToolProcess();  ///< ends it when it still runs
  ToolProcess(ToolProcess&& other) noexcept;
  ToolProcess& operator=(ToolProcess&& other) noexcept;

  /// Waits until one of them has ended and returns its index. Calls `waiting`, which may throw,
  /// several times a second.
  static std::size_t wait_for_one(std::vector<ToolProcess>& processes,
                                  const std::function<void()>& waiting);

  // Of one that has ended.
  bool succeeded() const;
  /// 0, or what it was killed by.
  int signal() const;
  const std::string& messages() const { return messages_; }

  /// What the machine, and not the source, is to blame for; "" when that is nothing.
  std::string trouble_of_the_host() const;

 private:
  /// False when there is nothing more to come.
  bool read_messages();
  void end();

  pid_t pid_ = -1;
  int pipe_ = -1;  ///< its standard error
  int status_ = 0;
  std::string messages_;
};

}  // namespace tvp::runtime
