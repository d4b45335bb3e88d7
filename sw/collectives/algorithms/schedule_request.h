#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// Ranks that stand beside each other, and what is done among them.
struct Tier {
  std::uint32_t size = 1;
  std::string algorithm = "ring";
};

/// What a builder is asked for.
struct ScheduleRequest {
  Primitive primitive = Primitive::kAllReduce;
  std::uint32_t ranks = 0;
  std::uint32_t root = 0;
  std::uint32_t peer = 1;  ///< receiver of send_recv
  /// Pieces of what one message of the plain algorithm carries, P, that follow each other.
  std::uint32_t segments = 1;
  /// Ranks in the order in which a chain or ring goes through them; empty: 0, 1, 2, …
  std::vector<std::uint32_t> order = {};
  /// Side by side on channels of their own, the segments dealt out among them.
  std::uint32_t channels = 1;
  /// Every other channel goes round the other way.
  bool both_ways = false;
  bool average = false;
  /// A form of the algorithm, one of those that it names; empty: the first of them.
  std::string variant = {};
  /// Chunks that `pat` may hold for others; 0: as many as it likes.
  std::uint32_t buffer = 0;
  /// Of `hierarchy`, the outermost first; rank numbers count through the last one first.
  std::vector<Tier> tiers = {};
};

}  // namespace tvp::collectives
