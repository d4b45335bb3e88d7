#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tvp::prose {

/// A piece of prose: a comment block, a paragraph, a table cell or a message.
struct Passage {
  enum class Kind { kComment, kMessage, kPage };
  Kind kind = Kind::kComment;
  unsigned line = 0;  ///< line of the first character, from 1
  /// Line ends of the file are '\n', line ends inside a message are kBreak.
  std::string text;
  std::size_t end = 0;  ///< offset in the file behind the passage

  static constexpr char kBreak = '\x01';
};

/// The prose and the rest of one file.
struct Source {
  std::vector<Passage> passages;
  /// The file's text with comments blanked; for pages only the fenced blocks.
  std::string code;
};

/// Splits a file by the ending of its name. Files of unknown kinds have code only. Messages are
/// string literals of at least four words.
Source read_source(const std::filesystem::path& file);

}  // namespace tvp::prose
