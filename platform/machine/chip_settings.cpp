#include "platform/machine/chip_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/setting_needs.h"

namespace tvp::platform {

namespace {

constexpr std::array<std::string_view, 8> kGroups = {"chip",     "coprocessor", "dram", "ethernet",
                                                     "movement", "noc",         "pcie", "riscv"};

void check_key(const std::string& key, const SettingOverride& setting,
               const ChipDescription& chip) {
  const std::string who = "chip " + std::to_string(chip.id) + ", a chip of kind " + chip.spec->name;
  const auto refuse = [&](const std::string& text) {
    throw foundation::Fault(foundation::FaultKind::kDescription, setting.where,
                            "'" + key + "' of " + who + ": " + text);
  };
  if (key == "chip.aiclk_mhz") refuse("all chips of a system share one clock, expected [chip] …");
  const std::string_view group = std::string_view(key).substr(0, key.find('.'));
  if (std::find(kGroups.begin(), kGroups.end(), group) != kGroups.end()) return;
  std::string known;
  for (const std::string_view name : kGroups) {
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  refuse("a chip has no such key, expected one of the groups " + known);
}

}  // namespace

ChipSettings::ChipSettings(const PlatformConfig& system, const ChipDescription& chip)
    : system_(system) {
  if (chip.settings.empty()) return;
  own_ = std::make_unique<PlatformConfig>();
  own_->foreign = system.foreign;
  for (const auto& [key, setting] : system.registry.all()) {
    if (!setting->is_default()) own_->registry.set(key, setting->text(), "");
  }
  for (const auto& [key, setting] : chip.settings) {
    check_key(key, setting, chip);
    if (system.explicitly_set.count(key) != 0) continue;
    own_->registry.set_described(key, setting.value, setting.where);
  }
  for (const auto& [key, setting] : chip.settings) {
    const auto reason = foundation::without_effect(own_->registry, key);
    if (!reason) continue;
    const bool is_hosts = std::ranges::any_of(reason->needs, [&](const std::string& other) {
      return system.explicitly_set.contains(other);
    });
    if (!is_hosts) {
      throw foundation::Fault(foundation::FaultKind::kDescription, setting.where,
                              "chip " + std::to_string(chip.id) + ": " + reason->text);
    }
  }
}

}  // namespace tvp::platform
