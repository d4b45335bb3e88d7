#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tvp::collectives {

/// What one algorithm would take.
struct Estimate {
  std::string algorithm;
  std::uint32_t segments = 1;
  double time_ns = 0;
  bool measured = false;  ///< from the tuner's table; otherwise from alpha and beta
  // Of an estimate that was not measured (CostProfile).
  double n_alpha = 0;
  double n_beta = 0;
  double n_gamma = 0;
  std::string refusal = {};  ///< why it is none; the figures are 0 then
};

/// Which algorithm a call takes, and why.
struct Choice {
  std::string algorithm;
  std::uint32_t segments = 1;
  std::string reason;                ///< one sentence
  std::vector<Estimate> candidates;  ///< the fastest first, refused ones last

  std::string text() const;  ///< the reason, then a line for each candidate
};

}  // namespace tvp::collectives
