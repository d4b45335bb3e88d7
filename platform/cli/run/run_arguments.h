#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cli/options.h"

namespace tvp::cli {

class CommandOptions;

/// Lines of settings that make the library write waves, a trace and a recording, and wait for gdb.
std::string observer_settings(const RunOptions& options);

/// Options of every command that runs something on a system.
class RunArguments {
 public:
  void add_options(CommandOptions& options);
  /// Only the options that a host program of the user can have.
  void add_program_options(CommandOptions& options);
  /// Throws foundation::Fault(kDescription).
  RunOptions take();

 private:
  void check_window() const;

  RunOptions run_;
  // As given by the user.
  std::vector<std::string> sets_;
  std::optional<std::string> max_time_;
  std::optional<std::string> wave_from_;
  std::optional<std::string> wave_to_;
};

}  // namespace tvp::cli
