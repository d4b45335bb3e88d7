#pragma once

#include <string>
#include <vector>

#include "foundation/settings.h"

namespace tvp::foundation {

/// All settings by name: "group.key", or "key" for a group without a name. Groups must outlive the
/// registry.
class SettingsRegistry {
 public:
  void add(foundation::SettingGroup& group) { groups_.push_back(&group); }

  /// Sets one key. Throws Fault(kDescription) that starts with `where` (a file:line or "--set").
  /// For an unknown key it names the nearest known one.
  void set(const std::string& key, const std::string& value, const std::string& where);
  /// The same for a key of a system description, which may set hardware keys only.
  void set_described(const std::string& key, const std::string& value, const std::string& where);
  bool knows(const std::string& key) const { return find(key).setting != nullptr; }

  struct Entry {
    std::string key;
    const foundation::SettingBase* setting;
  };
  /// All settings, sorted by key.
  std::vector<Entry> all() const;

 private:
  struct Found {
    const foundation::SettingGroup* group = nullptr;
    foundation::SettingBase* setting = nullptr;  ///< null if no such key exists
  };
  Found find(const std::string& key) const;
  std::string nearest(const std::string& key) const;

  std::vector<foundation::SettingGroup*> groups_;
};

/// Number of single-character changes from a to b.
unsigned edit_distance(const std::string& a, const std::string& b);

}  // namespace tvp::foundation
