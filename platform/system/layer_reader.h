#pragma once

#include <string>

#include "foundation/toml_source.h"
#include "platform/system/system_layer.h"

namespace tvp::platform {

/// Reads a file and those that it extends. Unknown keys are errors.
class LayerReader {
 public:
  /// Systems to extend are searched beside the file and in `folder`. `depth`: number of files that
  /// extend each other down to this one.
  LayerReader(std::string file, std::string folder, unsigned depth = 0);

  SystemLayer read();

 private:
  static constexpr unsigned kMostDepth = 8;

  void read_base(const toml::node& base);
  void read_names();
  void read_topology(const toml::node& node);
  /// The key of a harvest mask, and the mask; "" if the table has none.
  std::pair<std::string, std::uint32_t> read_harvest(const toml::table& table);
  std::vector<unsigned> read_shape(const toml::table& table, Topology::Kind kind);
  void read_chips(const toml::node& node);
  SystemLayer::Chip read_chip(const toml::table& table);
  void read_links(const toml::node& node);
  LinkEnd read_end(const toml::table& link, const char* key, std::string& where);
  void read_devices(const toml::node& node);
  void read_groups();
  void read_settings(const std::string& group, const toml::table& table,
                     SettingOverrides& settings);
  /// Resolves a path from the working directory, or else from the file's folder.
  std::string beside(const std::string& path) const;

  foundation::TomlSource source_;
  std::string folder_;
  unsigned depth_;
  SystemLayer layer_;
};

}  // namespace tvp::platform
