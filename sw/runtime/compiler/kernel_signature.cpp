#include "sw/runtime/compiler/kernel_signature.h"

#include <algorithm>
#include <cctype>

#include "foundation/fault.h"

namespace tvp::runtime {
namespace {

constexpr std::string_view kMark = "TT_KERNEL";

struct Token {
  std::string_view text;
  unsigned line;

  bool is(std::string_view other) const { return text == other; }
  bool is_name() const {
    return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_';
  }
};

/// Names, numbers and signs of a source, without comments, literals and directives.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> tokens() {
    while (at_ < source_.size()) {
      if (!skip()) take();
    }
    return std::move(tokens_);
  }

 private:
  char now(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  void step(std::size_t count = 1) {
    for (; count != 0 && at_ < source_.size(); --count) line_ += source_[at_++] == '\n' ? 1 : 0;
  }
  void step_to(std::string_view end) {
    const std::size_t found = source_.find(end, at_);
    step(found == std::string_view::npos ? source_.size() - at_ : found + end.size() - at_);
  }
  static bool of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  bool skip() {
    if (std::isspace(static_cast<unsigned char>(now())) != 0) return step(), true;
    if (now() == '/' && now(1) == '/') return skip_line(), true;
    if (now() == '/' && now(1) == '*') return step(2), step_to("*/"), true;
    if (now() == '#' && begins_line()) return skip_line(), true;
    if (now() == 'R' && now(1) == '"') return skip_raw(), true;
    if (now() == '"' || now() == '\'') return skip_literal(now()), true;
    return false;
  }
  bool begins_line() const {
    const std::size_t before = source_.find_last_not_of(" \t", at_ == 0 ? 0 : at_ - 1);
    return at_ == 0 || before == std::string_view::npos || source_[before] == '\n';
  }
  /// Skips a line, including continuations after a backslash.
  void skip_line() {
    while (at_ < source_.size() && now() != '\n') step(now() == '\\' ? 2 : 1);
  }
  void skip_literal(char quote) {
    step();
    while (at_ < source_.size() && now() != quote) step(now() == '\\' ? 2 : 1);
    step();
  }
  void skip_raw() {
    const std::size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) return step(source_.size() - at_);
    const std::string end = ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
    step_to(end);
  }
  /// Quotes within a number such as 1'000 belong to it.
  void take() {
    std::size_t size = 1;
    if (of_name(now())) {
      const bool number = std::isdigit(static_cast<unsigned char>(now())) != 0;
      while (of_name(now(size)) || (number && now(size) == '\'')) ++size;
    }
    tokens_.push_back({source_.substr(at_, size), line_});
    step(size);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  std::vector<Token> tokens_;
};

class Finder {
 public:
  Finder(std::vector<Token> tokens, const std::string& file)
      : tokens_(std::move(tokens)), file_(file) {}

  std::optional<KernelSignature> find() const {
    const std::size_t mark = position(0);
    if (mark == tokens_.size()) return std::nullopt;
    if (const std::size_t other = position(mark + 1); other != tokens_.size()) {
      fail(other, "a second TT_KERNEL: a kernel has one entry, the first is in line " +
                      std::to_string(tokens_[mark].line));
    }
    KernelSignature found;
    std::size_t open = mark + 1;
    while (open < tokens_.size() && !tokens_[open].is("(")) ++open;
    if (open >= tokens_.size() || open < mark + 3 || !tokens_[open - 1].is_name() ||
        std::any_of(&tokens_[mark], &tokens_[open], [](const Token& t) { return t.is(";"); }))
      fail(mark, "expected a function, as in TT_KERNEL void reader(uint32_t count)");
    found.name = tokens_[open - 1].text;
    found.parameters = names_between(open, closing(open));
    if (mark > 0 && tokens_[mark - 1].is(">"))
      found.template_parameters = names_between(opening(mark - 1), mark - 1);
    return found;
  }

 private:
  [[noreturn]] void fail(std::size_t token, const std::string& text) const {
    throw foundation::Fault(foundation::FaultKind::kFirmware,
                            file_ + ":" + std::to_string(tokens_[token].line), text);
  }
  std::size_t position(std::size_t from) const {
    while (from < tokens_.size() && !tokens_[from].is(kMark)) ++from;
    return from;
  }
  /// Finds the opening angle of the template list that ends at `close`. Angles in parentheses are
  /// comparisons.
  std::size_t opening(std::size_t close) const {
    int depth = 0, parentheses = 0;
    for (std::size_t at = close + 1; at-- > 0;) {
      const Token& token = tokens_[at];
      parentheses += token.is(")") ? 1 : token.is("(") ? -1 : 0;
      if (parentheses == 0) depth += token.is(">") ? 1 : token.is("<") ? -1 : 0;
      if (parentheses != 0 || depth != 0) continue;
      if (at == 0 || !tokens_[at - 1].is("template")) break;
      return at;
    }
    fail(close, "expected template <…> before TT_KERNEL");
  }
  static int depth_of(const Token& token) {
    if (token.is("(") || token.is("[") || token.is("{")) return 1;
    return token.is(")") || token.is("]") || token.is("}") ? -1 : 0;
  }
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t at = open; at < tokens_.size(); ++at) {
      depth += tokens_[at].is("(") ? 1 : tokens_[at].is(")") ? -1 : 0;
      if (depth == 0) return at;
    }
    fail(open, "the parameters of " + std::string(tokens_[open - 1].text) + " do not end");
  }
  std::vector<std::string> names_between(std::size_t open, std::size_t close) const {
    std::vector<std::string> names;
    std::size_t begin = open + 1;
    int parentheses = 0, angles = 0;
    for (std::size_t at = begin; at <= close; ++at) {
      if (at < close) {
        parentheses += depth_of(tokens_[at]);
        if (parentheses == 0) angles += tokens_[at].is("<") ? 1 : tokens_[at].is(">") ? -1 : 0;
        if (parentheses != 0 || angles != 0 || !tokens_[at].is(",")) continue;
      }
      if (at != begin) add_name(begin, at, names);
      begin = at + 1;
    }
    return names;
  }
  /// Adds the name of the parameter in [begin, end): its last word before a default.
  void add_name(std::size_t begin, std::size_t end, std::vector<std::string>& names) const {
    std::size_t last = begin;
    while (last < end && !tokens_[last].is("=")) ++last;
    if (last == begin + 1 && tokens_[begin].is("void")) return;
    if (last < begin + 2 || !tokens_[last - 1].is_name())
      fail(begin,
           "a parameter of the kernel has no name; expected one, because the host passes it by "
           "name");
    names.emplace_back(tokens_[last - 1].text);
  }

  std::vector<Token> tokens_;
  const std::string& file_;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "get_arg(args::" : ", get_arg(args::") + name + ")";
  return text;
}

}  // namespace

std::optional<KernelSignature> KernelSignature::find(std::string_view source,
                                                     const std::string& file) {
  if (source.find(kMark) == std::string_view::npos) return std::nullopt;
  return Finder(Scanner(source).tokens(), file).find();
}

std::string KernelSignature::kernel_main(const KernelNames& names, const std::string& file) const {
  const auto missing = [&](const std::string& parameter, const char* kind) {
    throw foundation::Fault(foundation::FaultKind::kFirmware, file,
                            "parameter " + parameter + " of " + name + " has no " + kind +
                                " of that name (KernelNames of the kernel's config)");
  };
  for (const std::string& parameter : template_parameters) {
    if (!names.compile_args.contains(parameter)) missing(parameter, "compile-time argument");
  }
  for (const std::string& parameter : parameters) {
    if (!has(names.runtime_args, parameter) && !has(names.common_runtime_args, parameter) &&
        !names.compile_args.contains(parameter))
      missing(parameter, "argument");
  }
  const std::string of_template =
      template_parameters.empty() ? "" : "<" + joined(template_parameters) + ">";
  return "void kernel_main() { " + name + of_template + "(" + joined(parameters) + "); }\n";
}

}  // namespace tvp::runtime
