#include "platform/system/free_board.h"

#include <numeric>

namespace tvp::platform {

std::vector<std::vector<unsigned>> FreeBoard::boards(const Topology& topology) const {
  std::vector<std::vector<unsigned>> boards;
  for (unsigned position = 0; position < topology.size(); ++position) boards.push_back({position});
  return boards;
}

std::vector<unsigned> FreeBoard::channels(const Topology&, const TopologyEdge&, unsigned,
                                          unsigned channels) const {
  std::vector<unsigned> all(channels);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace tvp::platform
