#pragma once

#include <string>
#include <vector>

#include "foundation/toml_source.h"
#include "tests/mutation/plan.h"

namespace tvp::mutation {

// Keys of plan.toml and firmware.toml. They throw Fault(kDescription) with file and line.

std::vector<std::string> texts(const foundation::TomlSource& source, const toml::table& table,
                               const char* key);
std::string text(const foundation::TomlSource& source, const toml::table& table, const char* key);
/// The key "kind" of an explained change.
Survivor::Kind survivor_kind(const foundation::TomlSource& source, const toml::table& table);

/// Visits the tables of an array; a missing array is empty.
template <typename Visit>
void each_table(const toml::table& table, const char* key, Visit visit) {
  const toml::array* array = table[key].as_array();
  if (array == nullptr) return;
  for (const toml::node& node : *array)
    if (const toml::table* entry = node.as_table()) visit(*entry);
}

}  // namespace tvp::mutation
