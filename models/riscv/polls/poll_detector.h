#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/riscv/decode/decoder.h"
#include "models/riscv/polls/poll_timing.h"
#include "models/riscv/timing/branch_predictor.h"
#include "models/support/time.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Proves that a loop is a poll, by executing it once more under observation. The iteration must
/// change nothing, load only watchable locations, and end with the registers, the pipeline and the
/// branch predictor as at its beginning. The next iteration is then the same until a location that
/// it loads changes. Without a load, it is the same forever. Loops inside the iteration are part of
/// it.
class PollDetector {
 public:
  static constexpr unsigned kMaxLoads = 64;
  static constexpr unsigned kMaxPredictions = 128;
  static constexpr unsigned kMaxInnerJumps = 128;

  struct Load {
    std::uint32_t address;
    std::uint32_t bytes;
    std::uint32_t value;
    std::uint32_t latency;
    support::Cycle offset;   ///< from the start of the iteration
    std::uint64_t executed;  ///< instructions of the core before it
    support::Watch watch;
  };

  /// Verdict at the end of an iteration. kNotYet: only the places at which the core may stop have
  /// changed, so the next iteration decides.
  enum class Verdict : std::uint8_t { kPoll, kNotYet, kNoPoll };

  /// The next real access of a poll after a change.
  struct Resume {
    std::uint64_t iterations;  ///< complete iterations since the core fell asleep
    unsigned replayed;         ///< loads of the current iteration before the change
    support::Cycle cycle;      ///< cycle of the first load after the change
  };

  void reset() { *this = PollDetector{}; }

  /// True if the jump to `pc` should start a recording: it is not the first one, and not held back
  /// after failed attempts.
  bool candidate(std::uint32_t pc);
  /// Number of jumps to skip before candidate() must be asked again for the last refused target.
  std::uint8_t take_hold();
  void drop_hold() { held_ = nullptr; }
  bool has_failed(std::uint32_t pc) const;
  /// Starts a recording for the candidate, or for a counting loop (whose loads are too many to
  /// keep).
  void begin(support::Cycle t, std::uint64_t executed, const std::array<std::uint32_t, 33>& regs,
             const PollTiming& timing, std::uint32_t branch_mark, bool counting = false);
  /// Records a load. False ends the recording, since the core cannot sleep on this load.
  bool note(const Load& load);
  /// Records a line of code that is fetched from L1 at cycle t.
  void note_fetch(std::uint32_t address, support::Cycle t);
  /// Records a jump at cycle t at which the core may stop.
  void note_stop(support::Cycle t, std::uint64_t executed);
  /// Must be called before a branch changes its prediction.
  void note_prediction(Op& op);
  std::uint32_t target() const { return targets_[current_].pc; }
  /// Counts another backward jump inside the iteration; false if there are too many.
  bool inner_jump() { return ++inner_jumps_ <= kMaxInnerJumps; }
  /// Judges the iteration that ends at cycle t.
  Verdict judge(support::Cycle t, std::uint64_t executed, const std::array<std::uint32_t, 33>& regs,
                const PollTiming& timing, const BranchPredictor& branches);
  /// True if the next iteration will have the same times.
  bool periodic(const PollTiming& timing, const BranchPredictor& branches) const;
  /// The next iteration begins at cycle t and is the same.
  void proved(support::Cycle t, std::uint64_t executed);
  void failed();

  /// First load after a change at `when` by the agent `order`, for a sleeper with `own_order`.
  Resume after_change(support::Cycle when, unsigned order, unsigned own_order) const;
  /// Instructions from falling asleep to the first possible stop at or after cycle `now`. A stop at
  /// `now` itself counts as before if `first` is set.
  std::uint64_t instructions_until(support::Cycle now, bool first) const;
  /// The iteration's load of this place; null if it made none or only part of it was recorded.
  const Load* load_of(std::uint32_t address, std::uint32_t bytes) const;
  bool has_all_loads() const { return has_all_loads_; }
  /// Calls `tell(address, offset)` for each load of L1 and each line of code in an iteration.
  template <typename Tell>
  void for_l1_reads(Tell&& tell) const {
    for (unsigned i = 0; i < count_; ++i) {
      if (loads_[i].watch == support::Watch::kL1) tell(loads_[i].address, loads_[i].offset);
    }
    for (const Fetch& fetch : fetches_) tell(fetch.address, fetch.offset);
  }
  bool fetches() const { return !fetches_.empty(); }
  /// Complete iterations from falling asleep until cycle `now`.
  std::uint64_t iterations_until(support::Cycle now) const;

  std::uint32_t mask() const { return mask_; }
  /// Addresses of an iteration's loads, in order.
  std::vector<std::uint32_t> addresses() const;
  const std::vector<support::WatchHub::L1Range>& ranges() const { return ranges_; }
  support::Cycle asleep_since() const { return asleep_since_; }
  support::Cycle period() const { return period_; }
  std::uint64_t instructions() const { return instructions_; }
  support::Cycle started() const { return started_; }

  void start_replay(unsigned loads) {
    replay_ = 0;
    replay_end_ = loads;
  }
  const Load& replay() { return loads_[replay_++]; }
  bool replaying() const { return replay_ < replay_end_; }

  /// A watched location changed during the recorded iteration.
  void spoil() { spoiled_ = true; }

 private:
  /// A recent target of backward jumps.
  struct Target {
    std::uint32_t pc = 1;  // an odd address is never a target
    unsigned failures = 0;
    unsigned held_back = 0;
  };
  struct Prediction {
    Op* op;
    std::int32_t aux;
    std::uint32_t prediction;
  };
  std::array<Target, 32> targets_{};
  Target* held_ = nullptr;  ///< the last one refused
  unsigned current_ = 0;
  unsigned replaced_ = 0;
  bool predicts_as_before(const BranchPredictor& branches) const;
  bool spoiled_ = false;
  bool counting_ = false;

  support::Cycle started_ = 0;
  std::uint64_t executed_ = 0;
  std::array<std::uint32_t, 33> regs_{};
  PollTiming timing_;
  std::array<Load, kMaxLoads> loads_{};
  unsigned count_ = 0;
  bool has_all_loads_ = true;
  /// Another place at which the core may stop.
  struct Stop {
    support::Cycle offset;
    std::uint64_t executed;
  };
  std::vector<Stop> stops_;
  struct Fetch {
    std::uint32_t address;
    support::Cycle offset;
  };
  std::vector<Fetch> fetches_;
  std::uint32_t mask_ = 0;  ///< bit i: Watch i was loaded
  std::array<Prediction, kMaxPredictions> predictions_{};
  unsigned prediction_count_ = 0;
  std::uint32_t branch_mark_ = 0;  ///< mark at the beginning of the iteration
  unsigned inner_jumps_ = 0;
  std::vector<support::WatchHub::L1Range> ranges_;

  support::Cycle asleep_since_ = 0;
  support::Cycle period_ = 0;
  std::uint64_t instructions_ = 0;
  unsigned replay_ = 0;
  unsigned replay_end_ = 0;
};

}  // namespace tvp::riscv
