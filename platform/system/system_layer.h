#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/system/board.h"
#include "platform/system/system_description.h"
#include "platform/system/topology.h"

namespace tvp::platform {

/// The content of a description's file and of the files that it extends. Names and numbers are well
/// formed, and each has its place ("file:line"). Consistency is not checked yet.
struct SystemLayer {
  /// [topology].
  struct Graph {
    Topology topology;
    std::shared_ptr<const Board> board;
    unsigned links = 0;  ///< per edge
    std::string kind;    ///< name or file of the chips' description
    std::string kind_where;
    std::uint32_t harvest_mask = 0;
    std::string harvested_where;
    std::string harvest_key;
    std::string shape_where;
    std::string links_where;
  };
  /// [[chip]]; for a chip of a topology it changes the named values.
  struct Chip {
    unsigned id = 0;
    std::optional<std::string> kind;
    std::string kind_where;
    std::optional<unsigned> pci_device;
    std::optional<unsigned> host_chip;
    std::string host_chip_where;
    std::optional<std::uint32_t> harvest_mask;
    std::string harvested_where;
    std::string harvest_key;
    SettingOverrides settings;
    std::string where;
  };
  /// [[link]].
  struct Link {
    LinkDescription link;
    std::string where;
    std::string a_where;
    std::string b_where;
  };
  struct Device {
    unsigned chip = 0;
    std::string where;
  };

  std::string name;
  std::string kind = "wormhole";
  std::string kind_where;
  std::optional<Graph> graph;
  std::vector<Chip> chips;
  std::vector<Link> links;
  std::vector<Device> devices;
  SettingOverrides settings;
};

}  // namespace tvp::platform
