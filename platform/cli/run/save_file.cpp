#include "platform/cli/run/save_file.h"

#include <fstapi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "foundation/fault.h"

namespace tvp::cli {

namespace {

/// Colors of GTKWave.
enum Color : int { kRed = 1, kOrange, kYellow, kGreen, kBlue, kIndigo, kViolet };

struct Row {
  std::string path;
  unsigned width = 0;  ///< 0: a text
};

[[noreturn]] void unreadable(const std::string& file) {
  throw foundation::Fault(foundation::FaultKind::kDescription, file,
                          "cannot be read as waves: expected an FST or VCD file");
}

std::string joined(const std::vector<std::string>& scopes, const std::string& name) {
  std::string path;
  for (const std::string& scope : scopes) path += scope + ".";
  return path + name;
}

/// The signals of a wave file.
struct Waves {
  std::vector<Row> rows;
  std::uint64_t end_ps = 0;  ///< 0: not known
};

Waves waves_of_fst(const std::string& file) {
  void* const reader = fstReaderOpen(file.c_str());
  if (reader == nullptr) unreadable(file);
  Waves waves;
  waves.end_ps = fstReaderGetEndTime(reader);
  std::vector<std::string> scopes;
  while (const fstHier* const entry = fstReaderIterateHier(reader)) {
    if (entry->htyp == FST_HT_SCOPE) {
      scopes.emplace_back(entry->u.scope.name);
    } else if (entry->htyp == FST_HT_UPSCOPE && !scopes.empty()) {
      scopes.pop_back();
    } else if (entry->htyp == FST_HT_VAR) {
      const bool is_text = entry->u.var.typ == FST_VT_GEN_STRING;
      waves.rows.push_back({joined(scopes, entry->u.var.name), is_text ? 0U : entry->u.var.length});
    }
  }
  fstReaderClose(reader);
  return waves;
}

Waves waves_of_vcd(const std::string& file) {
  std::ifstream in(file);
  Waves waves;
  std::vector<std::string> scopes;
  bool is_vcd = false;
  for (std::string line; !is_vcd && std::getline(in, line);) {
    std::istringstream words(line);
    std::string word, type, number, name;
    words >> word;
    if (word == "$scope" && words >> type >> name) scopes.push_back(name);
    if (word == "$upscope" && !scopes.empty()) scopes.pop_back();
    unsigned width = 0;
    if (word == "$var" && words >> type >> width >> number >> name)
      waves.rows.push_back({joined(scopes, name), type == "string" ? 0 : width});
    is_vcd = word == "$enddefinitions";
  }
  if (!is_vcd) unreadable(file);
  return waves;
}

/// The name that titles the row's group: its tile, worker or unit.
std::string save_group(const std::string& path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos) return "system";
  const std::size_t second = path.find('.', dot + 1);
  const bool has_tiles = path.starts_with("chip") || path.starts_with("device");
  return path.substr(0, has_tiles && second != std::string::npos ? second : dot);
}

Color color_of(const std::string& path) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string::npos; };
  if (has(".coprocessor.")) return kYellow;
  if (path.ends_with(".state")) return kGreen;
  if (path.ends_with(".line") || path.ends_with(".kernel")) return kBlue;
  if (has(".cb_") || has("credits") || has("window")) return kOrange;
  if (has(".niu") || has(".noc") || has(".router_") || has("mesh")) return kIndigo;
  if (has(".link_") || has("xq")) return kViolet;
  if (has(".dram") || has(".dma") || has("bank_")) return kRed;
  return kGreen;
}

/// Kernel and line of a core come before its state.
int leaf_rank(std::string_view path) {
  static const std::map<std::string_view, int> kLeaves = {{"kernel", 0}, {"line", 1}, {"state", 2}};
  const auto leaf = kLeaves.find(path.substr(path.rfind('.') + 1));
  return leaf == kLeaves.end() ? 3 : leaf->second;
}

/// Order of names in which unit2 comes before unit10.
bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = [&](std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) -
                                    text.begin());
  };
  while (!a.empty() && !b.empty()) {
    const std::size_t na = digits(a);
    const std::size_t nb = digits(b);
    if (na != 0 && nb != 0 && na != nb) return na < nb;  // indices have no leading zeros
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

/// Cores come first, then the rest by name.
bool row_less(const Row& a, const Row& b) {
  const int rank_a = leaf_rank(a.path);
  const int rank_b = leaf_rank(b.path);
  const bool in_core_a = rank_a < 3;
  const bool in_core_b = rank_b < 3;
  if (in_core_a != in_core_b) return in_core_a;
  const std::string_view core_a = std::string_view(a.path).substr(0, a.path.rfind('.'));
  const std::string_view core_b = std::string_view(b.path).substr(0, b.path.rfind('.'));
  if (in_core_a && core_a == core_b) return rank_a < rank_b;
  return natural_less(a.path, b.path);
}

/// Kinds of groups in the order in which they are shown.
enum class GroupKind { kZones, kTensixKernels, kKernels, kCores, kOther };

GroupKind kind_of(const std::string& path) {
  if (path.starts_with("device")) return GroupKind::kZones;
  if (path.ends_with(".kernel"))
    return path.find(".tensix_") == std::string::npos ? GroupKind::kKernels
                                                      : GroupKind::kTensixKernels;
  return path.ends_with(".state") ? GroupKind::kCores : GroupKind::kOther;
}

/// The zoom at which the window shows the whole run. A division has 200 pixels.
std::string zoom_line(std::uint64_t end_ps) {
  if (end_ps == 0) return "";
  constexpr double kDivisions = 6.5;
  char line[64];
  std::snprintf(line, sizeof line, "*%.6f 0", -std::log2(static_cast<double>(end_ps) / kDivisions));
  std::string text = line;
  for (unsigned marker = 0; marker < 26; ++marker) text += " -1";
  return text + "\n";
}

/// A row with flags (traces.h of GTKWave), color and a name without its group. Dots would hide the
/// first part of that name.
std::string save_row(const Row& row, const std::string& group) {
  std::string shown = row.path.size() > group.size() ? row.path.substr(group.size() + 1) : row.path;
  std::replace(shown.begin(), shown.end(), '.', ' ');
  const char* const flags = row.width == 0 ? "@820" : row.width == 1 ? "@28" : "@24";
  const std::string range =
      row.width > 1 ? "[" + std::to_string(row.width - 1) + ":0]" : std::string();
  return std::string(flags) + "\n[color] " + std::to_string(color_of(row.path)) + "\n+{" + shown +
         "} " + row.path + range + "\n";
}

}  // namespace

std::string save_file_of(const std::string& wave_file) {
  Waves waves = wave_file.ends_with(".vcd") ? waves_of_vcd(wave_file) : waves_of_fst(wave_file);
  std::map<std::string, GroupKind> kinds;
  for (const Row& row : waves.rows) {
    GroupKind& kind = kinds.try_emplace(save_group(row.path), GroupKind::kOther).first->second;
    kind = std::min(kind, kind_of(row.path));
  }
  const auto group_less = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : natural_less(a.second, b.second);
  };
  std::map<std::pair<GroupKind, std::string>, std::vector<Row>, decltype(group_less)> groups;
  for (Row& row : waves.rows) {
    const std::string group = save_group(row.path);
    groups[{kinds[group], group}].push_back(std::move(row));
  }
  std::string text = "[*] made by vp waves from " +
                     std::filesystem::path(wave_file).filename().string() +
                     "\n[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n" + zoom_line(waves.end_ps) +
                     "[sst_expanded] 0\n[signals_width] 260\n";
  // The first worker and the first tile or unit are open above all others.
  const auto first_core = std::find_if(groups.begin(), groups.end(), [](const auto& group) {
    return group.first.first != GroupKind::kZones && group.first.first != GroupKind::kOther;
  });
  std::string others;
  bool zones_open = false;
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    auto& [key, members] = *group;
    const auto& [kind, name] = key;
    std::sort(members.begin(), members.end(), row_less);
    std::string rows;
    for (const Row& row : members) rows += save_row(row, name);
    const bool opens_zones = kind == GroupKind::kZones && !std::exchange(zones_open, true);
    const bool opens = opens_zones || group == first_core;
    std::string& target = opens ? text : others;
    target += std::string(opens ? "@800200\n-" : "@c00200\n-") + name + "\n" + rows +
              (opens ? "@1000200\n-" : "@1401200\n-") + name + "\n";
  }
  text += others;
  return text;
}

}  // namespace tvp::cli
