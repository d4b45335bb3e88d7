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

/// Cores come first, with kernel and line behind the state; then the rest by name.
std::string sort_key(const std::string& path) {
  static const std::map<std::string, int> kLeaves = {{"kernel", 0}, {"line", 1}, {"state", 2}};
  const std::size_t dot = path.rfind('.');
  const auto leaf = kLeaves.find(path.substr(dot + 1));
  if (leaf == kLeaves.end()) return "1" + path;
  return "0" + path.substr(0, dot + 1) + std::to_string(leaf->second);
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
  // Tiles that have run a kernel come first. The first of them is open.
  std::map<std::string, bool> has_kernel;
  for (const Row& row : waves.rows)
    has_kernel[save_group(row.path)] |= row.path.ends_with(".kernel");
  std::map<std::pair<bool, std::string>, std::vector<Row>> groups;
  for (Row& row : waves.rows) {
    const std::string group = save_group(row.path);
    groups[{!has_kernel[group], group}].push_back(std::move(row));
  }
  std::string text = "[*] made by vp waves from " +
                     std::filesystem::path(wave_file).filename().string() +
                     "\n[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n" + zoom_line(waves.end_ps) +
                     "[sst_expanded] 0\n[signals_width] 260\n";
  bool is_first = true;
  for (auto& [key, members] : groups) {
    const auto& [without_kernel, group] = key;
    std::sort(members.begin(), members.end(),
              [](const Row& a, const Row& b) { return sort_key(a.path) < sort_key(b.path); });
    const bool opens = std::exchange(is_first, false) && !without_kernel;
    text += std::string(opens ? "@800200\n-" : "@c00200\n-") + group + "\n";
    for (const Row& row : members) text += save_row(row, group);
    text += std::string(opens ? "@1000200\n-" : "@1401200\n-") + group + "\n";
  }
  return text;
}

}  // namespace tvp::cli
