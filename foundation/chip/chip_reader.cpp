#include "foundation/chip/chip_reader.h"

#include <algorithm>
#include <filesystem>

#include "foundation/chip/chip_pattern.h"
#include "foundation/chip/chip_rules.h"
#include "foundation/fault.h"
#include "foundation/source_root.h"
#include "foundation/toml_source.h"

namespace tvp::foundation {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kDeepest = 8;  ///< levels of `extends`
constexpr std::uint64_t kMost32 = 0xFFFFFFFF;
constexpr std::uint64_t kMost64 = 0x7FFFFFFFFFFFFFFF;  ///< largest integer of TOML

[[noreturn]] void fail(const std::string& where, const std::string& message) {
  throw Fault(FaultKind::kDescription, where, message);
}

/// A chip while it is being read: its pattern is not placed yet.
struct Draft {
  ChipSpec spec;
  ChipPattern pattern;
  bool has_pattern = false;
};

/// One table of a description. Keys that the reader does not ask for are refused.
class Table {
 public:
  Table(const TomlSource& source, std::string name, const toml::table& table, Draft& draft)
      : source_(source), name_(std::move(name)), table_(table), draft_(draft) {}

  template <typename T>
  void number(const char* key, T& value, std::uint64_t lo = 0, std::uint64_t hi = kMost32,
              unsigned unit = 1) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    value = static_cast<T>(integer(*node, key, lo, hi) * unit);
  }
  void numbers(const char* key, std::vector<unsigned>& list) {
    const toml::node* node = take(key);
    if (node == nullptr) return;
    list.clear();
    for (const toml::node& element : array(*node, key)) {
      list.push_back(static_cast<unsigned>(integer(element, key, 0, 255)));
    }
  }
  void node(const char* key, ChipNode& place) {
    const toml::node* found = take(key);
    if (found != nullptr) place = pair(*found, key);
  }
  void nodes(const char* key, std::vector<ChipNode>& list) {
    const toml::node* found = take(key);
    if (found == nullptr) return;
    list.clear();
    for (const toml::node& element : array(*found, key)) list.push_back(pair(element, key));
  }
  /// Calls `read` with each table of a list.
  template <typename Read>
  void tables(const char* key, Read read) {
    const toml::node* found = take(key);
    if (found == nullptr) return;
    for (const toml::node& element : array(*found, key)) {
      const toml::table* table = element.as_table();
      if (table == nullptr) source_.fail(element, full(key) + ": expected tables { … }");
      Table part(source_, full(key), *table, draft_);
      read(part);
      part.finish();
    }
  }
  /// Throws at the first key that no reader has asked for.
  void finish() const {
    for (const auto& [key, value] : table_) {
      if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
      std::string expected;
      for (const std::string& k : known_) expected += (expected.empty() ? "" : ", ") + k;
      source_.fail(value, "unknown key '" + std::string(key.str()) + "' of " + name_ +
                              ": expected one of " + expected);
    }
  }
  [[noreturn]] void fail(const std::string& message) const { source_.fail(table_, message); }

 private:
  const toml::node* take(const char* key) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node != nullptr) draft_.spec.places[full(key)] = source_.place(*node);
    return node;
  }
  std::string full(const std::string& key) const { return name_ + "." + key; }
  std::uint64_t integer(const toml::node& node, const std::string& key, std::uint64_t lo,
                        std::uint64_t hi) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < lo ||
        static_cast<std::uint64_t>(*value) > hi) {
      source_.fail(node, full(key) + ": expected an integer " + std::to_string(lo) + ".." +
                             std::to_string(hi));
    }
    return static_cast<std::uint64_t>(*value);
  }
  const toml::array& array(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) source_.fail(node, full(key) + ": expected a list");
    return *list;
  }
  ChipNode pair(const toml::node& node, const std::string& key) const {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != 2) {
      source_.fail(node, full(key) + ": expected [column, row]");
    }
    return {static_cast<unsigned>(integer((*list)[0], key, 0, 255)),
            static_cast<unsigned>(integer((*list)[1], key, 0, 255))};
  }

  const TomlSource& source_;
  std::string name_;
  const toml::table& table_;
  Draft& draft_;
  std::vector<std::string> known_;
};

void read_banks(Table& table, DramChannel& channel) {
  table.tables("banks", [&](Table& bank) {
    DramBank b;
    ChipNode node;
    unsigned mib = 0;
    bank.node("node", node);
    bank.number("offset", b.offset);
    bank.number("mib", mib, 1, 4096);
    b.bytes = std::uint64_t{mib} << 20;
    const auto endpoint = [&](const char* key, ChipNode at) {
      const auto& nodes = channel.endpoints;
      const auto found = std::find(nodes.begin(), nodes.end(), at);
      if (found == nodes.end()) {
        std::string expected;
        for (const ChipNode n : nodes) expected += (expected.empty() ? "" : ", ") + text_of(n);
        bank.fail("dram.banks." + std::string(key) + ": " + text_of(at) +
                  " is no DRAM node of this channel, expected one of " + expected);
      }
      return static_cast<unsigned>(found - nodes.begin());
    };
    b.endpoint = endpoint("node", node);
    ChipNode noc1 = node;
    bank.node("noc1_node", noc1);
    b.noc1_endpoint = endpoint("noc1_node", noc1);
    channel.banks.push_back(b);
  });
}

void read_pcie(Table& table, ChipSpec& spec) {
  ChipSpec::Pcie& p = spec.bars;
  table.node("node", spec.pcie);
  table.number("vendor", p.vendor, 0, 0xFFFF);
  table.number("device", p.device, 0, 0xFFFF);
  table.number("bar0_mib", p.bar0_bytes, 1, 1024, 1U << 20);
  table.number("bar2_mib", p.bar2_bytes, 1, 256, 1U << 20);
  table.number("bar4_mib", p.bar4_bytes, 1, 1024, 1U << 20);
  bool first = true;
  table.tables("windows", [&](Table& group) {
    if (first) p.windows.clear();
    first = false;
    WindowGroup windows;
    unsigned mib = 1;
    group.number("count", windows.count, 1, 1024);
    group.number("mib", mib, 1, 1024);
    windows.size_log2 = 20;
    while ((1U << (windows.size_log2 - 20)) < mib) ++windows.size_log2;
    if ((1U << (windows.size_log2 - 20)) != mib) {
      group.fail("pcie.windows.mib: expected a power of two");
    }
    p.windows.push_back(windows);
  });
  table.number("window_registers", p.window_registers);
  table.number("arc_memory", p.arc_memory);
  table.number("arc_registers", p.arc_registers);
  table.number("iatu", p.iatu);
  table.number("host_window", p.host_window, 0, kMost64);
  table.number("host_window_bytes", p.host_window_bytes);
}

void read_pattern(Table& table, Draft& draft) {
  ChipPattern& p = draft.pattern;
  draft.has_pattern = true;
  table.number("columns", p.columns);
  table.number("rows", p.rows);
  table.numbers("dram_columns", p.dram_columns);
  table.numbers("ethernet_rows", p.ethernet_rows);
  table.number("dram_channels", p.dram_channels);
  table.number("dram_endpoints", p.dram_endpoints, 1, 16);
  table.number("dram_bank_mib", p.dram_bank_mib, 1, 4096);
  table.number("ethernet_channels", p.ethernet_channels);
}

/// Reads the table `name`; false if a chip has no such table.
bool read_table(const std::string& name, Table& table, Draft& draft) {
  ChipSpec& spec = draft.spec;
  if (name == "grid") {
    table.number("columns", spec.columns);
    table.number("rows", spec.rows);
  } else if (name == "tensix") {
    table.numbers("columns", spec.tensix_columns);
    table.numbers("rows", spec.tensix_rows);
    table.numbers("harvest_rows", spec.harvest_rows);
    table.numbers("harvest_columns", spec.harvest_columns);
  } else if (name == "ethernet") {
    table.nodes("nodes", spec.ethernet);
  } else if (name == "pcie") {
    read_pcie(table, spec);
  } else if (name == "arc") {
    table.node("node", spec.arc);
  } else if (name == "coordinates") {
    table.number("first_translated", spec.first_translated, 0, 31);
  } else if (name == "memories") {
    ChipSpec::Memories& m = spec.memories;
    table.number("tensix_l1_kib", m.tensix_l1_bytes, 1, 1U << 20, 1024);
    table.number("ethernet_l1_kib", m.ethernet_l1_bytes, 1, 1U << 20, 1024);
    table.number("data_local_bytes", m.data_local_bytes);
    table.number("compute_local_bytes", m.compute_local_bytes);
    table.number("instruction_bytes", m.instruction_bytes);
  } else if (name == "clocks") {
    table.number("aiclk_mhz", spec.clocks.aiclk_mhz, 1, 2000);
    table.number("refclk_mhz", spec.clocks.refclk_mhz, 1, 2000);
  } else if (name == "pattern") {
    read_pattern(table, draft);
  } else {
    return false;
  }
  return true;
}

/// The [[dram]] channels of a description.
void read_dram(const TomlSource& source, const toml::node& node, Draft& draft) {
  draft.spec.dram.clear();
  for (const toml::node& element : source.tables(node, "dram")) {
    const std::string name = "dram[" + std::to_string(draft.spec.dram.size()) + "]";
    Table table(source, name, *element.as_table(), draft);
    DramChannel channel;
    table.nodes("endpoints", channel.endpoints);
    read_banks(table, channel);
    table.nodes("niu_order", channel.niu_order);
    table.finish();
    draft.spec.dram.push_back(channel);
  }
}

Generation read_generation(const TomlSource& source, const toml::node& node) {
  const auto name = node.value_exact<std::string>();
  for (const Generation generation : {Generation::kWormhole, Generation::kBlackhole}) {
    if (name == name_of(generation)) return generation;
  }
  source.fail(node, "generation: expected \"wormhole\" or \"blackhole\"");
}

/// The [settings.GROUP] tables of a description.
void read_settings(const TomlSource& source, const toml::node& node, Draft& draft) {
  const toml::table* groups = node.as_table();
  if (groups == nullptr) source.fail(node, "settings: expected tables [settings.GROUP]");
  for (const auto& [group, keys] : *groups) {
    const toml::table* table = keys.as_table();
    if (table == nullptr) {
      source.fail(keys, "settings." + std::string(group.str()) + ": expected a table");
    }
    for (const auto& [key, value] : *table) {
      const std::string name = std::string(group.str()) + "." + std::string(key.str());
      draft.spec.settings[name] = source.setting_text(value, "settings." + name);
      draft.spec.places[name] = source.place(value);
    }
  }
}

void read_tables(const TomlSource& source, Draft& draft) {
  static constexpr const char* kExpected =
      "schema, name, generation, extends, [pattern], [grid], [tensix], [ethernet], [[dram]], "
      "[pcie], [arc], "
      "[coordinates], [memories], [clocks] or [settings]";
  for (const auto& [key, node] : source.root()) {
    const std::string name(key.str());
    if (name == "schema" || name == "name" || name == "extends") continue;
    if (name == "generation") {
      draft.spec.generation = read_generation(source, node);
      draft.spec.places[name] = source.place(node);
      continue;
    }
    if (name == "dram") {
      read_dram(source, node, draft);
      continue;
    }
    if (name == "settings") {
      read_settings(source, node, draft);
      continue;
    }
    const toml::table* part = node.as_table();
    if (part == nullptr) source.fail(node, "unknown key '" + name + "': expected " + kExpected);
    Table table(source, name, *part, draft);
    if (!read_table(name, table, draft)) {
      source.fail(node, "unknown table [" + name + "]: expected " + kExpected);
    }
    table.finish();
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

/// The file of a description: beside `beside` or in `folder`.
std::string find_file(const std::string& name_or_file, const std::string& folder,
                      const std::string& where) {
  const bool path = name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".toml");
  std::string file = path ? name_or_file : folder + "/" + name_or_file + ".toml";
  if (!fs::exists(file)) {
    fail(where, "chip '" + name_or_file + "': no such " + (path ? "file" : "description") +
                    ", expected one of " + joined(list_chips(folder)) + " (" + folder +
                    ") or a path");
  }
  return file;
}

void read(const TomlSource& source, Draft& draft, const std::string& folder, unsigned depth = 0) {
  const toml::table& root = source.root();
  const toml::node* schema = root.get("schema");
  if (schema == nullptr) fail(source.file(), "missing schema: expected schema = 1");
  if (schema->value_exact<std::int64_t>() != 1) {
    source.fail(*schema, "schema: expected 1, the only version there is");
  }
  if (const toml::node* base = root.get("extends")) {
    const auto name = base->value_exact<std::string>();
    if (!name) source.fail(*base, "extends: expected the name of a chip");
    if (depth >= kDeepest) source.fail(*base, "extends: more than 8 levels, or a cycle");
    read(TomlSource(find_file(*name, folder, source.place(*base))), draft, folder, depth + 1);
  }
  const auto name = root["name"].value_exact<std::string>();
  if (!name) fail(source.file(), "missing name: expected name = \"…\"");
  draft.spec.name = *name;
  draft.spec.file = source.file();
  read_tables(source, draft);
}

void apply(const ChipOverrides& overrides, Draft& draft) {
  const std::map<std::string, unsigned*> pattern = {
      {"columns", &draft.pattern.columns},
      {"rows", &draft.pattern.rows},
      {"dram_channels", &draft.pattern.dram_channels},
      {"ethernet_channels", &draft.pattern.ethernet_channels}};
  for (const auto& [key, override_] : overrides) {
    if (key == "l1_kib") {
      draft.spec.memories.tensix_l1_bytes = override_.value * 1024;
      draft.spec.places["memories.tensix_l1_kib"] = override_.where;
      continue;
    }
    const auto found = pattern.find(key);
    if (found == pattern.end()) {
      fail(override_.where, "chip." + key + ": no such number of a chip's description");
    }
    if (!draft.has_pattern) {
      fail(override_.where, "chip." + key + ": " + draft.spec.file +
                                " gives the chip's nodes one by one, expected a chip with a "
                                "[pattern], which alone has this key");
    }
    *found->second = override_.value;
    draft.spec.places["pattern." + key] = override_.where;
  }
}

/// Checks the keys that have no default. Nodes and DRAM can come from a pattern, so check_chip
/// checks those.
void expect_keys(const Draft& draft) {
  static constexpr const char* kKeys[] = {"pcie.vendor",
                                          "pcie.device",
                                          "pcie.bar0_mib",
                                          "pcie.bar2_mib",
                                          "pcie.bar4_mib",
                                          "pcie.windows",
                                          "pcie.window_registers",
                                          "pcie.arc_memory",
                                          "pcie.arc_registers",
                                          "pcie.iatu",
                                          "pcie.host_window",
                                          "pcie.host_window_bytes",
                                          "memories.tensix_l1_kib",
                                          "memories.ethernet_l1_kib",
                                          "memories.data_local_bytes",
                                          "memories.compute_local_bytes",
                                          "memories.instruction_bytes",
                                          "clocks.aiclk_mhz",
                                          "clocks.refclk_mhz"};
  const auto expect = [&](const std::string& key) {
    if (draft.spec.places.count(key) != 0) return;
    fail(draft.spec.file, "missing " + key + ": expected it here or in what this extends");
  };
  for (const char* key : kKeys) expect(key);
  if (draft.has_pattern) return;
  expect("pcie.node");
  expect("arc.node");
}

ChipSpec finished(Draft& draft) {
  if (draft.has_pattern) draft.pattern.place(draft.spec);
  check_chip(draft.spec);
  return std::move(draft.spec);
}

}  // namespace

ChipSpec load_chip(const std::string& name_or_file, const std::string& folder,
                   const ChipOverrides& overrides) {
  Draft draft;
  read(TomlSource(find_file(name_or_file, folder, "")), draft, folder);
  apply(overrides, draft);
  expect_keys(draft);
  return finished(draft);
}

ChipSpec parse_chip(const std::string& text) {
  Draft draft;
  read(TomlSource::of_text("chip description", text), draft, "");
  expect_keys(draft);
  draft.spec.file.clear();
  draft.spec.places.clear();
  return finished(draft);
}

std::vector<std::string> list_chips(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string chip_folder() { return source_root() + "/platform/chips"; }

}  // namespace tvp::foundation
