#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tvp::prose {

/// Phrases to avoid, each with what to write instead. A line of the file is
/// `PHRASE | PHRASE -> REPLACEMENT`; `#` begins a comment.
class WordList {
 public:
  /// Throws std::runtime_error with file and line of a line that has another form, and of a phrase
  /// that is listed twice.
  static WordList read(const std::filesystem::path& file);

  /// The longest phrase that begins at word `at` of `words` (lower case); nullptr if none does.
  /// `length` becomes its number of words.
  const std::string* replacement(const std::vector<std::string>& words, std::size_t at,
                                 std::size_t& length) const;

 private:
  std::map<std::string, std::string> phrases_;
  std::size_t longest_ = 0;  ///< words of the longest phrase
};

}  // namespace tvp::prose
