#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/library/cost_profile.h"

namespace tvp::collectives {

/// The expected time of one algorithm.
struct Estimate {
  std::string algorithm;
  std::uint32_t segments = 1;
  double time_ns = 0;
  bool measured = false;  ///< with this size
  CostWork work = {};     ///< none if the time is a line of the tuner's table
  // These are set if the time is not measured.
  double worst_factor = 1;   ///< the time may differ by this factor
  std::string refusal = {};  ///< reason why the algorithm cannot run; the figures are then 0
};

/// The algorithm of a call, and the reason for it.
struct Choice {
  std::string algorithm;
  std::uint32_t segments = 1;
  std::string reason;                ///< one sentence
  std::vector<Estimate> candidates;  ///< the fastest first, refused ones last

  std::string text() const;  ///< the reason, then a line for each candidate
};

}  // namespace tvp::collectives
