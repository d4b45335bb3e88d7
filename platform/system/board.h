#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/system/topology.h"

namespace tvp::platform {

/// How the chips of a kind of board are wired, numbered and harvested. It applies if a description
/// only names a topology.
class Board {
 public:
  virtual ~Board() = default;
  virtual std::string name() const = 0;
  /// The board's name in tt-umd's cluster descriptors.
  virtual std::string type() const = 0;
  /// The expected topology, if boards of this kind cannot form the given one.
  virtual std::optional<std::string> complaint(const Topology& topology) const = 0;
  /// Id of the chip at a position; a permutation of 0 … size-1.
  virtual unsigned chip_at(const Topology& topology, unsigned position) const = 0;
  /// Positions of the chips that sit on one board, for each board.
  virtual std::vector<std::vector<unsigned>> boards(const Topology& topology) const = 0;
  /// Channels that the chip at `position`, one of the edge's two, can use for this edge. The first
  /// free ones are taken. `channels`: how many the chip has.
  virtual std::vector<unsigned> channels(const Topology& topology, const TopologyEdge& edge,
                                         unsigned position, unsigned channels) const = 0;
  virtual unsigned links_per_edge() const = 0;
  /// Mask of each chip if the description gives none.
  virtual std::uint32_t harvest_mask() const = 0;
};

/// Null if there is no such board.
std::unique_ptr<Board> make_board(const std::string& name);
std::string board_names();

}  // namespace tvp::platform
