#pragma once

#include <cstdint>

#include "models/riscv/core_config.h"

namespace tvp::riscv {

/// How the predictor of each branch, a state of 0 to 3 that is kept with its instruction, changes
/// with what the branch does, and what a wrong prediction costs. The law is assumed.
class BranchPredictor {
 public:
  void configure(const CoreConfig& config) {
    const bool perfect = config.branch_predictor == "perfect";
    learns_ = config.branch_predictor == "two_bit";
    penalty_ = perfect ? 0 : config.mispredict_bubble.value();
    for (unsigned p = 0; p < 4; ++p) {
      next_[0][p] = static_cast<std::uint8_t>(learns_ && p > 0 ? p - 1 : p);
      next_[1][p] = static_cast<std::uint8_t>(learns_ && p < 3 ? p + 1 : p);
    }
  }
  static bool predicts_taken(std::uint8_t predictor) { return predictor >= 2; }
  std::uint8_t learned(bool taken, std::uint8_t predictor) const { return next_[taken][predictor]; }
  std::uint32_t penalty() const { return penalty_; }
  bool learns() const { return learns_; }

 private:
  std::uint32_t penalty_ = 2;
  std::uint8_t next_[2][4] = {};
  bool learns_ = true;
};

}  // namespace tvp::riscv
