#include "platform/system/describe_chips.h"

#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "foundation/chip/chip_reader.h"
#include "foundation/chip/chip_rules.h"
#include "foundation/fault.h"
#include "platform/system/soc_descriptor_reader.h"

namespace tvp::platform {

namespace {

using foundation::ChipOverrides;
using foundation::ChipSpec;
using foundation::Fault;
using foundation::FaultKind;

unsigned number_of(const std::string& key, const SettingOverride& setting) {
  unsigned value = 0;
  const char* end = setting.value.data() + setting.value.size();
  const auto [stop, error] = std::from_chars(setting.value.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw Fault(FaultKind::kDescription, setting.where,
                key + " = " + setting.value + ": expected an integer");
  }
  return value;
}

ChipOverrides shape_of(const ChipDescription& chip, const SystemDescription& system,
                       const SettingOverrides& chosen) {
  ChipOverrides shape;
  for (const char* name : kShapeKeys) {
    const std::string key = std::string("chip.") + name;
    for (const SettingOverrides* from : {&chosen, &chip.settings, &system.settings}) {
      const auto found = from->find(key);
      if (found == from->end()) continue;
      const unsigned value = number_of(key, found->second);
      if (value != 0) shape[name] = {value, found->second.where};
      break;
    }
  }
  return shape;
}

/// Reads a SoC descriptor; only `l1_kib` of the settings applies to it.
ChipSpec load_soc_descriptor(const std::string& file, const ChipOverrides& shape) {
  const std::string folder = foundation::chip_folder();
  ChipSpec spec = SocDescriptorReader(file, foundation::load_chip("wormhole_b0", folder)).read();
  for (const auto& [name, number] : shape) {
    if (name != "l1_kib") {
      throw Fault(FaultKind::kDescription, number.where,
                  "chip." + name + ": " + file +
                      " gives the chip's nodes one by one, expected a chip with a [pattern]");
    }
    spec.memories.tensix_l1_bytes = number.value * 1024;
    spec.places["memories.tensix_l1_kib"] = number.where;
    foundation::check_chip(spec);
  }
  return spec;
}

std::shared_ptr<const ChipSpec> load(const ChipDescription& chip, const ChipOverrides& shape) {
  const std::string folder = foundation::chip_folder();
  const bool found = std::filesystem::exists(chip.kind) ||
                     std::filesystem::exists(folder + "/" + chip.kind + ".toml");
  try {
    if (chip.kind.ends_with(".yaml")) {
      return std::make_shared<const ChipSpec>(load_soc_descriptor(chip.kind, shape));
    }
    return std::make_shared<const ChipSpec>(foundation::load_chip(chip.kind, folder, shape));
  } catch (const Fault& fault) {
    if (found) throw;
    // The value comes from the system's file, so the error names that file.
    throw Fault(FaultKind::kDescription, chip.kind_where, "description: " + fault.message());
  }
}

void check_harvest(const ChipDescription& chip) {
  const std::string key = chip.spec->harvest_key();
  if (!chip.harvest_key.empty() && chip.harvest_key != key) {
    throw Fault(
        FaultKind::kDescription, chip.harvested_where,
        chip.harvest_key + ": expected " + key + ", which " + chip.spec->name + " turns off");
  }
  const std::size_t bits = chip.spec->harvest_bits();
  if (bits >= 32 || chip.harvest_mask >> bits == 0) return;
  throw Fault(FaultKind::kDescription, chip.harvested_where,
              key + ": expected an integer 0.." + std::to_string((1ULL << bits) - 1));
}

/// Settings of a kind of chip, which the system's have priority over. If all chips are of one kind,
/// they are settings of the system.
void take_settings(SystemDescription& system) {
  constexpr unsigned kDeepestOfAll = ~0U;
  const auto is_first = [&](const ChipDescription& c) { return c.spec == system.chips[0].spec; };
  const bool uniform = std::ranges::all_of(system.chips, is_first);
  for (ChipDescription& chip : system.chips) {
    for (const auto& [key, value] : chip.spec->settings) {
      if (!uniform && system.settings.contains(key)) continue;
      (uniform ? system.settings : chip.settings)
          .emplace(key, SettingOverride{value, chip.spec->place_of(key), kDeepestOfAll});
    }
  }
}

}  // namespace

void describe_chips(SystemDescription& system, const SettingOverrides& chosen) {
  using Shape = std::vector<std::pair<std::string, unsigned>>;
  std::map<std::pair<std::string, Shape>, std::shared_ptr<const ChipSpec>> known;
  for (ChipDescription& chip : system.chips) {
    const ChipOverrides shape = shape_of(chip, system, chosen);
    Shape key;
    for (const auto& [name, number] : shape) key.emplace_back(name, number.value);
    auto& spec = known[{chip.kind, key}];
    if (!spec) spec = load(chip, shape);
    chip.spec = spec;
    check_harvest(chip);
  }
  take_settings(system);
}

}  // namespace tvp::platform
