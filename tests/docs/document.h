#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tvp::docs {

/// The output of `./vp …` on a page: a fenced block whose first line is `$ ./vp …`, behind the line
/// `<!-- output -->`.
struct OutputBlock {
  std::vector<std::string> arguments;  ///< of vp
  std::string text;                    ///< what it printed
  std::size_t begin = 0;               ///< of `text` in the page
};

/// A page of Markdown.
class Document {
 public:
  /// Throws std::runtime_error when it cannot be read.
  explicit Document(std::filesystem::path file);

  const std::string& text() const { return text_; }
  /// Throws std::runtime_error naming file and line of a mark without a block behind it.
  std::vector<OutputBlock> outputs() const;
  /// Files that the page names in `code` or links to, as they stand there; not those of a NAME that
  /// the reader chooses, no words without an ending.
  std::vector<std::string> named_files() const;
  void replace(const OutputBlock& block, const std::string& text);
  /// Throws std::runtime_error when it cannot be written.
  void save() const;

 private:
  std::filesystem::path file_;
  std::string text_;
};

/// The standard output of `program arguments…`. Throws std::runtime_error if it fails.
std::string output_of(const std::string& program, const std::vector<std::string>& arguments);
/// As many lines of `output` as `as` has, when that ends with a line of an ellipsis; else all.
std::string shortened(const std::string& output, const std::string& as);
/// Without what differs from machine to machine: wall time, speed and their like.
std::string comparable(const std::string& output);

}  // namespace tvp::docs
