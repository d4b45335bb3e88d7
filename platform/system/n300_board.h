#pragma once

#include "platform/system/board.h"

namespace tvp::platform {

/// Boards of two chips, of which the left one is in the PCI Express slot; four of them, in two
/// rows, make a T3000. Wiring, numbers and harvesting are those of the public cluster descriptors
/// of an n300 and of a T3000 (tt-umd tests/cluster_descriptor_examples): the left chip's channels
/// 8 and 9 lead to the right chip's 0 and 1; left chips of a column meet by 14 and 15, right ones
/// by 6 and 7; left chips of a row by 6 and 7 in the first row and by 0 and 1 in the second. Boards
/// lie mirrored, right-left-left-right, so that the left chips are in the middle; a single board is
/// left-right.
///
/// Left chips have the low ids, column by column, then come the right ones. Every chip lacks two
/// rows: rows 11 and 5, as half of those of the public T3000; the others differ from chip to chip.
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
  std::uint32_t harvested_rows() const override { return 0x201; }

 private:
  static bool is_left(const Topology& topology, unsigned position);
};

}  // namespace tvp::platform
