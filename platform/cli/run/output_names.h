#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// The units of settings that name a file that a run writes, or reads.
inline constexpr const char* kOutputFile = "output file";
inline constexpr const char* kInputFile = "input file";

/// The files that a command is going to write, by the option that names each.
class OutputNames {
 public:
  /// A file that the command reads; to be told before those that it writes.
  void reads(const std::string& option, const std::string& file);
  /// Throws foundation::Fault(kDescription) when an earlier one is the same file.
  void add(const std::string& option, const std::string& file);

 private:
  struct Name {
    std::string option;
    std::string file;
    bool is_read = false;
  };
  std::vector<Name> names_;
};

/// Before a run that may take long: throws what writing `what` there would. Leaves no file behind
/// that was not there.
void check_writable(const std::string& file, const char* what);

}  // namespace tvp::cli
