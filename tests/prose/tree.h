#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/prose/prose_check.h"

namespace tvp::prose {

/// The files of the source tree in the current folder, and what is configured in tests/prose.
class Tree {
 public:
  /// Throws std::runtime_error with file and line if a list in tests/prose has an error.
  Tree();

  /// Findings below `paths` (files or folders). Throws std::runtime_error if one does not exist.
  std::vector<Finding> check(const std::vector<std::string>& paths) const;
  /// The folders and files at the top of the tree, which must have no finding:
  /// tests/prose/clean.txt.
  const std::vector<std::string>& clean() const { return clean_; }

 private:
  std::vector<std::string> files_;
  std::set<std::string> folders_;
  std::vector<std::string> clean_;
  ProseCheck check_;
};

}  // namespace tvp::prose
