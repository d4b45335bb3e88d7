#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

inline Place input(std::uint32_t index) { return {Memory::kInput, index}; }
inline Place output(std::uint32_t index) { return {Memory::kOutput, index}; }
inline Place scratch(std::uint32_t index) { return {Memory::kScratch, index}; }
inline constexpr Place nowhere{};

/// Builds a schedule from steps that are appended rank by rank, in an order that would be right for
/// sequential execution. Steps of one lane keep that order. If a step of another lane accesses the
/// same chunk or the same connection, the builder adds the dependency unless existing ones imply
/// it. It also computes the sizes of scratch memories.
class ProgramBuilder {
 public:
  ProgramBuilder(Primitive primitive, std::uint32_t ranks, std::uint32_t share);

  void set_root(std::uint32_t root) { schedule_.root = root; }
  void set_peer(std::uint32_t peer) { schedule_.peer = peer; }
  void set_average(bool average) { schedule_.average = average; }
  void set_lane_sets(std::uint32_t sets) { schedule_.lane_sets = sets; }

  std::uint32_t ranks() const { return schedule_.size(); }
  std::uint32_t share() const { return schedule_.share; }

  /// One lane of one rank, with the channel that its messages take.
  class LaneOfRank {
   public:
    LaneOfRank& send(std::uint32_t to, Place source, std::uint32_t count = 1);
    LaneOfRank& receive(std::uint32_t from, Place destination, std::uint32_t count = 1);
    /// Receives and forwards; stores a copy in `destination` unless that is `nowhere`.
    LaneOfRank& relay(std::uint32_t from, std::uint32_t to, Place destination,
                      std::uint32_t count = 1);
    /// Sets destination to source combined with the received chunks.
    LaneOfRank& receive_reduce(std::uint32_t from, Place source, Place destination,
                               std::uint32_t count = 1);
    LaneOfRank& reduce_relay(std::uint32_t from, std::uint32_t to, Place source, Place destination,
                             std::uint32_t count = 1);
    LaneOfRank& copy(Place source, Place destination, std::uint32_t count = 1);
    LaneOfRank& reduce(Place source, Place destination, std::uint32_t count = 1);
    LaneOfRank& scale(Place source, Place destination, std::uint32_t count = 1);
    /// Sends to the switch, which multicasts to `members`; with `contributors` the switch first
    /// combines what all of them send.
    LaneOfRank& send_to_switch(const RankSet& contributors, const RankSet& members, Place source,
                               std::uint32_t count = 1);

   private:
    friend class ProgramBuilder;
    LaneOfRank(ProgramBuilder& builder, std::uint32_t rank, std::uint32_t lane,
               std::uint16_t channel)
        : builder_(builder), rank_(rank), lane_(lane), channel_(channel) {}
    LaneOfRank& append(Step step);
    ProgramBuilder& builder_;
    std::uint32_t rank_;
    std::uint32_t lane_;
    std::uint16_t channel_;
  };

  LaneOfRank at(std::uint32_t rank, std::uint32_t lane = 0, std::uint16_t channel = 0) {
    return {*this, rank, lane, channel};
  }
  /// Appends a step; the builder finds its dependencies.
  void append(std::uint32_t rank, std::uint32_t lane, Step step);

  Schedule finish(std::string name);

 private:
  using Position = std::pair<std::uint32_t, std::uint32_t>;  ///< lane and step
  /// The number of steps of each lane that have ended when a step begins.
  using Clock = std::vector<std::uint32_t>;
  /// The last accesses of a chunk or a connection.
  struct Trace {
    std::vector<Position> writer;   ///< none or one
    std::vector<Position> readers;  ///< since the writer
  };
  struct RankState {
    std::map<std::uint64_t, Trace> traces;
    std::vector<std::vector<Clock>> clocks;  ///< lane, step
  };

  void touch(std::uint32_t rank, std::uint64_t what, bool writes, Position who,
             std::vector<Position>& waits_for);
  std::vector<Dependency> needed(RankState& state, std::uint32_t lane,
                                 const std::vector<Position>& waits_for, Clock& clock) const;
  static std::uint64_t key(Place place, std::uint32_t offset);
  static std::uint64_t connection_key(std::uint32_t other, std::uint16_t channel, bool outward);

  Schedule schedule_;
  std::vector<RankState> state_;
};

}  // namespace tvp::collectives
