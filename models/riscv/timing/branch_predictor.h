#pragma once

#include <cstdint>

#include "models/riscv/core_config.h"

namespace tvp::riscv {

/// A buffer of the branches and jumps that a core has met last, and where each led. One that is not
/// there is predicted to fall through; one that is there is predicted by a counter of two bits, or,
/// when it is indirect, to go where it went last. The oldest makes room for a new one, whether that
/// is taken or not: measured, 64 branches that are never taken make the core forget the one behind
/// them, and ISA BabyRISCV/InstructionRAM.md overwrites the whole history by 14 pairs of them.
///
/// The buffer is nowhere as a table: each instruction keeps when it entered, and is in the buffer
/// as long as fewer than its capacity have entered since. `prediction` is four times the number of
/// that entry plus the counter.
class BranchPredictor {
 public:
  /// Between two entries.
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

  /// Predicted rightly, with nothing left to learn: the common case.
  [[gnu::always_inline]] bool settled(std::uint32_t prediction, bool taken) const {
    return remembers(prediction) && (prediction & 3) == (taken ? 3U : 0U);
  }
  /// It is in the buffer.
  [[gnu::always_inline]] bool remembers(std::uint32_t prediction) const {
    return is_remembered(prediction, next_);
  }
  bool predicts_taken(std::uint32_t prediction) const {
    return (prediction & 2) != 0 && (law_ == Law::kBackwardTaken || remembers(prediction));
  }
  /// A jump to an address that the instruction tells.
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

  /// For code that does the same as remembers(): where these stand.
  struct Window {
    const std::uint32_t* next;
    const std::uint32_t* size;
  };
  Window window() const { return {&next_, &window_}; }

  // For whoever compares the buffer now with what it was.

  /// Moves on with each entry.
  std::uint32_t mark() const { return next_; }
  /// How long ago, in entries, it had entered when the mark was `mark`, and its counter; 0 when it
  /// had been forgotten.
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
