#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tvp::layers {

/// The table of allowed includes, tests/layers/arrows.txt.
/// A block is a folder or a single file. The longest matching name is the block of a path. A name
/// in <brackets> is an external library; * is everything.
class ArrowTable {
 public:
  /// Throws std::runtime_error that names file, line and the expected content. Errors are a line
  /// without an arrow, a block that is listed twice, and an arrow to an unlisted block.
  static ArrowTable read(const std::filesystem::path& file);

  /// "" if the path is in no block.
  std::string block_of(const std::string& path) const;
  bool allows(const std::string& from, const std::string& to) const;
  const std::map<std::string, std::set<std::string>>& arrows() const { return arrows_; }

  /// The blocks of a cycle of arrows, with the first one repeated at the end; empty if there is no
  /// cycle.
  std::vector<std::string> circle() const;
  /// Blocks by level. Level 0 includes nothing. A block includes only lower levels, and at least
  /// one block of the level below. The table must have no cycle.
  std::vector<std::vector<std::string>> levels() const;
  /// The levels as text, the highest first.
  std::string drawing() const;

 private:
  std::map<std::string, std::set<std::string>> arrows_;
};

}  // namespace tvp::layers
