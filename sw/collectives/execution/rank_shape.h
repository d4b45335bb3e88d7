#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::collectives {

/// The ranks of a machine and their links, as far as a schedule depends on them.
struct RankShape {
  std::uint32_t ranks = 0;
  std::string topology;             ///< "ring of 4"
  std::string links_like;           ///< the most similar ideal topology (topology_named)
  std::vector<std::uint32_t> ring;  ///< all ranks so that neighbors are near; empty: as they are
  /// The most memory that a rank has for its program.
  std::uint32_t memory_bytes = ~std::uint32_t{0};
};

}  // namespace tvp::collectives
