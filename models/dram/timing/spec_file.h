#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::dram {

/// The named values of a timing file, each with its line. Sections and levels of the file are
/// dropped, so that all formats look alike: a name has the value of its first place. In YAML, the
/// level `dram` is the first place, and a name is also known as LEVEL.NAME.
class SpecFile {
 public:
  enum class Format {
    kNone,
    kAssignments,  ///< lines NAME = VALUE, sections in brackets
    kJson,         ///< "NAME": VALUE
    kYaml,         ///< NAME: VALUE
  };

  /// Reads and splits a file. Throws Fault(kDescription) if it cannot be read.
  explicit SpecFile(const std::string& file);

  Format format() const { return format_; }
  bool has(const std::string& name) const { return values_.contains(name); }
  const std::string& text(const std::string& name) const;
  /// An integer in a range. Throws Fault(kDescription) with file, line and range.
  unsigned number(const std::string& name, unsigned min, unsigned max) const;
  /// The same, or `otherwise` if the file does not have the name.
  unsigned number(const std::string& name, unsigned min, unsigned max, unsigned otherwise) const;
  double real(const std::string& name, double min, double max) const;
  /// A list of integers in brackets with this length.
  std::vector<unsigned> list(const std::string& name, std::size_t length) const;

  [[noreturn]] void fail(const std::string& text) const;
  /// Fails with the line of a name.
  [[noreturn]] void fail(const std::string& name, const std::string& text) const;

 private:
  struct Value {
    std::string text;
    std::size_t line;
  };
  void split(const std::string& content);
  void split_line(std::string_view line, std::size_t number);
  void add(std::string_view name, std::string_view value, std::size_t line);
  const Value& find(const std::string& name) const;

  std::string file_;
  Format format_ = Format::kNone;
  std::map<std::string, Value> values_;
  std::string level_;  ///< the last one, in YAML
};

}  // namespace tvp::dram
