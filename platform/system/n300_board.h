#pragma once

#include "platform/system/board.h"

namespace tvp::platform {

/// Boards of two chips, the left one in the PCI Express slot. Four boards in two rows make a T3000.
/// Wiring, numbers and harvesting are those of the public cluster descriptors (tt-umd
/// tests/cluster_descriptor_examples).
/// On a board, channels 8 and 9 of the left chip lead to 0 and 1 of the right chip. Left chips of a
/// column meet with 14 and 15, right chips with 6 and 7. Left chips of a row meet with 6 and 7 in
/// the first row, and with 0 and 1 in the second. Boards lie mirrored (right-left-left-right), so
/// that the left chips are in the middle. A single board is left-right.
/// Left chips have the low ids, column by column; the right chips follow. Every chip lacks rows 11
/// and 5, as half of the chips of the public T3000 do. There, the other chips lack other rows.
class N300Board : public Board {
 public:
  std::string name() const override { return "n300"; }
  std::string type() const override { return "n300"; }
  std::optional<std::string> complaint(const Topology& topology) const override;
  unsigned chip_at(const Topology& topology, unsigned position) const override;
  std::vector<std::vector<unsigned>> boards(const Topology& topology) const override;
  std::vector<unsigned> channels(const Topology& topology, const TopologyEdge& edge,
                                 unsigned position, unsigned channels) const override;
  unsigned links_per_edge() const override { return 2; }
  std::uint32_t harvest_mask() const override { return 0x201; }

 private:
  static bool is_left(const Topology& topology, unsigned position);
};

}  // namespace tvp::platform
