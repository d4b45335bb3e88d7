#include "tests/layers/layer_check.h"

#include <set>

namespace tvp::layers {

namespace {

/// External libraries with restricted use, by the beginning of the included name.
std::string library_of(const std::string& spelled) {
  constexpr struct {
    const char* prefix;
    const char* library;
  } kLibraries[] = {
      {"systemc", "<systemc>"},     {"sysc/", "<systemc>"},      {"tlm", "<systemc>"},
      {"verilated", "<verilator>"}, {"V", "<verilator>"},        {"gtest/", "<gtest>"},
      {"nlohmann/", "<json>"},      {"toml++/", "<toml>"},       {"yaml-cpp/", "<yaml>"},
      {"pugixml.hpp", "<pugixml>"}, {"CLI/", "<cli11>"},         {"libelf", "<elfutils>"},
      {"gelf", "<elfutils>"},       {"elfutils/", "<elfutils>"}, {"xxhash", "<xxhash>"},
      {"xbyak/", "<xbyak>"},        {"hwy/", "<highway>"},       {"mpi.h", "<mpi>"}};
  for (const auto& known : kLibraries) {
    if (spelled.starts_with(known.prefix)) return known.library;
  }
  return {};
}

}  // namespace

LayerCheck check_layers(const ArrowTable& table, const IncludeGraph& graph) {
  LayerCheck check;
  std::set<std::string> used;
  for (const auto& [file, includes] : graph.files()) {
    const std::string from = table.block_of(file);
    if (from.empty()) {
      check.forbidden.push_back(file + ": is in no block of the table of arrows");
      continue;
    }
    for (const auto& include : includes) {
      const std::string to =
          include.resolved.empty() ? library_of(include.spelled) : table.block_of(include.resolved);
      if (to.empty() || to == from) continue;
      used.insert(from + " -> " + to);
      if (table.allows(from, to)) continue;
      check.forbidden.push_back(file + ":" + std::to_string(include.line) + ": includes " +
                                include.spelled + ", but there is no arrow " + from + " -> " + to);
    }
  }
  for (const auto& [from, all] : table.arrows()) {
    for (const std::string& to : all) {
      if (to != "*" && !used.contains(from + " -> " + to))
        check.unused.push_back(from + " -> " + to);
    }
  }
  return check;
}

}  // namespace tvp::layers
