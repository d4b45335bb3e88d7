#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace tvp::foundation {

/// A TOML file whose errors (Fault(kDescription)) name file, line, key and what was expected.
///
/// A reader asks for each key by name and finally lists the allowed keys, so that no key is
/// ignored.
class TomlSource {
 public:
  explicit TomlSource(std::string file);
  /// Parses `text`; errors call it `name`.
  static TomlSource of_text(std::string name, const std::string& text);

  const std::string& file() const { return file_; }
  const toml::table& root() const { return root_; }
  /// "file:line".
  std::string place(const toml::node& node) const;
  [[noreturn]] void fail(const toml::node& node, const std::string& message) const;

  /// The integer at `key`, which is required.
  std::uint64_t integer(const toml::table& table, const std::string& key, std::uint64_t least,
                        std::uint64_t most) const;
  std::optional<std::uint64_t> optional_integer(const toml::table& table, const std::string& key,
                                                std::uint64_t least, std::uint64_t most) const;
  /// The text at `key`, which is required. `expected` completes "key: expected …".
  std::string text(const toml::table& table, const std::string& key,
                   const std::string& expected) const;
  std::optional<std::string> optional_text(const toml::table& table, const std::string& key,
                                           const std::string& expected) const;
  /// The text of a setting's value: a number, a name, or true or false.
  std::string setting_text(const toml::node& node, const std::string& key) const;
  /// The tables [[key]] at `node`.
  const toml::array& tables(const toml::node& node, const std::string& key) const;
  /// Refuses all other keys. `tables_as` names the tables that are allowed besides, for the
  /// message; "": none.
  void allow_only(const toml::table& table, const std::vector<std::string>& keys,
                  const std::string& what, const std::string& tables_as = "") const;

 private:
  TomlSource(std::string file, const std::function<toml::table()>& parse);

  std::string file_;
  toml::table root_;
};

}  // namespace tvp::foundation
