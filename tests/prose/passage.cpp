#include "tests/prose/passage.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

namespace tvp::prose {

namespace {

constexpr std::size_t kFewestWords = 4;   ///< a shorter literal is no message
constexpr std::size_t kLongestGap = 160;  ///< characters of code between two literals of a message

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}
std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r\n") + 1 - from);
}

bool starts_item(const std::string& line) {
  if (line.starts_with("* ") || line.starts_with("- ") || line.starts_with("| ")) return true;
  const auto digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string::npos && line.compare(digits, 2, ". ") == 0;
}

/// Lines that hold code, a table of figures, a diagram or an instruction to a tool.
bool is_no_prose(const std::string& line) {
  for (const char* mark : {"NOLINT", "clang-format o", "SPDX-", "namespace", "#include",
                           "shellcheck ", "verilator lint", "verilator "}) {
    if (trimmed(line).starts_with(mark)) return true;
  }
  if (line.starts_with("    ") ||
      line.find("   ", line.find_first_not_of(' ')) != std::string::npos)
    return true;
  const auto letters = std::count_if(line.begin(), line.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == ' ' || (c & 0x80) != 0;
  });
  return !is_blank(line) && 2 * static_cast<std::size_t>(letters) < line.size();
}

std::size_t words_in(const std::string& text) {
  std::size_t words = 0;
  bool letters = false;
  for (const char c : text + " ") {
    if (c != ' ' && c != '\n' && c != Passage::kBreak) {
      letters |= std::isalpha(static_cast<unsigned char>(c)) != 0;
      continue;
    }
    words += letters;
    letters = false;
  }
  return words;
}

class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)), code_(text_) {}

  Source c_family();
  Source hash_family(bool is_toml);
  Source page();
  Source code_only() { return {{}, text_}; }

 private:
  unsigned line_at(std::size_t at) {
    for (; counted_ < at; ++counted_) line_ += text_[counted_] == '\n';
    return line_;
  }
  /// A line of a comment. `column`: of its first mark; `alone`: no code in front of it.
  void comment_line(std::size_t at, std::size_t end, std::string line, bool alone);
  void end_comment() { comment_open_ = false; }
  void blank(std::size_t from, std::size_t to) {
    for (; from < to; ++from)
      if (code_[from] != '\n') code_[from] = ' ';
  }
  void literal(std::size_t from, std::size_t to, const std::string& value);
  void end_message();
  bool joins(std::size_t from, std::string& between) const;
  void add(Passage::Kind kind, std::size_t at, std::size_t end, const std::string& text) {
    passages_.push_back({kind, line_at(at), text, end});
  }
  std::size_t column_of(std::size_t at) const {
    const auto begin = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return begin == std::string::npos ? at : at - begin - 1;
  }
  bool is_alone(std::size_t at) const {
    return is_blank(text_.substr(at - column_of(at), column_of(at)));
  }
  std::string unescaped(std::size_t from, std::size_t to) const;
  void page_line(std::size_t at, const std::string& line);

  std::string text_;
  std::string code_;
  std::vector<Passage> passages_;
  std::size_t counted_ = 0;
  unsigned line_ = 1;
  bool comment_open_ = false;
  std::size_t comment_column_ = 0;
  unsigned comment_last_ = 0;
  std::string message_;
  std::size_t message_at_ = 0;
  std::size_t message_end_ = 0;
};

void Reader::comment_line(std::size_t at, std::size_t end, std::string line, bool alone) {
  const unsigned number = line_at(at);
  const bool follows =
      comment_open_ && alone && column_of(at) == comment_column_ && number == comment_last_ + 1;
  if (!follows) comment_open_ = false;
  if (line.starts_with(' ')) line.erase(0, 1);
  if (is_blank(line) || is_no_prose(line)) {
    comment_open_ = false;
    return;
  }
  if (starts_item(trimmed(line))) comment_open_ = false;
  if (comment_open_) {
    passages_.back().text += "\n" + trimmed(line);
    passages_.back().end = end;
  } else {
    passages_.push_back({Passage::Kind::kComment, number, trimmed(line), end});
  }
  comment_open_ = true;
  comment_column_ = column_of(at);
  comment_last_ = number;
}

std::string Reader::unescaped(std::size_t from, std::size_t to) const {
  std::string value;
  for (; from < to; ++from) {
    if (text_[from] != '\\' || from + 1 == to) {
      value += text_[from] == '\n' ? Passage::kBreak : text_[from];
      continue;
    }
    ++from;
    if (text_[from] == '\n') {
      from = text_.find_first_not_of(" \t", from + 1) - 1;  // TOML's line that goes on
    } else if (text_[from] == 'n') {
      value += Passage::kBreak;
    } else {
      value += text_[from] == 't' ? ' ' : text_[from];
    }
  }
  return value;
}

bool Reader::joins(std::size_t from, std::string& between) const {
  if (message_end_ == 0 || from - message_end_ > kLongestGap) return false;
  const std::string gap = trimmed(code_.substr(message_end_, from - message_end_));
  if (gap.find(';') != std::string::npos) return false;
  const bool joined = gap.empty() || (gap[0] == '+' && gap.back() == '+') ||
                      (gap.starts_with("<<") && gap.ends_with("<<"));
  between = gap.size() > 2 ? "@" : "";
  return joined;
}

void Reader::literal(std::size_t from, std::size_t to, const std::string& value) {
  std::string between;
  if (!joins(from, between)) {
    end_message();
    message_at_ = from;
  }
  message_ += between + value;
  message_end_ = to;
}

void Reader::end_message() {
  const auto prose = std::count_if(message_.begin(), message_.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == ' ';
  });
  if (words_in(message_) >= kFewestWords &&
      4 * static_cast<std::size_t>(prose) > 3 * message_.size()) {
    const auto line = 1 + static_cast<unsigned>(std::count(
                              text_.begin(), text_.begin() + static_cast<long>(message_at_), '\n'));
    passages_.push_back({Passage::Kind::kMessage, line, message_, message_end_});
  }
  message_.clear();
  message_end_ = 0;
}

Source Reader::c_family() {
  for (std::size_t at = 0; at < text_.size();) {
    const char c = text_[at];
    if (text_.compare(at, 2, "//") == 0) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      auto from = text_.find_first_not_of('/', at);
      if (from == std::string::npos || from > end) from = end;
      if (from < end && text_[from] == '<') ++from;
      comment_line(at, end, text_.substr(from, end - from), is_alone(at));
      blank(at, end);
      at = end;
    } else if (text_.compare(at, 2, "/*") == 0) {
      const auto end = std::min(text_.find("*/", at + 2), text_.size() - 2) + 2;
      end_comment();
      std::size_t from = at + 2;
      while (from < end - 2) {
        const auto stop = std::min(text_.find('\n', from), end - 2);
        auto begin = std::min(text_.find_first_not_of(" *\t", from), stop);
        comment_line(from, stop, text_.substr(begin, stop - begin), true);
        comment_column_ = 0;
        from = stop + 1;
      }
      end_comment();
      blank(at, end);
      at = end;
    } else if (c == '"' && at > 0 && text_[at - 1] == 'R') {
      const auto open = text_.find('(', at);
      const std::string close = ")" + text_.substr(at + 1, open - at - 1) + "\"";
      at = std::min(text_.find(close, open), text_.size() - close.size()) + close.size();
      end_message();
    } else if (c == '"') {
      auto end = at + 1;
      while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
        end += text_[end] == '\\' ? 2 : 1;
      literal(at, std::min(end + 1, text_.size()), unescaped(at + 1, std::min(end, text_.size())));
      at = end + 1;
    } else if (c == '\'' && (at == 0 || !is_word(text_[at - 1]))) {
      auto end = at + 1;
      while (end < text_.size() && text_[end] != '\'' && text_[end] != '\n')
        end += text_[end] == '\\' ? 2 : 1;
      at = end + 1;
    } else {
      ++at;
    }
  }
  end_message();
  return {passages_, code_};
}

Source Reader::hash_family(bool is_toml) {
  for (std::size_t at = 0; at < text_.size();) {
    const char c = text_[at];
    if (c == '#' && (at == 0 || std::isspace(static_cast<unsigned char>(text_[at - 1])) != 0)) {
      const auto end = std::min(text_.find('\n', at), text_.size());
      if (!(at == 0 && text_.starts_with("#!")))
        comment_line(at, end, text_.substr(at + 1, end - at - 1), is_alone(at));
      blank(at, end);
      at = end;
    } else if (is_toml && text_.compare(at, 3, "\"\"\"") == 0) {
      const auto end = std::min(text_.find("\"\"\"", at + 3), text_.size() - 3);
      literal(at, end + 3, unescaped(at + 3, end));
      end_message();
      at = end + 3;
    } else if (c == '"' || (c == '\'' && (at == 0 || !is_word(text_[at - 1])))) {
      auto end = at + 1;
      while (end < text_.size() && text_[end] != c) end += text_[end] == '\\' && c == '"' ? 2 : 1;
      end = std::min(end, text_.size());
      literal(at, std::min(end + 1, text_.size()), unescaped(at + 1, end));
      end_message();
      at = end + 1;
    } else {
      at += c == '\\' ? 2 : 1;
    }
  }
  return {passages_, code_};
}

Source Reader::page() {
  std::string code;
  bool fence = false;
  bool open = false;
  bool hidden = false;
  for (std::size_t at = 0, number = 1; at < text_.size(); ++number) {
    const auto end = std::min(text_.find('\n', at), text_.size());
    std::string line = text_.substr(at, end - at);
    at = end + 1;
    const std::string content = trimmed(line);
    if (content.starts_with("```")) {
      fence = !fence;
      open = false;
      continue;
    }
    if (content.starts_with("<!--") && !fence) hidden = true;
    if (fence) code += line + "\n";
    const bool is_hidden = hidden;
    if (content.ends_with("-->")) hidden = false;
    if (fence || is_hidden || content.empty() || content.starts_with("![") ||
        content.starts_with("|-") || content.starts_with("|:") || content.starts_with("---") ||
        (!open && line.starts_with("    "))) {
      open = false;
      continue;
    }
    const auto passage = [&](const std::string& text) {
      passages_.push_back({Passage::Kind::kPage, static_cast<unsigned>(number), text, end});
    };
    if (content.starts_with('|')) {
      open = false;
      std::string cell;
      bool in_code = false;
      for (std::size_t i = 1; i < content.size(); ++i) {
        if (content[i] == '`') in_code = !in_code;
        if (content[i] == '|' && !in_code && content[i - 1] != '\\') {
          if (!is_blank(cell)) passage(trimmed(cell));
          cell.clear();
        } else {
          cell += content[i];
        }
      }
    } else if (content.starts_with('#')) {
      passage(trimmed(content.substr(content.find_first_not_of('#'))));
      open = false;
    } else if (!open || starts_item(content)) {
      passage(starts_item(content) ? trimmed(content.substr(content.find(' '))) : content);
      open = true;
    } else {
      passages_.back().text += "\n" + content;
      passages_.back().end = end;
    }
  }
  return {passages_, code};
}

}  // namespace

Source read_source(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file.string() + ": cannot be read");
  Reader reader(std::string(std::istreambuf_iterator<char>(stream), {}));
  static const std::set<std::string> c_family{".cpp", ".h",   ".hpp", ".c",  ".S",
                                              ".sv",  ".def", ".js",  ".ld", ".in"};
  const std::string kind = file.extension();
  if (kind == ".md") return reader.page();
  if (c_family.contains(kind)) return reader.c_family();
  if (kind == ".toml") return reader.hash_family(true);
  const std::string name = file.filename();
  if (kind == ".sh" || kind == ".cmake" || name == "CMakeLists.txt" || name == "vp" ||
      name == "packages.txt" || name == "lint_packages.txt")
    return reader.hash_family(false);
  return reader.code_only();
}

}  // namespace tvp::prose
