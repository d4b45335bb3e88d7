#pragma once
// Arguments of a compiled collective: the host writes them into working memory before the start,
// and reads the times after the end. Both sides are little-endian and lay the structures out alike.

#include <cstdint>

#include "firmware/collectives/layout.h"

namespace tvp::firmware::collectives {

enum class Kind : std::uint32_t { kAllReduce, kBroadcast, kReduceScatter, kAllGather, kAllToAll };

inline constexpr std::uint32_t kNoLevel = 0xFFFFFFFF;

struct Arguments {
  std::uint32_t kind = 0;    ///< Kind
  std::uint32_t bytes = 0;   ///< size of the whole vector, a multiple of kWordBytes
  std::uint32_t input = 0;   ///< bank address of this rank's operand
  std::uint32_t output = 0;  ///< bank address of its result
  /// Bank address of two areas of `bytes` plus a word a rank each; hierarchical forms only.
  std::uint32_t scratch = 0;
  std::uint32_t root = 0;         ///< rank that has the vector of a broadcast
  std::uint32_t tree_shape = 0;   ///< TreeShape
  std::uint32_t tree_flow = 0;    ///< TreeFlow
  std::uint32_t barriers = 0;     ///< units meet after every step instead of counting credits
  std::uint32_t as_written = 0;   ///< the document's all-reduce
  std::uint32_t level_count = 1;  ///< 1 is the flat form
  std::uint32_t level_sizes[kMaxLevels] = {1, 1, 1, 1};
  /// The level that the switch between the chips of a rank executes; all-reduce and broadcast only.
  std::uint32_t switch_level = kNoLevel;
  /// Member of the group at each position of its ring, one level behind the other.
  std::uint16_t rings[kMaxRanks + kMaxLevels] = {};
  std::uint16_t units[kMaxRanks] = {};  ///< unit of each rank
  /// Phases of each level. A broadcast has one list for all levels, at level 0.
  std::uint16_t phase_counts[kMaxLevels] = {};
  Phase phases[kMaxPhases] = {};  ///< phases of this unit, level after level
};

/// Cycles of the unit's clock.
struct Times {
  std::uint64_t begin = 0;      ///< the barrier before the collective was passed
  std::uint64_t scattered = 0;  ///< end of the reduce-scatter phase of an all-reduce
  std::uint64_t end = 0;        ///< the result is in the bank
};

}  // namespace tvp::firmware::collectives
