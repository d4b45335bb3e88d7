#include "tests/mutation/firmware_plan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <regex>

#include "foundation/toml_source.h"
#include "tests/mutation/toml_texts.h"

namespace tvp::mutation {

FirmwarePlan::FirmwarePlan(const std::filesystem::path& file) {
  const foundation::TomlSource source(file.string());
  each_table(source.root(), "program", [&](const toml::table& table) {
    FirmwareProgram program{.name = text(source, table, "name"),
                            .command = text(source, table, "command"),
                            .kernels = texts(source, table, "kernels"),
                            .without = {}};
    if (table.contains("without")) program.without = texts(source, table, "without");
    programs.push_back(std::move(program));
  });
  each_table(source.root(), "explained", [&](const toml::table& table) {
    explained.push_back({.change = text(source, table, "change"),
                         .kind = survivor_kind(source, table),
                         .reason = text(source, table, "reason")});
  });
}

namespace {

std::string base_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// The files that each file includes, directly or by others of them, by names without folders.
std::map<std::string, std::set<std::string>> inclusions(
    const std::map<std::string, std::string>& texts) {
  static const std::regex include(R"re(#include "([^"]+)")re");
  std::map<std::string, std::set<std::string>> all;
  for (const auto& [name, source] : texts)
    for (std::sregex_iterator it(source.begin(), source.end(), include), end; it != end; ++it)
      if (const std::string other = base_name_of((*it)[1]); texts.count(other) != 0)
        all[name].insert(other);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [name, included] : all) {
      const std::size_t before = included.size();
      for (const std::string& other : std::set<std::string>(included))
        included.insert(all[other].begin(), all[other].end());
      changed = changed || included.size() != before;
    }
  }
  return all;
}

}  // namespace

std::vector<KernelMutation> all_of(const FirmwareProgram& program,
                                   const std::filesystem::path& root) {
  const Group files{.name = program.name,
                    .files = program.kernels,
                    .without = program.without,
                    .targets = {},
                    .tests = {},
                    .draws = 0,
                    .named = {}};
  std::vector<KernelMutation> all;
  std::map<std::string, std::string> sources;
  for (const std::string& file : sources_of(files, root)) {
    const std::string source = read_text(root / file);
    std::vector<KernelMutation> some = kernel_mutations_of(file, source);
    all.insert(all.end(), some.begin(), some.end());
    sources[base_name_of(file)] = source;
  }
  const std::map<std::string, std::set<std::string>> included = inclusions(sources);
  for (KernelMutation& m : all) {
    const std::string changed = base_name_of(m.change.file);
    for (const auto& [name, others] : included) {
      if (others.count(changed) != 0) m.includers.insert(name);
      if (name == changed) m.included = others;
    }
  }
  return all;
}

std::vector<KernelMutation> shuffled(std::vector<KernelMutation> all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::shuffle(all.begin(), all.end(), random);
  std::map<std::string, std::deque<KernelMutation>> by_rule;
  for (KernelMutation& m : all) by_rule[m.change.rule].push_back(std::move(m));
  std::vector<KernelMutation> order;
  while (order.size() < all.size()) {
    for (const std::string& rule : kernel_rules()) {
      std::deque<KernelMutation>& left = by_rule[rule];
      if (left.empty()) continue;
      order.push_back(std::move(left.front()));
      left.pop_front();
    }
  }
  return order;
}

}  // namespace tvp::mutation
