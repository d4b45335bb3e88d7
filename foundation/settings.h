#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "foundation/fault.h"

namespace tvp::foundation {

/// One tunable of a model: declared beside the member it sets, listed by `vp list`, settable by
/// name from a system description and the command line, written whole into the report.
class SettingBase {
 public:
  struct Info {
    std::string name;  ///< within its group, snake_case
    std::string unit;  ///< "cycles", "bytes", "ps", "" for counts and names
    std::string doc;
    std::string source;  ///< public source of the default; "assumed" when there is none
  };
  virtual ~SettingBase() = default;
  const Info& info() const { return info_; }
  bool assumed() const { return info_.source.rfind("assumed", 0) == 0; }
  bool is_default() const { return is_default_; }
  /// Parses and checks; throws Fault(kDescription) naming what was expected.
  virtual void set(const std::string& text) = 0;
  virtual std::string text() const = 0;
  virtual std::string default_text() const = 0;
  virtual std::string expected() const = 0;  ///< "integer 1..64", "one of fast, detailed"

 protected:
  explicit SettingBase(Info info) : info_(std::move(info)) {}
  Info info_;
  bool is_default_ = true;
};

/// A named set of settings; a model's Config derives from it. Not copyable, since the settings
/// register themselves by address.
class SettingGroup {
 public:
  explicit SettingGroup(std::string name) : name_(std::move(name)) {}
  SettingGroup(const SettingGroup&) = delete;
  SettingGroup& operator=(const SettingGroup&) = delete;
  const std::string& name() const { return name_; }
  const std::vector<SettingBase*>& settings() const { return settings_; }
  void add(SettingBase& s) { settings_.push_back(&s); }

 private:
  std::string name_;
  std::vector<SettingBase*> settings_;
};

namespace detail {
std::uint64_t parse_unsigned(const std::string& name, const std::string& text, std::uint64_t lo,
                             std::uint64_t hi);
double parse_real(const std::string& name, const std::string& text, double lo, double hi);
bool parse_bool(const std::string& name, const std::string& text);
[[noreturn]] void bad_choice(const std::string& name, const std::string& text,
                             const std::string& expected);
std::string format_real(double value);
}  // namespace detail

/// Integer or real tunable with an inclusive range.
template <typename T>
class Setting : public SettingBase {
  static_assert(std::is_unsigned_v<T> || std::is_floating_point_v<T>);

 public:
  struct Range {
    T value;  ///< unless it is set
    T min, max;
  };
  Setting(SettingGroup& group, Info info, Range range)
      : SettingBase(std::move(info)), value_(range.value), range_(range) {
    group.add(*this);
  }
  operator T() const { return value_; }
  T value() const { return value_; }
  void set(const std::string& text) override {
    if constexpr (std::is_floating_point_v<T>) {
      value_ = detail::parse_real(info_.name, text, range_.min, range_.max);
    } else {
      value_ = static_cast<T>(detail::parse_unsigned(info_.name, text, range_.min, range_.max));
    }
    is_default_ = false;
  }
  std::string text() const override { return to_text(value_); }
  std::string default_text() const override { return to_text(range_.value); }
  std::string expected() const override {
    return std::string(std::is_floating_point_v<T> ? "number " : "integer ") + to_text(range_.min) +
           ".." + to_text(range_.max);
  }

 private:
  static std::string to_text(T v) {
    if constexpr (std::is_floating_point_v<T>) return detail::format_real(v);
    return std::to_string(v);
  }
  T value_;
  Range range_;
};

template <>
class Setting<bool> : public SettingBase {
 public:
  Setting(SettingGroup& group, Info info, bool value)
      : SettingBase(std::move(info)), value_(value), default_(value) {
    group.add(*this);
  }
  operator bool() const { return value_; }
  bool value() const { return value_; }
  void set(const std::string& text) override {
    value_ = detail::parse_bool(info_.name, text);
    is_default_ = false;
  }
  std::string text() const override { return value_ ? "true" : "false"; }
  std::string default_text() const override { return default_ ? "true" : "false"; }
  std::string expected() const override { return "true or false"; }

 private:
  bool value_, default_;
};

/// One of a list of names. Compare with `==` against a name of the list.
class Choice : public SettingBase {
 public:
  struct Names {
    std::string value;  ///< unless it is set
    std::vector<std::string> choices;
  };
  Choice(SettingGroup& group, Info info, Names names)
      : SettingBase(std::move(info)), value_(names.value), names_(std::move(names)) {
    group.add(*this);
  }
  const std::string& value() const { return value_; }
  bool operator==(const std::string& name) const { return value_ == name; }
  void set(const std::string& text) override {
    for (const auto& c : names_.choices) {
      if (c == text) {
        value_ = text;
        is_default_ = false;
        return;
      }
    }
    detail::bad_choice(info_.name, text, expected());
  }
  std::string text() const override { return value_; }
  std::string default_text() const override { return names_.value; }
  std::string expected() const override {
    std::string s = "one of";
    for (const auto& c : names_.choices) s += (&c == names_.choices.data() ? " " : ", ") + c;
    return s;
  }

 private:
  std::string value_;
  Names names_;
};

/// Free text (a file name).
class Text : public SettingBase {
 public:
  Text(SettingGroup& group, Info info, std::string value)
      : SettingBase(std::move(info)), value_(std::move(value)), default_(value_) {
    group.add(*this);
  }
  const std::string& value() const { return value_; }
  void set(const std::string& text) override {
    value_ = text;
    is_default_ = false;
  }
  std::string text() const override { return value_; }
  std::string default_text() const override { return default_; }
  std::string expected() const override { return "text"; }

 private:
  std::string value_, default_;
};

}  // namespace tvp::foundation
