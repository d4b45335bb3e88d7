#include "foundation/settings.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <type_traits>

namespace tvp::foundation {

namespace {

[[noreturn]] void bad(const std::string& name, const std::string& text,
                      const std::string& expected) {
  throw Fault(FaultKind::kDescription, "", name + " = '" + text + "': expected " + expected);
}

/// Six digits if they represent the value exactly, else as many as are needed to read the same
/// value back.
std::string format_real(double value) {
  char text[40];
  for (int digits = 6; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    const char* end =
        std::to_chars(text, std::end(text), value, std::chars_format::general, digits).ptr;
    double back = 0;
    std::from_chars(text, end, back);
    if (back == value) return std::string(static_cast<const char*>(text), end);
  }
  return "?";  // unreachable: 17 digits always suffice
}

double parse_real(const std::string& name, const std::string& text, double lo, double hi) {
  const std::string expected = "a number " + format_real(lo) + ".." + format_real(hi);
  const char* last = text.data() + text.size();
  double value = 0;  // from_chars does not depend on the host program's locale
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) bad(name, text, expected);
  if (!(value >= lo && value <= hi)) bad(name, text, expected);
  return value;
}

bool parse_bool(const std::string& name, const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  bad(name, text, "true or false");
}

template <typename T>
std::string to_text(T value) {
  if constexpr (std::is_floating_point_v<T>) return format_real(value);
  return std::to_string(value);
}

}  // namespace

std::uint64_t parse_unsigned(const std::string& name, const std::string& text, std::uint64_t lo,
                             std::uint64_t hi) {
  const std::string expected = "an integer " + std::to_string(lo) + ".." + std::to_string(hi);
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const char* first = text.data() + (hex ? 2 : 0);
  const char* last = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc{} || end != last || first == last) bad(name, text, expected);
  if (value < lo || value > hi) bad(name, text, expected);
  return value;
}

SettingBase::SettingBase(SettingGroup& group, const Declaration& declared)
    : info_{.name = std::string(declared.name),
            .unit = std::string(declared.unit),
            .doc = std::string(declared.doc),
            .source = std::string(declared.source),
            .option = std::string(declared.option)} {
  group.add(*this);
}

bool SettingBase::names_output() const { return info_.unit == kOutputFile.unit; }

SettingBase::~SettingBase() = default;

template <typename T>
void Setting<T>::set(const std::string& text) {
  if constexpr (std::is_floating_point_v<T>) {
    value_ = parse_real(info_.name, text, range_.min, range_.max);
  } else {
    value_ = static_cast<T>(parse_unsigned(info_.name, text, range_.min, range_.max));
  }
  is_default_ = false;
}

template <typename T>
std::string Setting<T>::text() const {
  return to_text(value_);
}

template <typename T>
std::string Setting<T>::default_text() const {
  return to_text(range_.value);
}

template <typename T>
std::string Setting<T>::expected() const {
  return std::string(std::is_floating_point_v<T> ? "number " : "integer ") + to_text(range_.min) +
         ".." + to_text(range_.max);
}

template class Setting<std::uint16_t>;
template class Setting<std::uint32_t>;
template class Setting<std::uint64_t>;
template class Setting<double>;

void Setting<bool>::set(const std::string& text) {
  value_ = parse_bool(info_.name, text);
  is_default_ = false;
}

std::string Setting<bool>::text() const { return value_ ? "true" : "false"; }
std::string Setting<bool>::default_text() const { return default_ ? "true" : "false"; }
std::string Setting<bool>::expected() const { return "true or false"; }

Choice::List::List(std::initializer_list<std::string_view> names)
    : names_(names.begin(), names.end()) {}

Choice::Choice(SettingGroup& group, const Declaration& declared, const Names& names)
    : SettingBase(group, declared),
      value_(names.value),
      default_(names.value),
      choices_(names.choices.names()) {}

void Choice::set(const std::string& text) {
  if (std::find(choices_.begin(), choices_.end(), text) == choices_.end()) {
    bad(info_.name, text, expected());
  }
  value_ = text;
  is_default_ = false;
}

std::string Choice::text() const { return value_; }
std::string Choice::default_text() const { return default_; }
std::string Choice::expected() const {
  std::string s = "one of";
  for (const auto& c : choices_) s += (&c == choices_.data() ? " " : ", ") + c;
  return s;
}

Text::Text(SettingGroup& group, const Declaration& declared, std::string_view value)
    : SettingBase(group, {declared.name, declared.use.unit, declared.doc, declared.source,
                          declared.option}),
      value_(value),
      default_(value) {}

void Text::set(const std::string& text) {
  value_ = text;
  is_default_ = false;
}

std::string Text::text() const { return value_; }
std::string Text::default_text() const { return default_; }
std::string Text::expected() const { return "text"; }

}  // namespace tvp::foundation
