#include "models/dram/traffic/trace_line.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "foundation/fault.h"

namespace tvp::dram {

namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

bool has_hexadecimal_prefix(std::string_view word) {
  return word.starts_with("0x") || word.starts_with("0X");
}

/// True if the whole text is a number below 2^64.
bool parse(std::string_view text, int base, std::uint64_t& value) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, base);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

void TraceLine::take(std::string text) {
  ++number_;
  text_ = std::move(text);
  words_.clear();
  if (text_.size() > kLongest) {
    fail("a line of more than " + std::to_string(kLongest) + " characters");
  }
  const std::string_view line = std::string_view(text_).substr(0, text_.find('#'));
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words_.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

void TraceLine::fail(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kDescription,
                          file_ + ":" + std::to_string(number_), text + form_);
}

void TraceLine::expect_words(std::size_t least, std::size_t most) const {
  if (words_.size() < least) fail("a line of " + std::to_string(words_.size()) + " words");
  if (words_.size() > most) fail("'" + std::string(words_[most]) + "' behind the end of the form");
}

std::uint64_t TraceLine::number(std::string_view word, const char* what) const {
  return has_hexadecimal_prefix(word) ? hexadecimal(word, what) : decimal(word, what);
}

std::uint64_t TraceLine::decimal(std::string_view word, const char* what) const {
  std::uint64_t value = 0;
  if (parse(word, 10, value)) return value;
  fail(std::string(what) + " '" + std::string(word) + "': expected a number");
}

std::uint64_t TraceLine::hexadecimal(std::string_view word, const char* what) const {
  std::uint64_t value = 0;
  if (has_hexadecimal_prefix(word) && parse(word.substr(2), 16, value)) return value;
  fail(std::string(what) + " '" + std::string(word) +
       "': expected 0x and up to 16 hexadecimal digits");
}

bool TraceLine::is_number(std::string_view word) {
  const bool hexadecimal = has_hexadecimal_prefix(word);
  if (hexadecimal) word.remove_prefix(2);
  const std::string_view digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  return !word.empty() && word.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace tvp::dram
