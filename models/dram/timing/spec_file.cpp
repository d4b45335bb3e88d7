#include "models/dram/timing/spec_file.h"

#include <algorithm>
#include <charconv>

#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::dram {

using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr std::string_view kSpaces = " \t\r\v\f";
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

std::string_view trim(std::string_view text, std::string_view what = kSpaces) {
  const std::size_t begin = text.find_first_not_of(what);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(what) - begin + 1);
}

template <typename Number>
bool parse(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

std::string to_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace

SpecFile::SpecFile(const std::string& file) : file_(file) {
  const std::string content = foundation::read_input_file(file);
  if (content.size() > kLargestFile) {
    fail("more than " + std::to_string(kLargestFile) + " bytes: expected a timing file");
  }
  split(content);
}

/// The format shows in the first line with words: JSON begins with a brace, and the other formats
/// differ in the sign behind a name.
void SpecFile::split(const std::string& content) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < content.size(); ++number) {
    const std::size_t end = std::min(content.find('\n', at), content.size());
    std::string_view line = trim(std::string_view(content).substr(at, end - at));
    at = end + 1;
    if (format_ != Format::kJson) line = trim(line.substr(0, line.find_first_of("#;")));
    if (line.empty()) continue;
    if (format_ == Format::kNone) {
      const std::size_t sign = line.find_first_of(":=");
      if (line.front() == '{') {
        format_ = Format::kJson;
      } else if (line.front() == '[' || (sign != std::string_view::npos && line[sign] == '=')) {
        format_ = Format::kAssignments;
      } else if (sign != std::string_view::npos) {
        format_ = Format::kYaml;
      }
    }
    split_line(line, number);
  }
}

void SpecFile::split_line(std::string_view line, std::size_t number) {
  const auto bad = [&](const char* expected) {
    throw Fault(FaultKind::kDescription, file_ + ":" + std::to_string(number),
                "'" + std::string(line) + "': expected " + expected);
  };
  switch (format_) {
    case Format::kNone:
      bad("a timing file of DRAMsim3 (*.ini), Ramulator (*.cfg, *.yaml) or DRAMSys (*.json)");
      return;
    case Format::kAssignments: {
      if (line.front() == '[') {
        if (line.back() != ']') bad("[SECTION]");
        return;
      }
      const std::size_t sign = line.find('=');
      if (sign == std::string_view::npos || trim(line.substr(0, sign)).empty()) {
        bad("NAME = VALUE");
      }
      return add(trim(line.substr(0, sign)), trim(line.substr(sign + 1)), number);
    }
    case Format::kJson: {
      // One member a line, or several: each name in quotes with a colon behind it.
      for (std::size_t colon = line.find("\":"); colon != std::string_view::npos;
           colon = line.find("\":", colon + 2)) {
        const std::size_t quote = line.rfind('"', colon - 1);
        if (colon == 0 || quote == std::string_view::npos) bad("\"NAME\": VALUE");
        const std::string_view name = line.substr(quote + 1, colon - quote - 1);
        const std::string_view rest = trim(line.substr(colon + 2));
        const std::size_t end =
            rest.starts_with('"') ? rest.find('"', 1) : rest.find_first_of(",}{");
        add(name, trim(rest.substr(0, end), " \t\""), number);
      }
      return;
    }
    case Format::kYaml: {
      if (line.starts_with("- ")) line = trim(line.substr(2));
      const std::size_t sign = line.find(':');
      if (sign == std::string_view::npos) return;  // an item of a list
      const std::string_view name = trim(line.substr(0, sign));
      const std::string_view value = trim(line.substr(sign + 1), " \t\"'");
      if (value.empty()) {
        level_ = name;
        if (name == "dram" || name == "DRAM") values_.clear();
        return;
      }
      add(level_ + "." + std::string(name), value, number);
      return add(name, value, number);
    }
  }
}

void SpecFile::add(std::string_view name, std::string_view value, std::size_t line) {
  if (!value.empty()) values_.try_emplace(std::string(name), Value{std::string(value), line});
}

const SpecFile::Value& SpecFile::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) fail("the value " + name + " is missing");
  return found->second;
}

const std::string& SpecFile::text(const std::string& name) const { return find(name).text; }

unsigned SpecFile::number(const std::string& name, unsigned min, unsigned max) const {
  unsigned value = 0;
  if (parse(text(name), value) && value >= min && value <= max) return value;
  fail(name, "'" + text(name) + "': expected an integer from " + std::to_string(min) + " to " +
                 std::to_string(max));
}

unsigned SpecFile::number(const std::string& name, unsigned min, unsigned max,
                          unsigned otherwise) const {
  return has(name) ? number(name, min, max) : otherwise;
}

double SpecFile::real(const std::string& name, double min, double max) const {
  double value = 0;
  if (parse(text(name), value) && value >= min && value <= max) return value;
  fail(name,
       "'" + text(name) + "': expected a number from " + to_text(min) + " to " + to_text(max));
}

std::vector<unsigned> SpecFile::list(const std::string& name, std::size_t length) const {
  const std::string_view all = text(name);
  std::vector<unsigned> numbers;
  bool good = all.size() >= 2 && all.front() == '[' && all.back() == ']';
  for (std::size_t at = 1; good && at < all.size();) {
    const std::size_t end = std::min(all.find(',', at), all.size() - 1);
    unsigned number = 0;
    good = parse(trim(all.substr(at, end - at)), number);
    numbers.push_back(number);
    at = end + 1;
  }
  if (good && numbers.size() == length) return numbers;
  fail(name,
       "'" + std::string(all) + "': expected " + std::to_string(length) + " integers in brackets");
}

void SpecFile::fail(const std::string& text) const {
  throw Fault(FaultKind::kDescription, file_, text);
}

void SpecFile::fail(const std::string& name, const std::string& text) const {
  const auto found = values_.find(name);
  if (found == values_.end()) fail(name + ": " + text);
  throw Fault(FaultKind::kDescription, file_ + ":" + std::to_string(found->second.line),
              name + " " + text);
}

}  // namespace tvp::dram
