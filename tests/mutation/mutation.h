#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tvp::mutation {

/// One change of one place of a file, such as a slip of a hand would make.
struct Mutation {
  std::string file;  ///< from the root of the tree
  std::size_t line = 0;
  std::size_t offset = 0;  ///< of `from` in the file
  std::string from;
  std::string to;
  std::string rule;  ///< "comparison", "constant", …
  std::size_t column = 0;

  /// "models/noc/torus/noc_router.cpp:41:17: comparison: ' < ' -> ' <= '"
  std::string text() const;
};

/// All changes of a C++ source that the rules know: comparisons, logic, sums, constants, returned
/// truth values, and calls that are dropped, Tensix instructions among them. Not in comments,
/// texts, preprocessor lines and static assertions.
std::vector<Mutation> mutations_of(const std::string& file, const std::string& source);

/// The source with the change.
std::string mutated(const std::string& source, const Mutation& mutation);

}  // namespace tvp::mutation
