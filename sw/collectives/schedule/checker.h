#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/collectives/schedule/local_order.h"
#include "sw/collectives/schedule/schedule.h"
#include "sw/collectives/schedule/symbolic_run.h"
#include "sw/collectives/schedule/wiring.h"

namespace tvp::collectives {

/// Kinds of problems of a schedule, in the order in which the checker looks for them.
enum class ProblemKind : std::uint8_t {
  kShape,   ///< a rank, place or step that does not exist, or a step without a required field
  kOrder,   ///< steps of a rank that wait for each other in a cycle
  kCounts,  ///< a send without its receive, or with another count; a connection that two steps use
            ///< at once
  kRace,    ///< two lanes access a chunk in no defined order
  kDeadlock,  ///< with the slots given
  kEndState,  ///< an output chunk differs from what the primitive defines
  kUnread,    ///< a custom schedule reads a chunk before it is written, or never
  kLeftOver,  ///< more problems than are listed
};

struct Problem {
  ProblemKind kind = ProblemKind::kShape;
  std::string text;  ///< names rank, lane, step, and what was expected
};

struct Verdict {
  std::vector<Problem> problems;
  std::uint32_t peak_slots = 0;  ///< chunks in all connection buffers of a rank at once, the most
  bool right() const { return problems.empty(); }
  std::string text() const;
};

/// Proves that a schedule does what its primitive defines for any times of its steps and messages,
/// without executing it on data. Each connection has `slots` chunks of buffer at the receiving end,
/// the distance by which a sender may be ahead.
class Checker {
 public:
  explicit Checker(const Schedule& schedule, std::uint32_t slots = 2);
  Verdict run();

 private:
  void report(ProblemKind kind, std::string text);
  void report(ProblemKind kind, const StepPlace& at, const std::string& text);

  void check_shape();
  void check_step(const StepPlace& at, const Step& step);
  void check_place(const StepPlace& at, const Step& step, const Place& place, const char* which,
                   bool needed);
  void check_rank(const StepPlace& at, std::uint32_t rank, const char* which);
  void check_members(const StepPlace& at, const Step& step);
  void check_order();
  void check_lane_sets(const Wiring& wiring);
  void check_counts(const Wiring& wiring);
  void check_ends(const Wiring::Connection& connection);
  void check_switch(const Wiring& wiring);
  bool in_order(const std::vector<StepPlace>& users, const char* what,
                std::vector<StepPlace>& sorted);
  void check_races();
  void check_races_of(std::uint32_t rank);
  void check_run(const Wiring& wiring);
  void check_end_state(const SymbolicRun& run);
  void check_reads();
  void check_reads_of(std::uint32_t rank);

  const Step& step_at(const StepPlace& at) const {
    return schedule_.ranks[at.rank].lanes[at.lane].steps[at.step];
  }
  std::uint32_t chunks_of(Memory memory) const;
  std::uint32_t set_of(std::uint32_t lane) const { return lane % schedule_.lane_sets; }

  const Schedule& schedule_;
  const std::uint32_t slots_;
  std::vector<LocalOrder> orders_;
  Verdict verdict_;
  std::size_t unlisted_ = 0;
};

/// Slots of a connection in NCCL (NCCL_STEPS), for which the tools of MSCCL make their files. Such
/// a slot has room for all chunks of a step, as long as a file is used for sizes within its
/// maxBytes.
inline constexpr std::uint32_t kSlotsOfFiles = 8;

/// Throws Fault(kDescription) with the problems if there are any.
void require_right(const Schedule& schedule, std::uint32_t slots = 2);

/// Proves a schedule with buffers of 2, 4, 8, … chunks up to `most` times the longest message, and
/// returns the first number with which it is right. Throws as require_right() with the last one.
std::uint32_t slots_that_suffice(const Schedule& schedule, std::uint32_t most);

/// The expected contents of an output chunk; nothing if the primitive does not define it.
Symbol expected_output(const Schedule& schedule, std::uint32_t rank, std::uint32_t index);

}  // namespace tvp::collectives
