#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"

namespace YAML {
class Node;
}

namespace tvp::platform {

/// Reads a SoC descriptor of tt-umd as a chip. Nodes and sizes of memories come from the file;
/// windows, local memories and clocks are Wormhole's.
class SocDescriptorReader {
 public:
  /// `wormhole`: the chip that provides everything else.
  SocDescriptorReader(std::string file, foundation::ChipSpec wormhole);

  /// Returns a checked chip. Throws Fault(kDescription) with file, line, key and the expected
  /// value.
  foundation::ChipSpec read();

 private:
  void read_sizes(const YAML::Node& root);
  void read_workers(const YAML::Node& root);
  void read_dram(const YAML::Node& root);
  void read_dram_views(const YAML::Node& root);
  foundation::ChipNode single_node(const YAML::Node& root, const std::string& key);
  std::vector<foundation::ChipNode> nodes(const YAML::Node& list, const std::string& key) const;
  YAML::Node required(const YAML::Node& root, const std::string& key,
                      const std::string& expected) const;
  std::uint64_t number(const YAML::Node& node, const std::string& key) const;
  /// Records the line of `spec_key`, a key of our descriptions, for error messages.
  void stands(const std::string& spec_key, const YAML::Node& node);
  std::string place(const YAML::Node& node) const;
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

  std::string file_;
  foundation::ChipSpec spec_;
};

}  // namespace tvp::platform
