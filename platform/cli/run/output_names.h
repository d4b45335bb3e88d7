#pragma once

#include <string>
#include <vector>

namespace tvp::cli {

/// The output files of a command, by option.
class OutputNames {
 public:
  /// A file that the command reads. Call this before `add`.
  void reads(const std::string& option, const std::string& file);
  /// Throws foundation::Fault(kDescription) if an earlier file is the same.
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
