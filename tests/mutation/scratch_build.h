#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tvp::mutation {

/// For a build, or for tests of which nothing is known yet.
constexpr unsigned kLongestSeconds = 1800;

/// A program that ran to its end or was ended.
struct Outcome {
  int status = 0;  ///< exit code; -1 when it was ended for taking too long
  std::string output;
};

/// The mode of the compiler cache during a build.
enum class Cache { kFill, kRead };

/// Runs a program and ends it, with all that it has started, when the time is over. Throws
/// std::system_error when it cannot be started.
Outcome run(const std::vector<std::string>& command, const std::filesystem::path& folder,
            unsigned seconds, Cache cache = Cache::kRead);

/// A copy of the tree with a build of its own, in which files are changed and changed back.
class ScratchBuild {
 public:
  /// Copies what is new of the tree to `work`/tree, and configures it. `jobs` compilers at a time,
  /// with 0 as many as ninja thinks right.
  ScratchBuild(const std::filesystem::path& source, const std::filesystem::path& work,
               unsigned jobs = 0);

  const std::filesystem::path& tree() const { return tree_; }
  /// Builds the targets; the compiler's text when that fails. What is built of the tree as it is
  /// fills the compiler cache, so that taking a header back costs no compiler.
  Outcome build(const std::vector<std::string>& targets, Cache cache = Cache::kRead) const;
  /// Runs the tests until the first one fails or all have taken `seconds`.
  Outcome test(const std::string& regular_expression, unsigned seconds) const;

 private:
  std::filesystem::path tree_;
  std::filesystem::path build_;
  unsigned jobs_;
};

}  // namespace tvp::mutation
