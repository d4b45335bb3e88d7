#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sw/collectives/schedule/schedule.h"
#include "sw/collectives/schedule/symbol.h"
#include "sw/collectives/schedule/wiring.h"

namespace tvp::collectives {

/// Executes a schedule on symbols, chunk by chunk, with `slots` chunks of buffer in each
/// connection. A forwarded chunk leaves its slot when the next rank has a free slot for it. The
/// order of execution makes no difference: every connection has one end that fills it and one that
/// empties it.
class SymbolicRun {
 public:
  SymbolicRun(const Schedule& schedule, const Wiring& wiring, std::uint32_t slots);

  /// Executes steps until no lane can continue.
  void run();
  bool finished() const { return waiting_lanes() == 0; }
  /// The reason why each unfinished lane does not continue, by rank, lane and step.
  std::vector<std::string> waits() const;

  const Symbol& at(std::uint32_t rank, Memory memory, std::uint32_t index) const {
    return ranks_[rank].memories[static_cast<std::size_t>(memory)][index];
  }
  /// The most chunks that were in all slots of a rank at once.
  std::uint32_t peak_slots() const { return peak_slots_; }

 private:
  struct LaneState {
    std::uint32_t step = 0;
    std::uint32_t chunk = 0;  ///< chunk of the step
  };
  struct RankState {
    std::vector<std::vector<Symbol>> memories;
    std::vector<LaneState> lanes;
    std::uint32_t slots_in_use = 0;
  };

  bool advance(std::uint32_t rank, std::uint32_t lane);
  bool may_begin(std::uint32_t rank, const Step& step) const;
  bool do_chunk(const StepPlace& at, const Step& step, std::uint32_t chunk);
  bool serve(const Wiring::Group& group);
  void push(std::uint32_t connection, Symbol symbol);
  Symbol pop(std::uint32_t connection);
  bool full(std::uint32_t connection) const { return fifos_[connection].size() >= slots_; }
  Symbol read(std::uint32_t rank, const Place& place, std::uint32_t chunk) const;
  void write(std::uint32_t rank, const Place& place, std::uint32_t chunk, Symbol symbol);
  std::string why(std::uint32_t rank, std::uint32_t lane) const;
  std::size_t waiting_lanes() const;

  const Schedule& schedule_;
  const Wiring& wiring_;
  const std::uint32_t slots_;
  std::vector<RankState> ranks_;
  std::vector<std::deque<Symbol>> fifos_;
  std::uint32_t peak_slots_ = 0;
};

}  // namespace tvp::collectives
