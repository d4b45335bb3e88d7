#include "foundation/settings_registry.h"

#include <algorithm>

#include "foundation/nearest_name.h"
#include "foundation/source_root.h"

namespace tvp::foundation {

using foundation::Fault;
using foundation::FaultKind;

unsigned edit_distance(const std::string& a, const std::string& b) {
  std::vector<unsigned> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

namespace {
std::string prefix_of(const foundation::SettingGroup& group) {
  return group.name().empty() ? "" : group.name() + ".";
}
}  // namespace

SettingsRegistry::Found SettingsRegistry::find(const std::string& key) const {
  for (const foundation::SettingGroup* group : groups_) {
    const std::string prefix = prefix_of(*group);
    if (key.rfind(prefix, 0) != 0) continue;
    for (foundation::SettingBase* setting : group->settings()) {
      if (key.compare(prefix.size(), std::string::npos, setting->info().name) == 0)
        return {.group = group, .setting = setting};
    }
  }
  return {};
}

std::string SettingsRegistry::nearest(const std::string& key) const {
  std::vector<std::string> keys;
  for (const Entry& entry : all()) keys.push_back(entry.key);
  return nearest_name(key, keys);
}

void SettingsRegistry::set(const std::string& key, const std::string& value,
                           const std::string& where) {
  foundation::SettingBase* setting = find(key).setting;
  if (setting == nullptr) {
    const std::string suggestion = nearest(key);
    throw Fault(FaultKind::kDescription, where,
                "unknown key '" + key + "'" +
                    (suggestion.empty() ? "" : "; did you mean '" + suggestion + "'?") + " ('" +
                    program_name() + " list' shows all keys)");
  }
  try {
    setting->set(value);
  } catch (const Fault& fault) {
    const std::string group = key.substr(0, key.rfind('.') + 1);
    throw Fault(FaultKind::kDescription, where, group + fault.message());
  }
}

void SettingsRegistry::set_described(const std::string& key, const std::string& value,
                                     const std::string& where) {
  const auto [group, setting] = find(key);
  if (setting != nullptr &&
      (group->set_by() == foundation::SettingGroup::SetBy::kRun || setting->names_output())) {
    const std::string& option = setting->info().option;
    throw Fault(FaultKind::kDescription, where,
                key + ": a system description may set only hardware keys; give " +
                    (option.empty() ? "--set " + key + "=…" : option) +
                    " on the command line instead");
  }
  set(key, value, where);
}

std::vector<SettingsRegistry::Entry> SettingsRegistry::all() const {
  std::vector<Entry> entries;
  for (const foundation::SettingGroup* group : groups_) {
    for (const foundation::SettingBase* setting : group->settings()) {
      entries.push_back({prefix_of(*group) + setting->info().name, setting});
    }
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.key < b.key; });
  return entries;
}

}  // namespace tvp::foundation
