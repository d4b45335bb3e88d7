#include "platform/system/galaxy_board.h"

namespace tvp::platform {

std::optional<std::string> GalaxyBoard::complaint(const Topology& topology) const {
  if (topology.kind() != Topology::Kind::kStar && topology.shape().size() <= 2) return std::nullopt;
  return "a line, a ring, or a mesh or torus of one or two axes";
}

std::vector<std::vector<unsigned>> GalaxyBoard::boards(const Topology& topology) const {
  const unsigned across = (topology.columns() + kTrayColumns - 1) / kTrayColumns;
  const unsigned down = (topology.rows() + kTrayRows - 1) / kTrayRows;
  std::vector<std::vector<unsigned>> boards(across * down);
  for (unsigned position = 0; position < topology.size(); ++position) {
    const unsigned tray =
        topology.row(position) / kTrayRows * across + topology.column(position) / kTrayColumns;
    boards[tray].push_back(position);
  }
  return boards;
}

std::vector<unsigned> GalaxyBoard::channels(const Topology& topology, const TopologyEdge& edge,
                                            unsigned position, unsigned) const {
  const bool along_row = edge.axis + 1 == topology.shape().size();
  const unsigned tray =
      along_row ? topology.column(position) / kTrayColumns : topology.row(position) / kTrayRows;
  // An edge leads from `a` right or down, also if it wraps. In a mirrored tray the rim is on that
  // side.
  const bool towards_rim = (position == edge.a) == (tray % 2 == 1);
  unsigned first = towards_rim ? 0 : 12;
  if (along_row) first = towards_rim ? 4 : 8;
  return {first, first + 1, first + 2, first + 3};
}

}  // namespace tvp::platform
