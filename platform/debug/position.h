#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "platform/debug/target.h"

namespace tvp::debug {

/// A place in the history of a run. The same program reaches it again at the same times.
struct Position {
  std::uint64_t cycle = 0;  ///< the machine's, when the core began to run; the place if core is 0
  unsigned core = 0;        ///< the core that stopped; 0: the run stopped between two slices
  std::uint64_t time = 0;   ///< cycle of the core's next instruction
  // A watchpoint of the core that another agent has hit.
  bool by_other = false;
  Trap trap = Trap::kWrite;
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
  std::uint64_t when = 0;
  unsigned writer = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, cycle, core, time, by_other, trap, address, bytes,
                                   when, writer)

/// A step back leaves a checkpoint at most this far before its place, for the next one.
inline constexpr std::uint64_t kNearCycles = 2000;

/// The order of a copy that continues from a checkpoint.
struct Replay {
  enum class Goal : std::uint8_t {
    kStart,     ///< stops at once, at the beginning of the history
    kHere,      ///< stops at once
    kStep,      ///< stops before an instruction of `core`
    kContinue,  ///< stops at a breakpoint or watchpoint
    kGoTo,      ///< stops at `cycle`
  };
  Goal goal = Goal::kStart;
  unsigned core = 0;
  std::uint64_t cycle = 0;  ///< kGoTo: the target; kStep: the core is observed from here on
  Position end = {};        ///< where the part of the history ends that this copy repeats
  /// The stop at which the copy stays; 0: it counts the stops before `end` and ends.
  std::uint64_t stop = 0;
  Position frontier = {};            ///< the latest place that the run has reached
  bool undoes_writes = false;        ///< the debugger has written something later than this
  nlohmann::json conversation = {};  ///< state of the server (GdbServer)
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Replay, goal, core, cycle, end, stop, frontier, undoes_writes,
                                   conversation)

}  // namespace tvp::debug
