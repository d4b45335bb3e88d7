#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// The unit of settings that name a file that a run writes.
inline constexpr const char* kOutputFile = "output file";

/// The files that a command is going to write, by the option that names each.
class OutputNames {
 public:
  /// Throws foundation::Fault(kDescription) when an earlier one is the same file.
  void add(const std::string& option, const std::string& file);

 private:
  std::vector<std::pair<std::string, std::string>> names_;
};

/// Before a run that may take long: throws what writing `what` there would. Leaves no file behind
/// that was not there.
void check_writable(const std::string& file, const char* what);

}  // namespace tvp::cli
