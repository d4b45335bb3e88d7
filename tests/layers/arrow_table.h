#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tvp::layers {

/// Which block may include which: tests/layers/arrows.txt.
///
/// A block is a folder, or one file of it that has a place of its own; the longest name that fits a
/// path is its block. What the table names in <brackets> is a library from outside; * is
/// everything.
class ArrowTable {
 public:
  /// Throws std::runtime_error that names file, line and what was expected: a line that is no
  /// arrow, a block that stands twice, an arrow to a block that has no line.
  static ArrowTable read(const std::filesystem::path& file);

  /// "" for a path that is in no block.
  std::string block_of(const std::string& path) const;
  bool allows(const std::string& from, const std::string& to) const;
  const std::map<std::string, std::set<std::string>>& arrows() const { return arrows_; }

  /// The blocks of a circle of arrows, its first again at its end; empty when there is none.
  std::vector<std::string> circle() const;
  /// Blocks by level: those of level 0 include nothing, the others only blocks of lower levels and
  /// one of the level below. Only of a table without circles.
  std::vector<std::vector<std::string>> levels() const;
  /// The levels as text, the highest first.
  std::string drawing() const;

 private:
  std::map<std::string, std::set<std::string>> arrows_;
};

}  // namespace tvp::layers
