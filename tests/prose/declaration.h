#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tvp::prose {

/// Finds comments that stand over the wrong declaration. Such a comment quotes a name that is a
/// parameter of a later declaration only. The declaration below the comment does not contain it,
/// and the file does not declare it elsewhere.
class DeclarationCheck {
 public:
  /// `code`: the text of a C++ file, comments blanked.
  explicit DeclarationCheck(const std::string& code);

  /// `at`: offset behind the comment.
  bool is_misplaced(const std::string& name, std::size_t at) const;

 private:
  /// Offset behind the declaration that begins at or behind `at`, with its body.
  std::size_t end_of_declaration(std::size_t at) const;
  bool occurs(const std::string& name, std::size_t from, std::size_t to) const;

  std::string code_;
  std::unordered_map<std::string, std::size_t> last_parameter_;  ///< offset of its last declaration
  std::unordered_set<std::string> declared_;                     ///< not as a parameter
};

}  // namespace tvp::prose
