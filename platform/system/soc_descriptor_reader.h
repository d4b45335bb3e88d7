#pragma once

#include <map>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"

namespace YAML {
class Node;
}

namespace tvp::platform {

/// Reads a SoC descriptor of tt-umd's as a chip: nodes and sizes of memories from the file, what it
/// does not say (windows, local memories, clocks) as on a Wormhole.
class SocDescriptorReader {
 public:
  /// `wormhole`: whom the chip resembles.
  SocDescriptorReader(std::string file, foundation::ChipSpec wormhole);

  /// A chip that is possible; throws Fault(kDescription) with file, line, key and what was
  /// expected.
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
  /// Where complaints about `spec_key`, a key of our descriptions, point.
  void stands(const std::string& spec_key, const YAML::Node& node);
  std::string place(const YAML::Node& node) const;
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const;

  std::string file_;
  foundation::ChipSpec spec_;
};

}  // namespace tvp::platform
