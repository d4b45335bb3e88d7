#include "sw/collectives/files/located_json.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sw/collectives/files/line_counter.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// Trees are left by recursion.
constexpr std::size_t kMostNested = 64;

/// Iterates over the text, and stores its position outside, because the parser copies the iterator.
class WatchedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedText(const char* at, const char** watched) : at_(at), watched_(watched) {}
  reference operator*() const { return *at_; }
  WatchedText& operator++() {
    ++at_;
    if (watched_) *watched_ = at_;
    return *this;
  }
  WatchedText operator++(int) {
    WatchedText before = *this;
    ++*this;
    return before;
  }
  bool operator==(const WatchedText& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedText& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** watched_;
};

/// Builds the tree from the parser's events.
class TreeMaker : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeMaker(const std::string& text, const std::string& file)
      : begin_(text.data()), at_(text.data()), lines_(text), file_(file) {}
  const char** watched() { return &at_; }
  LocatedJson take() { return std::move(root_); }

  bool null() override { return add({}); }
  bool boolean(bool value) override {
    LocatedJson made;
    made.kind = LocatedJson::Kind::kBoolean;
    made.boolean = value;
    return add(std::move(made));
  }
  bool number_integer(number_integer_t) override { return add(number(0, false)); }
  bool number_unsigned(number_unsigned_t value) override { return add(number(value, true)); }
  bool number_float(number_float_t, const string_t&) override { return add(number(0, false)); }
  bool string(string_t& value) override {
    LocatedJson made;
    made.kind = LocatedJson::Kind::kString;
    made.text = std::move(value);
    return add(std::move(made));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(LocatedJson::Kind::kObject); }
  bool key(string_t& value) override {
    const auto& members = open_.back()->members;
    if (std::ranges::find(members, value, &LocatedJson::Member::name) != members.end())
      runtime::bad_use(file_ + ":" + std::to_string(line()),
                       "key \"" + value + "\" is given twice");
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(LocatedJson::Kind::kArray); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    std::string text = error.what();
    if (const std::size_t colon = text.find(": "); colon != std::string::npos)
      text = text.substr(colon + 2);
    runtime::bad_use(file_ + ":" + std::to_string(line()), "is not JSON: " + text);
  }

 private:
  static LocatedJson number(std::uint64_t value, bool natural) {
    LocatedJson made;
    made.kind = LocatedJson::Kind::kNumber;
    made.number = value;
    made.natural = natural;
    return made;
  }
  /// The last character that was read may be the one after a number.
  std::uint32_t line() {
    const char* last = at_ > begin_ ? at_ - 1 : at_;
    return lines_.at(static_cast<std::size_t>(last - begin_));
  }
  LocatedJson* place() {
    if (open_.empty()) return &root_;
    if (open_.back()->kind == LocatedJson::Kind::kArray) return &open_.back()->items.emplace_back();
    return &open_.back()->members.emplace_back(LocatedJson::Member{std::move(key_), {}}).value;
  }
  bool add(LocatedJson value) {
    value.line = line();
    *place() = std::move(value);
    return true;
  }
  bool open(LocatedJson::Kind kind) {
    if (open_.size() == kMostNested)
      runtime::bad_use(file_ + ":" + std::to_string(line()), "is not JSON: values nest too deeply");
    LocatedJson* made = place();
    made->kind = kind;
    made->line = line();
    open_.push_back(made);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const char* begin_;
  const char* at_;
  LineCounter lines_;
  const std::string& file_;
  LocatedJson root_;
  std::vector<LocatedJson*> open_;  ///< from the root to where the parser is
  std::string key_;
};

}  // namespace

LocatedJson parse_json(const std::string& text, const std::string& file) {
  TreeMaker maker(text, file);
  nlohmann::json::sax_parse(WatchedText(text.data(), maker.watched()),
                            WatchedText(text.data() + text.size(), nullptr), &maker);
  return maker.take();
}

}  // namespace tvp::collectives
