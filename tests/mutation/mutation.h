#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tvp::mutation {

/// A small change at one place of a file, like a slip of a programmer.
struct Mutation {
  std::string file;  ///< from the root of the tree
  std::size_t line = 0;
  std::size_t offset = 0;  ///< position of `from` in the file
  std::string from;
  std::string to;
  std::string rule;  ///< "comparison", "constant", …
  std::size_t column = 0;

  /// "models/noc/torus/noc_router.cpp:41:17: comparison: ' < ' -> ' <= '"
  std::string text() const;
};

/// All changes that the rules find in a C++ source: comparisons, logic, sums, constants, returned
/// truth values, and dropped calls, also of Tensix instructions. Comments, texts, preprocessor
/// lines and static assertions are not changed.
std::vector<Mutation> mutations_of(const std::string& file, const std::string& source);

/// The source with its comments and texts replaced by spaces.
std::string code_of(const std::string& source);

/// The source with the change.
std::string mutated(const std::string& source, const Mutation& mutation);

}  // namespace tvp::mutation
