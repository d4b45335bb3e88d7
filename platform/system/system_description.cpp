#include "platform/system/system_description.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "foundation/nearest_name.h"
#include "foundation/source_root.h"
#include "platform/system/layer_reader.h"
#include "platform/system/system_builder.h"

namespace tvp::platform {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& where, const std::string& message) {
  throw foundation::Fault(foundation::FaultKind::kDescription, where, message);
}

}  // namespace

bool ChipDescription::has_tensix(unsigned x, unsigned y) const {
  return spec->kind_at({x, y}) == foundation::TileKind::kTensix &&
         !spec->harvested(harvest_mask).has({x, y});
}

SystemDescription SystemDescription::load(const std::string& name_or_file,
                                          const std::string& system_folder,
                                          const SettingOverrides& chosen) {
  const bool is_path =
      name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".toml");
  const std::string file = is_path ? name_or_file : system_folder + "/" + name_or_file + ".toml";
  std::error_code error;
  if (!fs::exists(file, error)) {
    const std::vector<std::string> names = list(system_folder);
    std::string known;
    for (const std::string& s : names) known += (known.empty() ? "" : ", ") + s;
    refuse("", "system '" + name_or_file + "': no such " + (is_path ? "file" : "system") + "; " +
                   system_folder + " has " + (known.empty() ? "none" : known) +
                   foundation::did_you_mean(name_or_file, names));
  }
  const SystemLayer layer = LayerReader(file, system_folder).read();
  const bool has_chips = layer.graph || !layer.chips.empty();
  if (layer.kind == "wormhole" && !has_chips) {
    refuse(file, "a system of kind wormhole needs a [topology] or at least one [[chip]]");
  }
  if (layer.kind != "wormhole" && has_chips) {
    refuse(file, "[topology] and [[chip]] describe systems of kind wormhole, this one is of kind " +
                     layer.kind);
  }
  return SystemBuilder(layer, chosen).build();
}

std::vector<std::string> SystemDescription::list(const std::string& system_folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(system_folder, error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

const ChipDescription* SystemDescription::find_chip(unsigned id) const {
  for (const ChipDescription& chip : chips) {
    if (chip.id == id) return &chip;
  }
  return nullptr;
}

std::string SystemDescription::to_json() const {
  nlohmann::ordered_json json;
  json["name"] = name;
  json["kind"] = kind;
  json["root"] = foundation::source_root();
  json["chips"] = nlohmann::ordered_json::array();
  json["descriptions"] = nlohmann::ordered_json::array();
  std::vector<const foundation::ChipSpec*> described;
  for (const ChipDescription& chip : chips) {
    const auto known = std::find(described.begin(), described.end(), chip.spec.get());
    const auto index = known - described.begin();
    if (known == described.end()) {
      described.push_back(chip.spec.get());
      json["descriptions"].push_back({{"name", chip.spec->name},
                                      {"toml", foundation::chip_text(*chip.spec)},
                                      {"file", chip.spec->file},
                                      {"places", chip.spec->places}});
    }
    nlohmann::ordered_json c;
    c["id"] = chip.id;
    c["description"] = index;
    c["pci_device"] = chip.pci_device ? nlohmann::ordered_json(*chip.pci_device) : nullptr;
    c[chip.spec->harvest_key()] = chip.harvest_mask;
    c["translated"] = true;
    json["chips"].push_back(c);
  }
  json["devices"] = devices;
  if (grid) {
    json["topology"] = {{"kind", grid->topology.kind_name()},
                        {"shape", grid->topology.shape()},
                        {"board", grid->board->name()},
                        {"chips", grid->chips}};
  }
  json["links"] = nlohmann::ordered_json::array();
  for (const LinkDescription& link : links) {
    json["links"].push_back({{"a", {{"chip", link.a.chip}, {"channel", link.a.channel}}},
                             {"b", {{"chip", link.b.chip}, {"channel", link.b.channel}}}});
  }
  return foundation::json_text(json);
}

}  // namespace tvp::platform
