#pragma once

#include <cstdint>

#include "models/riscv/core_config.h"

namespace tvp::riscv {

/// A buffer of a core's latest branches and jumps and their targets. An absent one is predicted to
/// fall through. A present one is predicted by a two-bit counter, or, if indirect, to go to its
/// last target. A new one replaces the oldest, whether taken or not. Measured: 64 branches that are
/// never taken make the core forget the one before them, and ISA BabyRISCV/InstructionRAM.md
/// overwrites the whole history with 14 pairs of them.
///
/// There is no table. Each instruction keeps the number of its entry, and is in the buffer while
/// fewer instructions than its capacity have entered since. `prediction` is four times that number
/// plus the counter.
class BranchPredictor {
 public:
  /// Distance between two entries.
  static constexpr std::uint32_t kStep = 4;

  void configure(const CoreConfig& config) {
    law_ = config.branch_predictor == "two_bit"          ? Law::kTwoBit
           : config.branch_predictor == "backward_taken" ? Law::kBackwardTaken
                                                         : Law::kPerfect;
    penalty_ = law_ == Law::kPerfect ? 0 : config.mispredict_bubble.value();
    capacity_ = config.branch_targets;
    window_ = law_ == Law::kTwoBit ? kStep * capacity_ : 0;
    next_ = window_ + kStep;
  }
  std::uint32_t penalty() const { return penalty_; }
  std::uint32_t capacity() const { return capacity_; }

  /// True if the prediction is right and the counter is saturated: the common case.
  [[gnu::always_inline]] bool settled(std::uint32_t prediction, bool taken) const {
    return remembers(prediction) && (prediction & 3) == (taken ? 3U : 0U);
  }
  /// True if it is in the buffer.
  [[gnu::always_inline]] bool remembers(std::uint32_t prediction) const {
    return is_remembered(prediction, next_);
  }
  bool predicts_taken(std::uint32_t prediction) const {
    return (prediction & 2) != 0 && (law_ == Law::kBackwardTaken || remembers(prediction));
  }
  /// For a jump whose instruction contains the target.
  bool predicts_jump(std::uint32_t prediction) const {
    return law_ == Law::kBackwardTaken || remembers(prediction);
  }
  bool learns() const { return law_ == Law::kTwoBit; }
  /// The new prediction of a branch after it was `taken` or not.
  std::uint32_t learned(std::uint32_t prediction, bool taken) {
    if (law_ != Law::kTwoBit) return prediction;
    if (!remembers(prediction)) return entered(taken ? 2 : 1);
    const std::uint32_t counter = prediction & 3;
    if (taken) return counter < 3 ? prediction + 1 : prediction;
    return counter > 0 ? prediction - 1 : prediction;
  }
  std::uint32_t learned_jump(std::uint32_t prediction) {
    return law_ != Law::kTwoBit || remembers(prediction) ? prediction : entered(3);
  }

  /// For code that reimplements remembers(): the addresses of its data.
  struct Window {
    const std::uint32_t* next;
    const std::uint32_t* size;
  };
  Window window() const { return {&next_, &window_}; }

  // For comparing the buffer with its earlier state.

  /// Increases with each entry.
  std::uint32_t mark() const { return next_; }
  /// Age in entries when the mark was `mark`, combined with the counter; 0 if it was forgotten.
  std::uint32_t age(std::uint32_t prediction, std::uint32_t mark) const {
    return is_remembered(prediction, mark) ? mark - prediction : 0;
  }

 private:
  enum class Law : std::uint8_t { kTwoBit, kBackwardTaken, kPerfect };
  [[gnu::always_inline]] bool is_remembered(std::uint32_t prediction, std::uint32_t mark) const {
    return mark - prediction - 1 < window_;
  }
  std::uint32_t entered(std::uint32_t counter) {
    const std::uint32_t prediction = next_ + counter;
    next_ += kStep;
    return prediction;
  }

  Law law_ = Law::kTwoBit;
  std::uint32_t penalty_ = 2;
  std::uint32_t capacity_ = 0;
  std::uint32_t window_ = 0;
  std::uint32_t next_ = kStep;
};

}  // namespace tvp::riscv
