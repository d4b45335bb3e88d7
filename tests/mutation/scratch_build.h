#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tvp::mutation {

/// Time limit in seconds for a build, and for tests of unknown duration.
constexpr unsigned kLongestSeconds = 1800;

/// The result of a program that ended or was killed.
struct Outcome {
  int status = 0;  ///< exit code; -1 after a timeout
  std::string output;
};

/// The mode of the compiler cache during a build.
enum class Cache { kFill, kRead };

/// Runs a program and kills it with all its children after the time limit. Throws std::system_error
/// if it cannot start.
Outcome run(const std::vector<std::string>& command, const std::filesystem::path& folder,
            unsigned seconds, Cache cache = Cache::kRead);

/// A copy of the tree with its own build, in which files are changed and restored.
class ScratchBuild {
 public:
  /// Copies new files of the tree to `work`/tree and configures it. `jobs` parallel compilers; 0:
  /// ninja's default.
  ScratchBuild(const std::filesystem::path& source, const std::filesystem::path& work,
               unsigned jobs = 0);

  const std::filesystem::path& tree() const { return tree_; }
  /// Builds the targets; the outcome has the compiler's messages. Builds of the unchanged tree fill
  /// the compiler cache, so that restoring a header compiles nothing.
  Outcome build(const std::vector<std::string>& targets, Cache cache = Cache::kRead) const;
  /// Runs the tests until the first failure or for `seconds`.
  Outcome test(const std::string& regular_expression, unsigned seconds) const;

 private:
  std::filesystem::path tree_;
  std::filesystem::path build_;
  unsigned jobs_;
};

}  // namespace tvp::mutation
