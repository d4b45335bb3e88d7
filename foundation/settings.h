#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "foundation/fault.h"

namespace tvp::foundation {

/// `source` of a default that is neither published nor an assumption about hardware.
inline constexpr std::string_view kOwnChoice = "choice of the platform";

class SettingGroup;

/// One tunable of a model, declared beside the member that it sets. `vp list` shows it, system
/// descriptions and the command line set it by name, and the report contains its value.
class SettingBase {
 public:
  /// The declaration of a setting. It holds views, so that the many files that declare settings do
  /// not compile copies of strings.
  struct Declaration {
    std::string_view name;  ///< within its group, in snake_case
    std::string_view unit;  ///< "cycles", "bytes", "ps", "" for counts and names
    std::string_view doc;
    std::string_view source;       ///< public source of the default; "assumed" if there is none
    std::string_view option = {};  ///< command-line option that sets it: "--wave FILE"
  };
  struct Info {
    std::string name, unit, doc, source, option;
  };
  virtual ~SettingBase();
  const Info& info() const { return info_; }
  bool assumed() const { return info_.source.rfind("assumed", 0) == 0; }
  bool is_default() const { return is_default_; }
  /// Parses and checks; throws Fault(kDescription) with the expected values.
  virtual void set(const std::string& text) = 0;
  virtual std::string text() const = 0;
  virtual std::string default_text() const = 0;
  virtual std::string expected() const = 0;  ///< "integer 1..64", "one of fast, detailed"
  /// True if the value names an output file.
  bool names_output() const;

 protected:
  SettingBase(SettingGroup& group, const Declaration& declared);
  Info info_;
  bool is_default_ = true;
};

/// A named set of settings; a model's Config derives from it. Not copyable, since the settings
/// register themselves by address.
class SettingGroup {
 public:
  /// System descriptions can come from untrusted sources, so each group declares whether they may
  /// set its keys.
  enum class SetBy {
    kDescription,  ///< hardware: descriptions, the command line and host programs
    kRun,          ///< files, ports, stimuli, run control: command line and host programs only
  };
  SettingGroup(std::string_view name, SetBy set_by) : name_(name), set_by_(set_by) {}
  SettingGroup(const SettingGroup&) = delete;
  SettingGroup& operator=(const SettingGroup&) = delete;
  const std::string& name() const { return name_; }
  SetBy set_by() const { return set_by_; }
  const std::vector<SettingBase*>& settings() const { return settings_; }
  void add(SettingBase& s) { settings_.push_back(&s); }

 private:
  std::string name_;
  SetBy set_by_;
  std::vector<SettingBase*> settings_;
};

/// The value of an integer tunable, decimal or with 0x. Throws Fault(kDescription) if it is out of
/// range.
std::uint64_t parse_unsigned(const std::string& name, const std::string& text, std::uint64_t lo,
                             std::uint64_t hi);

/// Integer or real tunable with an inclusive range.
template <typename T>
class Setting : public SettingBase {
  static_assert(std::is_unsigned_v<T> || std::is_floating_point_v<T>);

 public:
  struct Range {
    T value;  ///< the default
    T min, max;
  };
  Setting(SettingGroup& group, const Declaration& declared, const Range& range)
      : SettingBase(group, declared), value_(range.value), range_(range) {}
  operator T() const { return value_; }
  T value() const { return value_; }
  void set(const std::string& text) override;
  std::string text() const override;
  std::string default_text() const override;
  std::string expected() const override;

 private:
  T value_;
  Range range_;
};

template <>
class Setting<bool> : public SettingBase {
 public:
  Setting(SettingGroup& group, const Declaration& declared, bool value)
      : SettingBase(group, declared), value_(value), default_(value) {}
  operator bool() const { return value_; }
  bool value() const { return value_; }
  void set(const std::string& text) override;
  std::string text() const override;
  std::string default_text() const override;
  std::string expected() const override;

 private:
  bool value_, default_;
};

extern template class Setting<std::uint16_t>;
extern template class Setting<std::uint32_t>;
extern template class Setting<std::uint64_t>;
extern template class Setting<double>;

/// One name of a list. Compare it with `==` to a name of the list.
class Choice : public SettingBase {
 public:
  /// The allowed names: a literal list, or the names of a registry.
  class List {
   public:
    List(std::initializer_list<std::string_view> names);
    List(std::vector<std::string> names) : names_(std::move(names)) {}
    const std::vector<std::string>& names() const { return names_; }

   private:
    std::vector<std::string> names_;
  };
  struct Names {
    std::string_view value;  ///< the default
    List choices;
  };
  Choice(SettingGroup& group, const Declaration& declared, const Names& names);
  const std::string& value() const { return value_; }
  bool operator==(std::string_view name) const { return value_ == name; }
  void set(const std::string& text) override;
  std::string text() const override;
  std::string default_text() const override;
  std::string expected() const override;

 private:
  std::string value_, default_;
  std::vector<std::string> choices_;
};

/// The kind of file that a free text names. `vp list` shows it as the unit.
struct TextUse {
  std::string_view unit;
};
inline constexpr TextUse kNoFile{""};
inline constexpr TextUse kInputFile{"input file"};
inline constexpr TextUse kNameOrInputFile{"name or input file"};
inline constexpr TextUse kOutputFile{"output file"};

/// Free text. The declaration says whether the text names a file, since the type does not.
class Text : public SettingBase {
 public:
  struct Declaration {
    std::string_view name;
    TextUse use;
    std::string_view doc;
    std::string_view source;
    std::string_view option = {};
  };
  Text(SettingGroup& group, const Declaration& declared, std::string_view value);
  const std::string& value() const { return value_; }
  void set(const std::string& text) override;
  std::string text() const override;
  std::string default_text() const override;
  std::string expected() const override;

 private:
  std::string value_, default_;
};

}  // namespace tvp::foundation
