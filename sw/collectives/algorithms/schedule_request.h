#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// A group of neighboring ranks, and the algorithm among them.
struct Tier {
  std::uint32_t size = 1;
  std::string algorithm = "ring";
};

/// The request for a schedule.
struct ScheduleRequest {
  Primitive primitive = Primitive::kAllReduce;
  std::uint32_t ranks = 0;
  std::uint32_t root = 0;
  std::uint32_t peer = 1;  ///< receiver of send_recv
  /// Number P of consecutive segments. A message of the plain algorithm is divided into as many.
  std::uint32_t segments = 1;
  /// Ranks in the order in which a chain or ring goes through them; empty: 0, 1, 2, …
  std::vector<std::uint32_t> order = {};
  /// Parallel channels, over which the segments are distributed.
  std::uint32_t channels = 1;
  /// Every second channel goes round in the other direction.
  bool both_ways = false;
  bool average = false;
  /// A variant of the algorithm, one of its variants(); empty for the default.
  std::string variant = {};
  /// Chunks that `pat` may store for other ranks; 0: no limit.
  std::uint32_t buffer = 0;
  /// Tiers of `hierarchy`, the outermost first. Rank numbers count through the last tier first.
  std::vector<Tier> tiers = {};
};

}  // namespace tvp::collectives
