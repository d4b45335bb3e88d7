#include "platform/library/configuration.h"

#include <nlohmann/json.hpp>
#include <set>

#include "platform/library/key_values.h"
#include "platform/machine/machine.h"
#include "platform/system/system_folder.h"

namespace tvp::platform {

namespace {

constexpr const char* kSystem = "system";

/// Keys that have a short name, too.
std::string full_key(const std::string& key) { return key == "router" ? "mesh.router" : key; }

/// What the description sets, unless the host set the same key.
void take_settings(const SystemDescription& system, const std::set<std::string>& from_host,
                   foundation::SettingsRegistry& registry) {
  for (const auto& [key, setting] : system.settings) {
    if (from_host.count(key) == 0) registry.set(key, setting.value, setting.where);
  }
}

}  // namespace

void Configuration::apply(const std::string& text) {
  const std::vector<KeyValue> pairs = parse_key_values(text);
  // On a scratch copy first.
  PlatformConfig scratch;
  std::optional<SystemDescription> system;
  std::set<std::string> keys = platform_.explicitly_set;
  for (const auto& [key, value] : pairs) {
    if (key == kSystem) {
      system = SystemDescription::load(value, system_folder());
    } else {
      scratch.registry.set(full_key(key), value, "");
      keys.insert(full_key(key));
    }
  }
  if (system) {
    refuse_keys_without_effect(*system, keys);
    take_settings(*system, keys, scratch.registry);
  }
  for (const auto& [key, value] : pairs) {
    if (key == kSystem) {
      system_name_ = value;
    } else {
      platform_.registry.set(full_key(key), value, "");
      platform_.explicitly_set.insert(full_key(key));
    }
  }
}

const SystemDescription& Configuration::load_system() {
  system_ = SystemDescription::load(system_name_, system_folder());
  take_settings(*system_, platform_.explicitly_set, platform_.registry);
  return *system_;
}

std::string Configuration::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& entry : platform_.registry.all()) {
    const foundation::SettingBase& s = *entry.setting;
    list.push_back({{"key", entry.key},
                    {"value", s.text()},
                    {"default", s.default_text()},
                    {"is_default", s.is_default()},
                    {"unit", s.info().unit},
                    {"expected", s.expected()},
                    {"doc", s.info().doc},
                    {"source", s.info().source}});
  }
  return list.dump();
}

}  // namespace tvp::platform
