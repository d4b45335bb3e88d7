#include "platform/library/configuration.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "platform/machine/chip_settings.h"
#include "platform/machine/machine.h"
#include "platform/system/system_folder.h"

namespace tvp::platform {

namespace {

constexpr const char* kSystem = "system";

/// Expands short names of keys.
std::string full_key(const std::string& key) { return key == "router" ? "mesh.router" : key; }

/// Applies the settings of the description, unless the host set the same key.
void take_settings(const SystemDescription& system, const std::set<std::string>& from_host,
                   foundation::SettingsRegistry& registry) {
  for (const auto& [key, setting] : system.settings) {
    if (from_host.count(key) == 0) registry.set_described(key, setting.value, setting.where);
  }
}

nlohmann::ordered_json described(const std::string& key,
                                 const foundation::SettingsRegistry::Entry& entry) {
  const foundation::SettingBase& s = *entry.setting;
  return {{"key", key},
          {"value", s.text()},
          {"default", s.default_text()},
          {"is_default", s.is_default()},
          {"unit", s.info().unit},
          {"expected", s.expected()},
          {"doc", s.info().doc},
          {"source", s.info().source}};
}

}  // namespace

void Configuration::apply_launcher(const std::string& text) {
  apply(text);
  for (const auto& [key, value] : parse_key_values(text)) launcher_[full_key(key)] = value;
}

std::vector<std::string> Configuration::apply(const std::string& text) {
  std::vector<KeyValue> pairs;
  std::vector<std::string> overruled;
  for (const KeyValue& pair : parse_key_values(text)) {
    const auto first = launcher_.find(full_key(pair.key));
    if (first == launcher_.end()) {
      pairs.push_back(pair);
    } else if (first->second != pair.value) {
      overruled.push_back(pair.key + "=" + pair.value);
    }
  }
  apply_pairs(pairs);
  return overruled;
}

void Configuration::apply_pairs(const std::vector<KeyValue>& pairs) {
  // Errors must not leave half of the settings applied, so try them on a copy.
  PlatformConfig scratch;
  std::optional<SystemDescription> system;
  std::set<std::string> keys = platform_.explicitly_set;
  SettingOverrides chosen = chosen_;
  std::optional<std::string> name;
  for (const auto& [key, value] : pairs) {
    if (key == kSystem) {
      name = value;
    } else {
      scratch.registry.set(full_key(key), value, "");
      keys.insert(full_key(key));
      chosen[full_key(key)] = {value, full_key(key) + "=" + value};
    }
  }
  if (name) {
    system = SystemDescription::load(*name, system_folder(), chosen);
    refuse_keys_without_effect(*system, keys);
    take_settings(*system, keys, scratch.registry);
    for (const ChipDescription& chip : system->chips) ChipSettings(scratch, chip);
  }
  chosen_ = chosen;
  for (const auto& [key, value] : pairs) {
    if (key == kSystem) {
      system_name_ = value;
    } else {
      platform_.registry.set(full_key(key), value, "");
      platform_.explicitly_set.insert(full_key(key));
    }
  }
}

SystemDescription Configuration::read_system() const {
  return SystemDescription::load(system_name_, system_folder(), chosen_);
}

const SystemDescription& Configuration::load_system() {
  system_ = read_system();
  take_settings(*system_, platform_.explicitly_set, platform_.registry);
  take_clock();
  return *system_;
}

/// Takes the chips' clock from the system, unless the host set one.
void Configuration::take_clock() {
  if (!platform_.chip.aiclk_mhz.is_default() || system_->chips.empty()) return;
  const foundation::ChipSpec& first = *system_->chips.front().spec;
  for (const ChipDescription& chip : system_->chips) {
    if (chip.spec->clocks.aiclk_mhz == first.clocks.aiclk_mhz) continue;
    throw foundation::Fault(
        foundation::FaultKind::kDescription, chip.spec->place_of("clocks.aiclk_mhz"),
        "clocks.aiclk_mhz: expected " + std::to_string(first.clocks.aiclk_mhz) + " as that of " +
            first.name + ": all chips of a system share one clock");
  }
  if (first.clocks.aiclk_mhz != platform_.chip.aiclk_mhz) {
    platform_.registry.set("chip.aiclk_mhz", std::to_string(first.clocks.aiclk_mhz), first.file);
  }
}

std::string Configuration::options() const {
  std::string text = "--system " + system_name_;
  for (const auto& [key, chosen] : chosen_) {
    // Keys that only observe or end a run do not change its results. The host compiles
    // kernels and decides when cores start.
    const auto of = [&key = key](const char* group) { return key.starts_with(group); };
    if (of("wave.") || of("gdb.") || of("record.") || of("max_time") || of("lockstep") ||
        of("warnings") || of("threads") || of("launch.") || of("kernel.") || of("mpi.")) {
      continue;
    }
    text += " --set " + chosen.where;
  }
  return text;
}

std::string Configuration::to_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& entry : platform_.registry.all()) list.push_back(described(entry.key, entry));
  if (!system_) return foundation::json_text(list);
  for (const ChipDescription& chip : system_->chips) {
    const ChipSettings settings(platform_, chip);
    for (const auto& entry : settings.config().registry.all()) {
      if (chip.settings.count(entry.key) == 0) continue;
      list.push_back(described("chip" + std::to_string(chip.id) + "." + entry.key, entry));
    }
  }
  return foundation::json_text(list);
}

}  // namespace tvp::platform
