#include "sw/collectives/forms/xml_element.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "sw/collectives/forms/line_counter.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

constexpr std::array<std::pair<char, std::string_view>, 5> kEntities{
    {{'&', "amp"}, {'<', "lt"}, {'>', "gt"}, {'"', "quot"}, {'\'', "apos"}}};
constexpr std::uint32_t kDeepest = 64;

/// What this project needs of XML 1.0: elements, attributes, comments, the declaration.
class XmlParser {
 public:
  XmlParser(const std::string& text, const std::string& file)
      : text_(text), file_(file), lines_(text) {}

  XmlElement document() {
    skip_between();
    if (at_end()) complain("no element, expected one");
    XmlElement root = element(0);
    skip_between();
    if (!at_end()) complain("more after the end of <" + root.name + ">");
    return root;
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  bool looking_at(std::string_view what) const {
    return text_.compare(at_, what.size(), what) == 0;
  }
  [[noreturn]] void complain(const std::string& what) {
    runtime::bad_use(file_ + ":" + std::to_string(line()), "no XML: " + what);
  }
  std::uint32_t line() { return lines_.at(std::min(at_, text_.size())); }
  void skip_blanks() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  void skip_past(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string::npos) complain(std::string(what) + " without an end");
    at_ = found + end.size();
  }
  /// Blanks, comments, declarations.
  void skip_between() {
    for (;;) {
      skip_blanks();
      if (looking_at("<!--"))
        skip_past("-->", "a comment");
      else if (looking_at("<?"))
        skip_past("?>", "a declaration");
      else
        return;
    }
  }
  std::string word(const char* what) {
    const std::size_t begin = at_;
    const auto fits = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ||
             c == ':';
    };
    while (!at_end() && fits(text_[at_])) ++at_;
    if (at_ == begin) complain(std::string("expected ") + what);
    return text_.substr(begin, at_ - begin);
  }
  void expect(char what) {
    if (at_end() || text_[at_] != what) complain(std::string("expected '") + what + "'");
    ++at_;
  }
  std::string value() {
    if (at_end() || (text_[at_] != '"' && text_[at_] != '\''))
      complain("expected a value in quotes");
    const char quote = text_[at_++];
    std::string made;
    while (!at_end() && text_[at_] != quote) {
      if (text_[at_] == '<') complain("'<' in a value");
      made += text_[at_] == '&' ? entity() : text_[at_++];
    }
    expect(quote);
    return made;
  }
  char entity() {
    ++at_;
    const std::string name = word("the name of an entity");
    expect(';');
    for (const auto& [character, known] : kEntities)
      if (name == known) return character;
    complain("unknown entity &" + name + ";");
  }
  XmlElement element(std::uint32_t depth) {
    if (depth > kDeepest) complain("elements nest too deeply");
    XmlElement made;
    made.line = line();
    expect('<');
    made.name = word("the name of an element");
    for (skip_blanks(); !at_end() && text_[at_] != '>' && text_[at_] != '/'; skip_blanks()) {
      std::string key = word("an attribute");
      if (made.attribute(key)) complain("attribute " + key + " is there twice");
      skip_blanks();
      expect('=');
      skip_blanks();
      made.attributes.emplace_back(std::move(key), value());
    }
    if (looking_at("/>")) {
      at_ += 2;
      return made;
    }
    expect('>');
    for (skip_between(); !looking_at("</"); skip_between()) {
      if (at_end())
        complain("<" + made.name + "> of line " + std::to_string(made.line) + " has no end");
      if (text_[at_] != '<') complain("text in <" + made.name + ">");
      made.children.push_back(element(depth + 1));
    }
    at_ += 2;
    const std::string name = word("the name of an element");
    if (name != made.name)
      complain("</" + name + "> where <" + made.name + "> of line " + std::to_string(made.line) +
               " should end");
    skip_blanks();
    expect('>');
    return made;
  }

  const std::string& text_;
  const std::string& file_;
  LineCounter lines_;
  std::size_t at_ = 0;
};

}  // namespace

const std::string* XmlElement::attribute(const std::string& key) const {
  for (const auto& [known, value] : attributes)
    if (known == key) return &value;
  return nullptr;
}

XmlElement parse_xml(const std::string& text, const std::string& file) {
  return XmlParser(text, file).document();
}

std::string xml_escaped(const std::string& text) {
  std::string made;
  for (const char c : text) {
    const auto entity = std::ranges::find(kEntities, c, &std::pair<char, std::string_view>::first);
    if (entity == kEntities.end())
      made += c;
    else
      made += "&" + std::string(entity->second) + ";";
  }
  return made;
}

}  // namespace tvp::collectives
