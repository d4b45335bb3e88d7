#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/mutation/mutation.h"

namespace tvp::mutation {

/// Files of one part of the tree, and the tests that are to find what is wrong with them.
struct Group {
  std::string name;
  std::vector<std::string> files;    ///< or folders, from the root
  std::vector<std::string> without;  ///< or folders, which other tests answer for
  std::vector<std::string> targets;  ///< of the build
  std::string tests;                 ///< a regular expression of ctest
  unsigned draws = 0;                ///< changes drawn at random
  std::vector<Mutation> named;       ///< changes that are always made
};

/// A change that no test finds, and why that is right.
struct Survivor {
  enum class Kind : std::uint8_t {
    kEquivalent,  ///< no input makes a difference: the reason proves it
    kFree,        ///< it can be seen, and nobody relies on it
  };
  std::string file;
  std::string from;
  std::string to;
  std::string line;  ///< the whole line, without the blanks around it
  Kind kind = Kind::kFree;
  std::string reason;
};

const char* name_of(Survivor::Kind kind);

/// plan.toml. Throws Fault(kDescription), with file and line, when a key is missing, or a change's
/// text is not in its file exactly once.
struct Plan {
  Plan(const std::filesystem::path& file, const std::filesystem::path& root);

  std::vector<Group> groups;
  std::vector<Survivor> survivors;
};

/// C++ sources of the group, sorted.
std::vector<std::string> sources_of(const Group& group, const std::filesystem::path& root);

/// All changes of the group, the named ones first.
std::vector<Mutation> all_of(const Group& group, const std::filesystem::path& root);
/// The named changes and those drawn with the seed, the same for the same tree.
std::vector<Mutation> draw(const Group& group, const std::filesystem::path& root,
                           std::uint64_t seed);

std::string read_text(const std::filesystem::path& file);
/// Throws std::runtime_error when not all of it could be written.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace tvp::mutation
