#include "platform/system/layer_reader.h"

#include <algorithm>
#include <filesystem>

#include "foundation/fault.h"
#include "platform/system/describe_chips.h"

namespace tvp::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMost32 = 0xFFFFFFFF;
constexpr const char* kDescription = "the name or file of a chip's";

}  // namespace

LayerReader::LayerReader(std::string file, std::string folder, unsigned depth)
    : source_(std::move(file)), folder_(std::move(folder)), depth_(depth) {}

SystemLayer LayerReader::read() {
  const toml::table& root = source_.root();
  const toml::node* schema = root.get("schema");
  if (schema == nullptr) {
    throw foundation::Fault(foundation::FaultKind::kDescription, source_.file(),
                            "missing schema: expected schema = 1");
  }
  if (schema->value_exact<std::int64_t>() != 1) {
    source_.fail(*schema, "schema: expected 1, the only version");
  }
  if (const toml::node* base = root.get("extends")) read_base(*base);
  read_names();
  if (const toml::node* topology = root.get("topology")) read_topology(*topology);
  if (const toml::node* chips = root.get("chip")) read_chips(*chips);
  if (const toml::node* links = root.get("link")) read_links(*links);
  if (const toml::node* devices = root.get("devices")) read_devices(*devices);
  read_groups();
  return std::move(layer_);
}

void LayerReader::read_base(const toml::node& base) {
  const auto name = base.value_exact<std::string>();
  if (!name) source_.fail(base, "extends: expected the name of a system");
  if (depth_ >= kMostDepth) source_.fail(base, "extends: more than 8 levels, or a cycle");
  std::string path = folder_ + "/" + *name + ".toml";
  const std::string beside = (fs::path(source_.file()).parent_path() / (*name + ".toml")).string();
  std::error_code error;  // ignored: a name that no file can have
  if (fs::exists(beside, error)) path = beside;
  if (!fs::exists(path, error)) {
    source_.fail(base, "extends '" + *name + "': no such system: expected the name of one in " +
                           folder_ + ", or of a .toml file beside this one, without its ending");
  }
  layer_ = LayerReader(path, folder_, depth_ + 1).read();
}

void LayerReader::read_names() {
  const toml::table& root = source_.root();
  const auto name = root["name"].value_exact<std::string>();
  if (!name) {
    throw foundation::Fault(foundation::FaultKind::kDescription, source_.file(),
                            "missing name: expected name = \"…\"");
  }
  layer_.name = *name;
  if (const toml::node* kind = root.get("kind")) {
    layer_.kind = *source_.optional_text(root, "kind", "the name of a kind of system");
    layer_.kind_where = source_.place(*kind);
  }
}

void LayerReader::read_topology(const toml::node& node) {
  const toml::table* table = node.as_table();
  if (table == nullptr) source_.fail(node, "topology: expected a table [topology]");
  source_.allow_only(
      *table,
      {"kind", "shape", "links", "board", "description", "harvested_rows", "harvested_columns"},
      "topology");
  const auto place_of = [&](const char* key) {
    const toml::node* at = table->get(key);
    return source_.place(at == nullptr ? node : *at);
  };
  const std::string kinds = "one of " + Topology::kind_names();
  const auto kind = Topology::kind_of(source_.text(*table, "kind", kinds));
  if (!kind) source_.fail(*table->get("kind"), "kind: expected " + kinds);
  Topology topology(*kind, read_shape(*table, *kind));

  const std::string boards = "one of " + board_names();
  std::shared_ptr<const Board> board =
      make_board(source_.optional_text(*table, "board", boards).value_or("free"));
  if (board == nullptr) source_.fail(*table->get("board"), "board: expected " + boards);
  if (const auto expected = board->complaint(topology)) {
    source_.fail(*table->get("shape"), "shape: expected " + *expected);
  }
  // A topology replaces all chips of the base.
  layer_.chips.clear();
  layer_.links.clear();
  layer_.devices.clear();
  const auto links = source_.optional_integer(*table, "links", 1, 16);
  const auto [harvest_key, mask] = read_harvest(*table);
  const auto description = source_.optional_text(*table, "description", kDescription);
  layer_.graph.emplace(
      SystemLayer::Graph{.topology = std::move(topology),
                         .board = board,
                         .links = links ? static_cast<unsigned>(*links) : board->links_per_edge(),
                         .kind = description ? beside(*description) : ChipDescription().kind,
                         .kind_where = place_of("description"),
                         .harvest_mask = harvest_key.empty() ? board->harvest_mask() : mask,
                         .harvested_where = place_of(harvest_key.c_str()),
                         .harvest_key = harvest_key,
                         .shape_where = place_of("shape"),
                         .links_where = place_of("links")});
}

std::pair<std::string, std::uint32_t> LayerReader::read_harvest(const toml::table& table) {
  std::pair<std::string, std::uint32_t> read;
  for (const char* key : {"harvested_rows", "harvested_columns"}) {
    const auto mask = source_.optional_integer(table, key, 0, kMost32);
    if (!mask) continue;
    if (!read.first.empty()) {
      source_.fail(*table.get(key), std::string(key) + ": expected it or " + read.first);
    }
    read = {key, static_cast<std::uint32_t>(*mask)};
  }
  return read;
}

std::vector<unsigned> LayerReader::read_shape(const toml::table& table, Topology::Kind kind) {
  const std::string expected = "shape: expected a list of numbers, e.g. [4] or [4, 8]";
  const toml::node* node = table.get("shape");
  if (node == nullptr) source_.fail(table, "missing " + expected);
  const toml::array* array = node->as_array();
  if (array == nullptr) source_.fail(*node, expected);
  std::vector<unsigned> shape;
  for (const auto& element : *array) {
    const auto length = element.value_exact<std::int64_t>();
    if (!length || *length < 1 || *length > 32) {
      source_.fail(element, "shape: expected integers 1..32");
    }
    shape.push_back(static_cast<unsigned>(*length));
  }
  if (const auto complaint = Topology::complaint(kind, shape)) {
    source_.fail(*node, "shape: expected " + *complaint);
  }
  return shape;
}

void LayerReader::read_chips(const toml::node& node) {
  // Listed chips change those of a topology, or replace those of the base.
  if (!layer_.graph) layer_.chips.clear();
  for (const auto& element : source_.tables(node, "chip")) {
    const toml::table& table = *element.as_table();
    std::vector<std::string> keys{"id",        "description",    "pci_device",
                                  "host_chip", "harvested_rows", "harvested_columns"};
    keys.insert(keys.end(), kShapeKeys.begin(), kShapeKeys.end());
    source_.allow_only(table, keys, "chip", "or a table of settings");
    layer_.chips.push_back(read_chip(table));
  }
}

SystemLayer::Chip LayerReader::read_chip(const toml::table& table) {
  SystemLayer::Chip chip;
  chip.where = source_.place(table);
  chip.id = static_cast<unsigned>(source_.integer(table, "id", 0, 255));
  if (const auto device = source_.optional_integer(table, "pci_device", 0, 31)) {
    chip.pci_device = static_cast<unsigned>(*device);
  }
  if (const auto host_chip = source_.optional_integer(table, "host_chip", 0, 255)) {
    chip.host_chip = static_cast<unsigned>(*host_chip);
    chip.host_chip_where = source_.place(*table.get("host_chip"));
  }
  if (const auto [key, mask] = read_harvest(table); !key.empty()) {
    chip.harvest_mask = mask;
    chip.harvest_key = key;
    chip.harvested_where = source_.place(*table.get(key));
  }
  if (const auto description = source_.optional_text(table, "description", kDescription)) {
    chip.kind = beside(*description);
    chip.kind_where = source_.place(*table.get("description"));
  }
  for (const char* key : kShapeKeys) {
    const auto number = source_.optional_integer(table, key, 1, kMost32);
    if (!number) continue;
    chip.settings[std::string("chip.") + key] = {std::to_string(*number),
                                                 source_.place(*table.get(key))};
  }
  for (const auto& [key, node] : table) {
    const toml::table* group = node.as_table();
    if (group != nullptr) read_settings(std::string(key.str()), *group, chip.settings);
  }
  return chip;
}

std::string LayerReader::beside(const std::string& path) const {
  const fs::path from_here = path;
  const bool is_path = path.find('/') != std::string::npos || from_here.has_extension();
  if (!is_path || from_here.is_absolute() || fs::exists(from_here)) return path;
  const fs::path from_file = fs::path(source_.file()).parent_path() / from_here;
  return fs::exists(from_file) ? from_file.string() : path;
}

void LayerReader::read_links(const toml::node& node) {
  if (!layer_.graph) layer_.links.clear();
  for (const auto& element : source_.tables(node, "link")) {
    const toml::table& table = *element.as_table();
    source_.allow_only(table, {"a", "b"}, "link");
    SystemLayer::Link link;
    link.where = source_.place(table);
    link.link.a = read_end(table, "a", link.a_where);
    link.link.b = read_end(table, "b", link.b_where);
    layer_.links.push_back(link);
  }
}

LinkEnd LayerReader::read_end(const toml::table& link, const char* key, std::string& where) {
  const toml::node* node = link.get(key);
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) {
    source_.fail(node == nullptr ? link : *node,
                 std::string("link.") + key + ": expected { chip = …, channel = … }");
  }
  source_.allow_only(*table, {"chip", "channel"}, "a link's end");
  where = source_.place(*table);
  return {.chip = static_cast<unsigned>(source_.integer(*table, "chip", 0, 255)),
          .channel = static_cast<unsigned>(source_.integer(*table, "channel", 0, 255)),
          .where = source_.place(*table->get("channel"))};
}

void LayerReader::read_devices(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty()) {
    source_.fail(node, "devices: expected a list of chip ids");
  }
  layer_.devices.clear();
  for (const auto& element : *array) {
    const auto id = element.value_exact<std::int64_t>();
    if (!id || *id < 0 || *id > 255) {
      source_.fail(element, "devices: expected ids of chips of this system");
    }
    for (const SystemLayer::Device& device : layer_.devices) {
      if (device.chip == *id) {
        source_.fail(element, "devices: chip " + std::to_string(*id) + " stands twice");
      }
    }
    layer_.devices.push_back({.chip = static_cast<unsigned>(*id), .where = source_.place(element)});
  }
}

void LayerReader::read_groups() {
  static const std::vector<std::string> kNames = {"schema", "name", "kind",    "extends",
                                                  "chip",   "link", "devices", "topology"};
  for (const auto& [key, node] : source_.root()) {
    const std::string name(key.str());
    if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) continue;
    const toml::table* group = node.as_table();
    if (group == nullptr) {
      source_.fail(node, "unknown key '" + name +
                             "': expected schema, name, kind, extends, devices, [topology], "
                             "[[chip]], [[link]] or a [group] of settings");
    }
    read_settings(name, *group, layer_.settings);
  }
}

void LayerReader::read_settings(const std::string& group, const toml::table& table,
                                SettingOverrides& settings) {
  for (const auto& [key, node] : table) {
    const std::string name = group + "." + std::string(key.str());
    settings[name] = {source_.setting_text(node, name), source_.place(node), depth_};
  }
}

}  // namespace tvp::platform
