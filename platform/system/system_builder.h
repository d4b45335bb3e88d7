#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "platform/system/system_layer.h"

namespace tvp::platform {

/// Builds a system from its files: expands the topology, applies the listed chips and links, and
/// checks chips, links and devices against each other.
class SystemBuilder {
 public:
  /// `chosen`: settings of the caller that the shape of the chips can depend on.
  SystemBuilder(const SystemLayer& layer, const SettingOverrides& chosen)
      : layer_(layer), chosen_(chosen) {}

  SystemDescription build();

 private:
  void place_chips(const SystemLayer::Graph& graph);
  void join_neighbours(const SystemLayer::Graph& graph);
  void join(const SystemLayer::Graph& graph, const TopologyEdge& edge);
  unsigned free_channel(const SystemLayer::Graph& graph, const TopologyEdge& edge,
                        unsigned position) const;
  void add_chips();
  ChipDescription& chip_of(const SystemLayer::Chip& entry);
  void check_pci_devices() const;
  void check_host_chips() const;
  void add_links();
  void check_end(const LinkEnd& end, const std::string& where) const;
  void add_devices();

  const SystemLayer& layer_;
  const SettingOverrides& chosen_;
  SystemDescription system_;
  std::set<std::pair<unsigned, unsigned>> used_;  ///< chip and channel
  std::map<unsigned, std::string> listed_;        ///< line of each chip in the file, by id
};

}  // namespace tvp::platform
