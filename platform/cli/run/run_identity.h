#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tvp::cli {

/// A hash that is equal for runs with equal results. It covers program, library, sources of
/// firmware and systems, environment and arguments.
class RunIdentity {
 public:
  RunIdentity();
  /// Hash of one run. Files that a value names count with their content.
  std::string of(const std::vector<std::pair<std::string, std::string>>& settings) const;

 private:
  std::string build_;
};

}  // namespace tvp::cli
