#include "platform/system/system_description.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "foundation/chip/chip_reader.h"
#include "foundation/fault.h"
#include "platform/system/chip_kinds.h"

namespace tvp::platform {

namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMost32 = 0xFFFFFFFF;
using foundation::Fault;
using foundation::FaultKind;

[[noreturn]] void fail(const std::string& where, const std::string& message) {
  throw Fault(FaultKind::kDescription, where, message);
}

std::string place(const std::string& file, const toml::node& node) {
  return file + ":" + std::to_string(node.source().begin.line);
}

/// Reads one file into a description; keys that it does not know are errors.
class Reader {
 public:
  Reader(std::string file, std::string folder, unsigned depth)
      : file_(std::move(file)), folder_(std::move(folder)), depth_(depth) {}

  SystemDescription read();

 private:
  void read_settings(const std::string& group, const toml::table& table,
                     SettingOverrides& settings);
  std::string beside(const std::string& path) const;
  ChipDescription read_chip(const toml::table& table);
  void read_chips(const toml::node& node);
  void read_links(const toml::node& node);
  LinkEnd read_end(const toml::table& link, const char* key);
  void read_devices(const toml::node& node);

  std::uint64_t integer(const toml::table& table, const std::string& key, std::uint64_t lo,
                        std::uint64_t hi);
  void allow_only(const toml::table& table, const std::vector<std::string>& keys,
                  const std::string& what, const std::string& tables_as = "");
  const toml::array& tables(const toml::node& node, const std::string& key);

  std::string file_;
  std::string folder_;
  unsigned depth_;
  SystemDescription system_;
};

std::uint64_t Reader::integer(const toml::table& table, const std::string& key, std::uint64_t lo,
                              std::uint64_t hi) {
  const std::string expected =
      key + ": expected an integer " + std::to_string(lo) + ".." + std::to_string(hi);
  const toml::node* node = table.get(key);
  if (node == nullptr) fail(place(file_, table), "missing " + expected);
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < lo ||
      static_cast<std::uint64_t>(*value) > hi) {
    fail(place(file_, *node), expected);
  }
  return static_cast<std::uint64_t>(*value);
}

/// `tables_as`: what tables of other names are; "" when there may be none.
void Reader::allow_only(const toml::table& table, const std::vector<std::string>& keys,
                        const std::string& what, const std::string& tables_as) {
  for (const auto& [key, node] : table) {
    if (!tables_as.empty() && node.is_table()) continue;
    if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) {
      std::string known;
      for (const auto& k : keys) known += (known.empty() ? "" : ", ") + k;
      fail(place(file_, node), "unknown key '" + std::string(key.str()) + "' of " + what +
                                   ": expected one of " + known);
    }
  }
}

const toml::array& Reader::tables(const toml::node& node, const std::string& key) {
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) {
    fail(place(file_, node), key + ": expected [[" + key + "]] tables");
  }
  return *array;
}

/// A path that leads to nothing from where we are may start at this file's folder.
std::string Reader::beside(const std::string& path) const {
  const fs::path from_here = path;
  const bool is_path = path.find('/') != std::string::npos || from_here.has_extension();
  if (!is_path || from_here.is_absolute() || fs::exists(from_here)) return path;
  const fs::path from_file = fs::path(file_).parent_path() / from_here;
  return fs::exists(from_file) ? from_file.string() : path;
}

ChipDescription Reader::read_chip(const toml::table& table) {
  ChipDescription chip;
  chip.id = static_cast<unsigned>(integer(table, "id", 0, 255));
  if (table.contains("pci_device")) {
    chip.pci_device = static_cast<unsigned>(integer(table, "pci_device", 0, 31));
  }
  if (const toml::node* mask = table.get("harvested_rows")) {
    chip.harvested_rows = static_cast<std::uint32_t>(integer(table, "harvested_rows", 0, kMost32));
    chip.harvested_where = place(file_, *mask);
  }
  if (const toml::node* kind = table.get("description")) {
    const auto text = kind->value_exact<std::string>();
    if (!text) fail(place(file_, *kind), "description: expected the name or file of a chip's");
    chip.kind = beside(*text);
    chip.kind_where = place(file_, *kind);
  }
  for (const auto& [key, node] : table) {
    const toml::table* group = node.as_table();
    if (group != nullptr) read_settings(std::string(key.str()), *group, chip.settings);
  }
  return chip;
}

void Reader::read_chips(const toml::node& node) {
  system_.chips.clear();
  for (const auto& element : tables(node, "chip")) {
    const toml::table& table = *element.as_table();
    allow_only(table, {"id", "description", "pci_device", "harvested_rows"}, "chip",
               "or a table of settings");
    const ChipDescription chip = read_chip(table);
    if (system_.find_chip(chip.id) != nullptr) {
      fail(place(file_, table), "chip id " + std::to_string(chip.id) + " stands twice");
    }
    for (const ChipDescription& other : system_.chips) {
      if (chip.pci_device && other.pci_device == chip.pci_device) {
        fail(place(file_, table), "pci_device " + std::to_string(*chip.pci_device) +
                                      " is already chip " + std::to_string(other.id) + "'s");
      }
    }
    system_.chips.push_back(chip);
  }
}

LinkEnd Reader::read_end(const toml::table& link, const char* key) {
  const toml::node* node = link.get(key);
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) {
    fail(place(file_, link), std::string("link.") + key + ": expected { chip = …, channel = … }");
  }
  allow_only(*table, {"chip", "channel"}, "a link's end");
  LinkEnd end;
  end.chip = static_cast<unsigned>(integer(*table, "chip", 0, 255));
  end.channel = static_cast<unsigned>(integer(*table, "channel", 0, 255));
  end.where = place(file_, *table->get("channel"));
  if (system_.find_chip(end.chip) == nullptr) {
    fail(place(file_, *table),
         "link to chip " + std::to_string(end.chip) + ", which the system does not have");
  }
  return end;
}

void Reader::read_links(const toml::node& node) {
  system_.links.clear();
  std::set<std::pair<unsigned, unsigned>> used;
  for (const auto& element : tables(node, "link")) {
    const toml::table& table = *element.as_table();
    allow_only(table, {"a", "b"}, "link");
    LinkDescription link{read_end(table, "a"), read_end(table, "b")};
    for (const LinkEnd& end : {link.a, link.b}) {
      if (!used.emplace(end.chip, end.channel).second) {
        fail(place(file_, table), "channel " + std::to_string(end.channel) + " of chip " +
                                      std::to_string(end.chip) + " already has a link");
      }
    }
    system_.links.push_back(link);
  }
}

void Reader::read_devices(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) fail(place(file_, node), "devices: expected a list of chip ids");
  system_.devices.clear();
  for (const auto& element : *array) {
    const auto id = element.value_exact<std::int64_t>();
    if (!id || *id < 0 || system_.find_chip(static_cast<unsigned>(*id)) == nullptr) {
      fail(place(file_, element), "devices: expected ids of chips of this system");
    }
    system_.devices.push_back(static_cast<unsigned>(*id));
  }
}

void Reader::read_settings(const std::string& group, const toml::table& table,
                           SettingOverrides& settings) {
  for (const auto& [key, node] : table) {
    std::string value;
    if (const auto i = node.value_exact<std::int64_t>()) {
      value = std::to_string(*i);
    } else if (const auto d = node.value_exact<double>()) {
      std::ostringstream s;
      s << *d;
      value = s.str();
    } else if (const auto b = node.value_exact<bool>()) {
      value = *b ? "true" : "false";
    } else if (const auto s = node.value_exact<std::string>()) {
      value = *s;
    } else {
      fail(place(file_, node),
           group + "." + std::string(key.str()) + ": expected a number, a name or true/false");
    }
    settings[group + "." + std::string(key.str())] = {value, place(file_, node)};
  }
}

SystemDescription Reader::read() {
  toml::table root;
  try {
    root = toml::parse_file(file_);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    fail(line == 0 ? file_ : file_ + ":" + std::to_string(line), std::string(error.description()));
  }
  const toml::node* schema = root.get("schema");
  if (schema == nullptr) fail(file_, "missing schema: expected schema = 1");
  if (schema->value_exact<std::int64_t>() != 1) {
    fail(place(file_, *schema), "schema: expected 1, the only version there is");
  }
  if (const toml::node* base = root.get("extends")) {
    const auto base_name = base->value_exact<std::string>();
    if (!base_name) fail(place(file_, *base), "extends: expected the name of a system");
    if (depth_ >= 8) fail(place(file_, *base), "extends: more than 8 levels, or a cycle");
    std::string path = folder_ + "/" + *base_name + ".toml";
    const std::string beside = (fs::path(file_).parent_path() / (*base_name + ".toml")).string();
    if (fs::exists(beside)) path = beside;
    if (!fs::exists(path)) {
      fail(place(file_, *base), "extends '" + *base_name + "': no such system");
    }
    system_ = Reader(path, folder_, depth_ + 1).read();
  }
  const auto name = root["name"].value_exact<std::string>();
  if (!name) fail(file_, "missing name: expected name = \"…\"");
  system_.name = *name;
  if (const toml::node* kind = root.get("kind")) {
    const auto text = kind->value_exact<std::string>();
    if (!text) fail(place(file_, *kind), "kind: expected the name of a kind of system");
    system_.kind = *text;
    system_.kind_where = place(file_, *kind);
  }
  // Chips before what refers to them, whatever the order in the file.
  if (const toml::node* chips = root.get("chip")) read_chips(*chips);
  if (const toml::node* links = root.get("link")) read_links(*links);
  if (const toml::node* devices = root.get("devices")) read_devices(*devices);
  for (const auto& [key, node] : root) {
    const std::string k(key.str());
    if (k == "schema" || k == "name" || k == "kind" || k == "extends" || k == "chip" ||
        k == "link" || k == "devices") {
      continue;
    }
    const toml::table* group = node.as_table();
    if (group == nullptr) {
      fail(place(file_, node),
           "unknown key '" + k +
               "': expected schema, name, kind, extends, devices, [[chip]], [[link]] "
               "or a [group] of settings");
    }
    read_settings(k, *group, system_.settings);
  }
  return system_;
}

}  // namespace

SystemDescription SystemDescription::load(const std::string& name_or_file,
                                          const std::string& system_folder,
                                          const SettingOverrides& chosen) {
  const bool is_path =
      name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".toml");
  const std::string file = is_path ? name_or_file : system_folder + "/" + name_or_file + ".toml";
  if (!fs::exists(file)) {
    std::string known;
    for (const std::string& s : list(system_folder)) known += (known.empty() ? "" : ", ") + s;
    fail("", "system '" + name_or_file + "': no such " + (is_path ? "file" : "system") + "; " +
                 system_folder + " has " + (known.empty() ? "none" : known));
  }
  SystemDescription system = Reader(file, system_folder, 0).read();
  if (system.kind == "wormhole" && system.chips.empty()) {
    fail(file, "a system of kind wormhole needs at least one [[chip]]");
  }
  if (system.kind != "wormhole" && !system.chips.empty()) {
    fail(file, "[[chip]] describes systems of kind wormhole, this one is of kind " + system.kind);
  }
  describe_chips(system, chosen);
  if (system.devices.empty()) {
    for (const ChipDescription& chip : system.chips) system.devices.push_back(chip.id);
  }
  return system;
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
    c["harvested_rows"] = chip.harvested_rows;
    c["translated"] = true;
    json["chips"].push_back(c);
  }
  json["devices"] = devices;
  json["links"] = nlohmann::ordered_json::array();
  for (const LinkDescription& link : links) {
    json["links"].push_back({{"a", {{"chip", link.a.chip}, {"channel", link.a.channel}}},
                             {"b", {{"chip", link.b.chip}, {"channel", link.b.channel}}}});
  }
  return json.dump();
}

}  // namespace tvp::platform
