#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tvp::docs {

/// The output of a command on a page: a fenced block whose first line is `$ COMMAND`, after the
/// line `<!-- output -->`. After `<!-- output with errors, exit code N -->`, it includes standard
/// error.
struct OutputBlock {
  std::vector<std::string> command;  ///< the program, as written, and its arguments
  std::string text;                  ///< the output
  std::size_t begin = 0;             ///< offset of `text` in the page
  unsigned line = 0;                 ///< line of the command, from 1
  std::optional<int> exit_code{};    ///< expected exit code of a block with errors
};

/// A session of gdb on a page: a block of commands after `<!-- gdb WORKLOAD -->` or
/// `<!-- gdb exec PROGRAM -->`, then a block of lines that gdb must print, after
/// `<!-- gdb output -->`.
struct GdbSession {
  std::string workload;
  std::vector<std::string> commands;
  std::vector<std::string> expected;
  unsigned line = 0;  ///< line of the first mark, from 1
};

/// A page of Markdown.
class Document {
 public:
  /// Throws std::runtime_error when it cannot be read.
  explicit Document(std::filesystem::path file);

  const std::string& text() const { return text_; }
  /// Throws std::runtime_error with file and line of a mark without a block after it.
  std::vector<OutputBlock> outputs() const;
  std::vector<GdbSession> gdb_sessions() const;
  /// Names of files in code font or in links. Names with NAME, which the reader chooses, and words
  /// without a file ending do not count.
  std::vector<std::string> named_files() const;
  /// Folders in the first column of a table whose first header is "folder".
  std::vector<std::string> listed_folders() const;
  void replace(const OutputBlock& block, const std::string& text);
  /// Throws std::runtime_error when it cannot be written.
  void save() const;

 private:
  unsigned line_at(std::size_t at) const;
  /// The lines of the fenced block that begins at `fence`.
  std::vector<std::string> block_at(std::size_t fence) const;

  std::filesystem::path file_;
  std::string text_;
};

/// All pages whose outputs and names the tests check.
std::vector<std::string> checked_pages();

/// The output of a block's command, which runs in `folder` with these variables. Paths in the
/// current folder are relative to it. In a block with errors, chains of inlined functions are
/// shortened. Throws std::runtime_error for another exit code than the
/// block's.
std::string output_of(const OutputBlock& block, const std::vector<std::string>& command,
                      const std::string& folder, const std::vector<std::string>& environment);
/// If `as` ends with a line that is an ellipsis, as many lines of `output` as `as` has; else all.
std::string shortened(const std::string& output, const std::string& as);
/// `output` without wall time and speed, which differ between computers, and without spaces at
/// line ends.
std::string comparable(const std::string& output);

}  // namespace tvp::docs
