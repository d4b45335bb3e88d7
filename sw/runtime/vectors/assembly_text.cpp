#include "sw/runtime/vectors/assembly_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tvp::runtime::vectors {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Splits at commas outside of quotes.
std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> parts;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (i < text.size() && (text[i] != ',' || quoted)) continue;
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty()) parts.emplace_back(part);
    begin = i + 1;
  }
  return parts;
}

AssemblyText::Line parsed(std::string_view text) {
  AssemblyText::Line line;
  line.text = text;
  std::string_view rest = trimmed(text);
  if (rest.empty() || rest[0] == '#') return line;
  const std::size_t word = std::min(rest.find_first_of(kBlanks), rest.size());
  if (rest[word - 1] == ':') {
    line.label = rest.substr(0, word - 1);
    rest = trimmed(rest.substr(word));
    if (rest.empty() || rest[0] == '#') return line;
  }
  const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  line.mnemonic = rest.substr(0, end);
  if (line.mnemonic[0] != '.') rest = rest.substr(0, rest.find('#'));  // a comment, or a string
  if (end < rest.size()) line.operands = split_operands(rest.substr(end));
  return line;
}

/// The compiler's strings escape only quotes and backslashes.
std::string unquoted(std::string_view text) {
  std::string plain;
  if (text.size() < 2 || text.front() != '"') return std::string(text);
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace

AssemblyText::AssemblyText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines_.push_back(parsed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  find_functions();
}

void AssemblyText::find_functions() {
  std::vector<std::string> names;
  bool debugging = false;  // debug information, which may name any place
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    if (line.mnemonic == ".type" && line.operands.size() == 2 && line.operands[1] == "@function") {
      names.push_back(line.operands[0]);
    }
    if (line.mnemonic == ".section") debugging = line.operands[0].starts_with(".debug");
    if (line.mnemonic == ".text") debugging = false;
    if (!debugging && (line.mnemonic == ".word" || line.mnemonic == ".4byte")) {
      for (const std::string& operand : line.operands)
        if (operand[0] == '.') addressed_labels_.push_back(operand);
    }
    if (!line.label.empty() && std::find(names.begin(), names.end(), line.label) != names.end()) {
      functions_.push_back({line.label, i, lines_.size()});
    }
    if (line.mnemonic == ".size" && !functions_.empty() &&
        line.operands[0] == functions_.back().name) {
      functions_.back().end = i;
    }
  }
}

std::string AssemblyText::source_of(std::size_t line) const {
  for (std::size_t i = line + 1; i-- > 0;) {
    if (lines_[i].mnemonic != ".loc" || lines_[i].operands.empty()) continue;
    // .loc FILE LINE COLUMN …, between blanks
    const char* text = lines_[i].operands[0].c_str();
    char* end = nullptr;
    const long file = std::strtol(text, &end, 10);
    const long number = std::strtol(end, nullptr, 10);
    for (const Line& other : lines_) {
      if (other.mnemonic != ".file" || other.operands.empty()) continue;
      const std::string& of = other.operands[0];
      if (std::strtol(of.c_str(), nullptr, 10) != file || of[0] == '"') continue;
      const std::string path = unquoted(trimmed(std::string_view(of).substr(of.find('"'))));
      if (path.find("/api/sfpi/") != std::string::npos)
        break;  // headers are inlined into the source that is meant
      return path + ":" + std::to_string(number);
    }
  }
  for (const Function& function : functions_)
    if (function.begin <= line && line < function.end) return function.name;
  return "assembly";
}

std::string AssemblyText::str() const {
  std::string all;
  for (const Line& line : lines_) {
    all += line.text;
    all += '\n';
  }
  return all;
}

int AssemblyText::integer_register(std::string_view name) {
  static constexpr std::array<std::string_view, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  if (name == "fp") return 8;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name || "x" + std::to_string(i) == name) return static_cast<int>(i);
  return -1;
}

}  // namespace tvp::runtime::vectors
