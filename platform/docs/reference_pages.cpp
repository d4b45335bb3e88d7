// Writes the reference pages of the site: reads the output of `vp list --json` on standard input.
// reference_pages FOLDER
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace {

using nlohmann::json;

/// Text of a table cell.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<' || c == '_') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string text_of(const json& entry, const char* name) {
  return entry.at(name).get<std::string>();
}

/// A key as code that narrow pages break behind dots and underscores.
std::string key_cell(const std::string& key) {
  std::string html = "<code>";
  for (const char c : key) {
    html += c;
    if (c == '.' || c == '_') html += "<wbr>";
  }
  return html + "</code>";
}

void write(const std::string& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  if (!stream.flush()) throw std::runtime_error(file + ": cannot be written");
}

/// A section for each group of keys, which is the part of the name in front of the dot.
std::string key_page(const std::string& title, const std::string& use, const json& keys) {
  std::string page = "# " + title + "\n\n" + use + "\n";
  std::string group;
  for (const json& key : keys) {
    const std::string name = text_of(key, "key");
    const std::string now = name.substr(0, name.rfind('.'));
    if (now != group) {
      group = now;
      page += "\n## " + group +
              "\n\n| key | default | values | meaning | source |\n|---|---|---|---|---|\n";
    }
    const std::string unit = text_of(key, "unit");
    page += "| " + key_cell(name) + " | " + cell(text_of(key, "default")) +
            (unit.empty() ? "" : " " + cell(unit)) + " | " + cell(text_of(key, "expected")) +
            " | " + cell(text_of(key, "doc")) + " | " + cell(text_of(key, "source")) + " |\n";
  }
  return page;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: vp list --json | reference_pages FOLDER\n");
    return 2;
  }
  try {
    const json list = json::parse(std::cin);
    const std::string folder = std::string(argv[1]) + "/";
    write(folder + "keys.md", key_page("Keys of models",
                                       "Set a key with `--set KEY=VALUE`. Keys of hardware may "
                                       "also stand in a system description; keys of "
                                       "outputs, gdb and a run may not.",
                                       list.at("keys")));
    write(folder + "workload_keys.md", key_page("Keys of workloads",
                                                "Set a key with `--set KEY=VALUE`. A run of the "
                                                "workload needs no prefix: `--set rounds=16`.",
                                                list.at("workload_keys")));
    std::string workloads =
        "# Workloads\n\n| workload | default system | what it does |\n|---|---|---|\n";
    for (const json& workload : list.at("workloads"))
      workloads += "| `" + text_of(workload, "name") + "` | `" + text_of(workload, "system") +
                   "` | " + cell(text_of(workload, "summary")) + " |\n";
    write(folder + "workloads.md", workloads);
    std::string systems =
        "# Systems\n\n`vp list SYSTEM` shows chips and links of a system. The README of "
        "[platform/systems](../platform/systems/README.md) describes the files.\n\n";
    for (const json& system : list.at("systems"))
      systems += "* `" + system.get<std::string>() + "`\n";
    write(folder + "systems.md", systems);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reference_pages: %s\n", error.what());
    return 2;
  }
  return 0;
}
