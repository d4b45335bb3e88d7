#include "tests/mutation/toml_texts.h"

namespace tvp::mutation {

std::vector<std::string> texts(const foundation::TomlSource& source, const toml::table& table,
                               const char* key) {
  std::vector<std::string> all;
  const toml::array* array = table[key].as_array();
  if (array == nullptr) source.fail(table, std::string(key) + ": expected an array of texts");
  for (const toml::node& node : *array) {
    const auto text = node.value<std::string>();
    if (!text) source.fail(node, std::string(key) + ": expected a text");
    all.push_back(*text);
  }
  return all;
}

std::string text(const foundation::TomlSource& source, const toml::table& table, const char* key) {
  const auto value = table[key].value<std::string>();
  if (!value) source.fail(table, std::string(key) + ": expected a text");
  return *value;
}

Survivor::Kind survivor_kind(const foundation::TomlSource& source, const toml::table& table) {
  const std::string name = text(source, table, "kind");
  for (const Survivor::Kind kind : {Survivor::Kind::kEquivalent, Survivor::Kind::kFree})
    if (name == name_of(kind)) return kind;
  source.fail(table, "kind: expected equivalent or free, not '" + name + "'");
}

}  // namespace tvp::mutation
