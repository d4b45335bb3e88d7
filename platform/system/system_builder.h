#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "platform/system/system_layer.h"

namespace tvp::platform {

/// Makes a system of what its files say: builds the topology, changes and adds what is listed by
/// hand, and holds chips, links and devices to each other.
class SystemBuilder {
 public:
  /// `chosen`: settings of the caller's, on which the shape of the chips can depend.
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
  void add_links();
  void check_end(const LinkEnd& end, const std::string& where) const;
  void add_devices();

  const SystemLayer& layer_;
  const SettingOverrides& chosen_;
  SystemDescription system_;
  std::set<std::pair<unsigned, unsigned>> used_;  ///< chip and channel
  std::map<unsigned, std::string> listed_;        ///< where a chip stands, by its id
};

}  // namespace tvp::platform
