#pragma once

#include "platform/system/board.h"

namespace tvp::platform {

/// One chip per board with free cabling: a link takes the lowest free channel at each end. The rule
/// is assumed; no product is wired like this. Chips have all their rows.
class FreeBoard : public Board {
 public:
  std::string name() const override { return "free"; }
  std::string type() const override { return "n150"; }
  std::optional<std::string> complaint(const Topology&) const override { return std::nullopt; }
  unsigned chip_at(const Topology&, unsigned position) const override { return position; }
  std::vector<std::vector<unsigned>> boards(const Topology& topology) const override;
  std::vector<unsigned> channels(const Topology& topology, const TopologyEdge& edge,
                                 unsigned position, unsigned channels) const override;
  unsigned links_per_edge() const override { return 1; }
  std::uint32_t harvest_mask() const override { return 0; }
};

}  // namespace tvp::platform
