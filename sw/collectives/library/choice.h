#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::collectives {

/// The expected time of one algorithm.
struct Estimate {
  std::string algorithm;
  std::uint32_t segments = 1;
  double time_ns = 0;
  bool measured = false;  ///< from the tuner's table; otherwise from alpha and beta
  // These are set if the estimate is computed from costs (CostProfile).
  double n_alpha = 0;
  double n_beta = 0;
  double n_gamma = 0;
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
