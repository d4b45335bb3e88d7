#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>

namespace tvp::prose {

/// Every identifier, file and folder that exists in the tree, and the words of the glossary.
class KnownNames {
 public:
  /// The identifiers in `text`.
  void add_text(const std::string& text);
  void add_word(const std::string& word) { names_.insert(word); }
  /// A file of the tree: its path, its name with and without ending, and its folders.
  void add_file(const std::string& path);

  bool contains(const std::string& name) const { return names_.contains(name); }
  /// The first unknown identifier in the text of a code span; "" if all are known or the span
  /// holds no name: words with spaces, metavariables in capitals, numbers, patterns.
  std::string unknown_in(const std::string& span) const;

 private:
  /// Also a name with a number behind it: `bank_3` is made of `bank_`.
  bool is_known(const std::string& name) const;

  std::unordered_set<std::string> names_;
};

}  // namespace tvp::prose
