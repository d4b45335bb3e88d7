#include "tests/mutation/firmware_plan.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>

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
  for (const std::string& file : sources_of(files, root)) {
    std::vector<KernelMutation> some = kernel_mutations_of(file, read_text(root / file));
    all.insert(all.end(), some.begin(), some.end());
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
