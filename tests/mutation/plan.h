#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/mutation/mutation.h"

namespace tvp::mutation {

/// Files of one part of the tree, and the tests that must detect their mistakes.
struct Group {
  std::string name;
  std::vector<std::string> files;    ///< files or folders, from the root
  std::vector<std::string> without;  ///< exceptions, which other groups cover
  std::vector<std::string> targets;  ///< build targets
  std::string tests;                 ///< regular expression of ctest
  unsigned draws = 0;                ///< number of random changes
  std::vector<Mutation> named;       ///< changes that are always made
};

/// A change that no test detects, and the reason why that is correct.
struct Survivor {
  enum class Kind : std::uint8_t {
    kEquivalent,  ///< no input makes a difference, as the reason proves
    kFree,        ///< visible, but no user relies on it
  };
  std::string file;
  std::string from;
  std::string to;
  std::string line;  ///< the whole line without surrounding blanks
  Kind kind = Kind::kFree;
  std::string reason;
};

const char* name_of(Survivor::Kind kind);

/// The content of plan.toml. Throws Fault(kDescription) with file and line if a key is missing, or
/// if a change's text is not in its file exactly once.
struct Plan {
  Plan(const std::filesystem::path& file, const std::filesystem::path& root);

  std::vector<Group> groups;
  std::vector<Survivor> survivors;
};

/// C++ sources of the group, sorted.
std::vector<std::string> sources_of(const Group& group, const std::filesystem::path& root);

/// All changes of the group, the named ones first.
std::vector<Mutation> all_of(const Group& group, const std::filesystem::path& root);
/// The named changes and a random sample by seed, equal for equal trees.
std::vector<Mutation> draw(const Group& group, const std::filesystem::path& root,
                           std::uint64_t seed);

std::string read_text(const std::filesystem::path& file);
/// Throws std::runtime_error if the file cannot be written completely.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace tvp::mutation
