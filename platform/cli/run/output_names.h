#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// The files that a command is going to write, by the option that names each.
class OutputNames {
 public:
  /// A file that the command reads. Call this before `add`.
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

}  // namespace tvp::cli
