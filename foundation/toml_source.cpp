#include "foundation/toml_source.h"

#include <algorithm>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::foundation {

namespace {

/// toml++ limits the nesting of arrays and inline tables, but not the number of parts of a dotted
/// key, which it destroys recursively.
constexpr unsigned kMostParts = 256;

/// Position behind the quoted text that begins at `at`.
std::size_t end_of_quotes(const std::string& text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_form = text.compare(at, 3, three) == 0;
  for (std::size_t i = at + (long_form ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (long_form ? text.compare(i, 3, three) == 0 : text[i] == quote || text[i] == '\n') {
      return i + (long_form ? 3 : 1);
    }
  }
  return text.size();
}

toml::table parse_text(const std::string& file, const std::string& text) {
  unsigned parts = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      i = end_of_quotes(text, i);
      continue;
    }
    if (c == '.' && ++parts > kMostParts) {
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(i);
      throw Fault(FaultKind::kDescription,
                  file + ":" + std::to_string(1 + std::count(text.begin(), end, '\n')),
                  "a key of more than " + std::to_string(kMostParts) + " parts");
    }
    if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos) parts = 1;
    ++i;
  }
  return toml::parse(text);
}

}  // namespace

TomlSource::TomlSource(std::string file)
    : TomlSource(file, [&] { return parse_text(file, read_input_file(file)); }) {}

TomlSource TomlSource::of_text(std::string name, const std::string& text) {
  return {name, [&] { return parse_text(name, text); }};
}

TomlSource::TomlSource(std::string file, const std::function<toml::table()>& parse)
    : file_(std::move(file)) {
  try {
    root_ = parse();
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw Fault(FaultKind::kDescription, line == 0 ? file_ : file_ + ":" + std::to_string(line),
                std::string(error.description()));
  }
}

std::string TomlSource::place(const toml::node& node) const {
  const auto line = node.source().begin.line;
  return line == 0 ? file_ : file_ + ":" + std::to_string(line);
}

void TomlSource::fail(const toml::node& node, const std::string& message) const {
  throw Fault(FaultKind::kDescription, place(node), message);
}

std::uint64_t TomlSource::integer(const toml::table& table, const std::string& key,
                                  std::uint64_t least, std::uint64_t most) const {
  const auto value = optional_integer(table, key, least, most);
  if (!value) {
    fail(table, "missing " + key + ": expected an integer " + std::to_string(least) + ".." +
                    std::to_string(most));
  }
  return *value;
}

std::optional<std::uint64_t> TomlSource::optional_integer(const toml::table& table,
                                                          const std::string& key,
                                                          std::uint64_t least,
                                                          std::uint64_t most) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < least ||
      static_cast<std::uint64_t>(*value) > most) {
    fail(*node,
         key + ": expected an integer " + std::to_string(least) + ".." + std::to_string(most));
  }
  return static_cast<std::uint64_t>(*value);
}

std::string TomlSource::text(const toml::table& table, const std::string& key,
                             const std::string& expected) const {
  const auto value = optional_text(table, key, expected);
  if (!value) fail(table, "missing " + key + ": expected " + expected);
  return *value;
}

std::optional<std::string> TomlSource::optional_text(const toml::table& table,
                                                     const std::string& key,
                                                     const std::string& expected) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  auto value = node->value_exact<std::string>();
  if (!value) fail(*node, key + ": expected " + expected);
  return value;
}

std::string TomlSource::setting_text(const toml::node& node, const std::string& key) const {
  if (const auto i = node.value_exact<std::int64_t>()) return std::to_string(*i);
  if (const auto d = node.value_exact<double>()) {
    std::ostringstream s;
    s << *d;
    return s.str();
  }
  if (const auto b = node.value_exact<bool>()) return *b ? "true" : "false";
  if (const auto s = node.value_exact<std::string>()) return *s;
  fail(node, key + ": expected a number, a name or true/false");
}

const toml::array& TomlSource::tables(const toml::node& node, const std::string& key) const {
  const toml::array* array = node.as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) {
    fail(node, key + ": expected [[" + key + "]] tables");
  }
  return *array;
}

void TomlSource::allow_only(const toml::table& table, const std::vector<std::string>& keys,
                            const std::string& what, const std::string& tables_as) const {
  for (const auto& [key, node] : table) {
    if (!tables_as.empty() && node.is_table()) continue;
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    std::string known;
    for (const auto& k : keys) known += (known.empty() ? "" : ", ") + k;
    fail(node, "unknown key '" + std::string(key.str()) + "' of " + what + ": expected one of " +
                   known + (tables_as.empty() ? "" : " " + tables_as));
  }
}

}  // namespace tvp::foundation
