#include "platform/system/n300_board.h"

namespace tvp::platform {

std::optional<std::string> N300Board::complaint(const Topology& topology) const {
  const bool grid =
      topology.kind() == Topology::Kind::kLine || topology.kind() == Topology::Kind::kMesh;
  if (grid && topology.shape().size() <= 2 && topology.rows() <= 2 &&
      (topology.columns() == 2 || topology.columns() == 4)) {
    return std::nullopt;
  }
  return "a line of 2 or 4 chips, or a mesh of 1 or 2 rows and 2 or 4 columns of n300 boards";
}

bool N300Board::is_left(const Topology& topology, unsigned position) {
  const unsigned column = topology.column(position);
  return topology.columns() == 2 ? column == 0 : column == 1 || column == 2;
}

unsigned N300Board::chip_at(const Topology& topology, unsigned position) const {
  // Chips of the same side in earlier columns, then those above.
  unsigned before = 0;
  for (unsigned other = 0; other < topology.column(position); ++other) {
    if (is_left(topology, other) == is_left(topology, position)) ++before;
  }
  const unsigned of_side = before * topology.rows() + topology.row(position);
  return is_left(topology, position) ? of_side : topology.size() / 2 + of_side;
}

std::vector<std::vector<unsigned>> N300Board::boards(const Topology& topology) const {
  std::vector<std::vector<unsigned>> boards;
  for (unsigned left = 0; left < topology.size(); left += 2) {
    const bool mirrored = !is_left(topology, left);
    boards.push_back(mirrored ? std::vector<unsigned>{left + 1, left}
                              : std::vector<unsigned>{left, left + 1});
  }
  return boards;
}

std::vector<unsigned> N300Board::channels(const Topology& topology, const TopologyEdge& edge,
                                          unsigned position, unsigned) const {
  const bool left = is_left(topology, position);
  if (topology.row(edge.a) != topology.row(edge.b)) {
    return left ? std::vector<unsigned>{14, 15} : std::vector<unsigned>{6, 7};
  }
  const bool same_board = topology.column(edge.a) / 2 == topology.column(edge.b) / 2;
  if (same_board) return left ? std::vector<unsigned>{8, 9} : std::vector<unsigned>{0, 1};
  return topology.row(edge.a) == 0 ? std::vector<unsigned>{6, 7} : std::vector<unsigned>{0, 1};
}

}  // namespace tvp::platform
