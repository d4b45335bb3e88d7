#pragma once

#include "platform/system/board.h"

namespace tvp::platform {

/// Trays of 2 x 4 chips; four trays make a Galaxy of 4 x 8. Every chip is in a PCI Express slot and
/// has all its rows.
/// Four channels lead in each direction, as in the public cluster descriptor of a Galaxy (tt-umd
/// tests/cluster_descriptor_examples). In a tray, 0 to 3 lead up, 12 to 15 down, 4 to 7 left, 8 to
/// 11 right. Every second tray of a row or column is mirrored, so that trays meet with the same
/// channels.
/// Two rules are assumed. The wraps of a torus use the channels at the rim, which that descriptor
/// leaves free. Chips are numbered row by row; the descriptor has the order in which its host found
/// them.
class GalaxyBoard : public Board {
 public:
  static constexpr unsigned kTrayRows = 2;
  static constexpr unsigned kTrayColumns = 4;

  std::string name() const override { return "galaxy"; }
  std::string type() const override { return "ubb"; }
  std::optional<std::string> complaint(const Topology& topology) const override;
  unsigned chip_at(const Topology&, unsigned position) const override { return position; }
  std::vector<std::vector<unsigned>> boards(const Topology& topology) const override;
  std::vector<unsigned> channels(const Topology& topology, const TopologyEdge& edge,
                                 unsigned position, unsigned channels) const override;
  unsigned links_per_edge() const override { return 4; }
  std::uint32_t harvest_mask() const override { return 0; }
};

}  // namespace tvp::platform
