#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/contract/collectives/program.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The resources that a machine gives a rank for its program.
struct RankLimits {
  std::uint32_t memory_bytes = 0;  ///< for the program, its state, slots and staging
  std::uint32_t slot_bytes = 0;    ///< slots of all connections together; 0: the free memory
  std::uint32_t largest_slice = 4096;
  std::uint32_t worthy_slice = 64;    ///< not cut further for the sake of a pipeline
  std::uint32_t smallest_slice = 64;  ///< all multiples of `alignment`
  /// Slices may be as small as this if the program does not fit otherwise; 0: the smallest slice.
  std::uint32_t finest_slice = 0;
  std::uint32_t slices_a_message = 4;  ///< target, for a pipeline
  std::uint32_t most_slots = 256;      ///< slots of a connection
  std::uint32_t proved_slots = 2;      ///< chunks in a connection with which the schedule ends
  std::uint32_t credit_batch = 1;
  std::uint32_t alignment = 8;        ///< alignment of chunks, slices and places
  std::uint32_t switch_channels = 0;  ///< 0: no switch joins the ranks
  bool switch_reduces = false;
};

/// The cores of a rank. Worker w executes stripe w / lane_sets of every chunk, and the lanes of the
/// sets s of the schedule with s modulo lane_sets = w modulo lane_sets.
struct RankWorkers {
  std::uint32_t stripes = 1;
  std::uint32_t lane_sets = 1;  ///< at most those of the schedule

  std::uint32_t count() const { return stripes * lane_sets; }
};

/// A schedule for vectors of one size as programs of firmware/collectives/schedule_interpreter.h:
/// the places of all steps in bytes, the connections of each rank, slices, slots, and rounds. There
/// is one round unless the longest message does not fit the slots of its connection. If not even
/// slots for two messages of the smallest slices fit, a connection has only the slots for which the
/// schedule was proved.
///
/// A rank has a program for each of its workers.
class RankPrograms {
 public:
  /// A stream of messages between two ranks, or to or from the switch, as its ends see it.
  struct Connection {
    std::uint32_t peer = 0;
    std::uint16_t channel = 0;
    std::uint32_t index_there = 0;  ///< among the connections of the peer
    // These are set if the peer is kSwitch.
    RankSet members = {};  ///< as those of the step
    RankSet contributors = {};
    std::uint32_t source = 0;  ///< incoming: whose connection `index_there` is
    bool operator==(const Connection&) const = default;
  };
  /// Addresses count from the beginning of the program, which is first.
  struct Program {
    contract::collectives::ProgramHeader header;
    std::vector<contract::collectives::Lane> lanes;
    std::vector<std::uint32_t> schedule_lanes;  ///< the number of each lane in the schedule
    std::vector<contract::collectives::Step> steps;
    std::vector<contract::collectives::After> afters;
    std::vector<contract::collectives::Connection> outs;
    std::vector<contract::collectives::Connection> ins;
    /// In the order of `outs` and `ins`, which have no addresses until a machine fills them in.
    std::vector<Connection> out_peers;
    std::vector<Connection> in_peers;
    std::uint32_t state_begin = 0;  ///< the bytes up to state_end must be zero at the start
    std::uint32_t state_end = 0;
    std::uint32_t slots = 0;
    std::uint32_t end = 0;

    /// The number of each outgoing connection's first count of credits. A connection has one count,
    /// or one for each member of a multicast.
    std::vector<std::uint32_t> out_counts;

    std::uint32_t count_at(std::uint32_t count) const {
      return header.counts + count * contract::collectives::kCountBytes;
    }
    std::uint32_t slots_of(std::uint32_t in) const {
      return slots + in * header.slots * header.slice_bytes;
    }
    std::vector<std::uint8_t> bytes() const;
  };

  /// `chunk_bytes` is a multiple of the alignment times the stripes. Throws Fault(kDescription)
  /// naming the schedule when it does not fit the limits.
  RankPrograms(const Schedule& schedule, std::uint32_t chunk_bytes, const RankWorkers& workers,
               const RankLimits& limits);

  /// Throws Fault(kDescription) if steps and connections of a rank alone take more memory. It comes
  /// first because a proof of so many steps takes minutes.
  static void require_room(const Schedule& schedule, std::uint32_t memory_bytes);

  const Program& program(std::uint32_t rank, std::uint32_t worker) const {
    return programs_[rank * workers_.count() + worker];
  }
  Program& program(std::uint32_t rank, std::uint32_t worker) {
    return programs_[rank * workers_.count() + worker];
  }
  std::uint32_t ranks() const { return schedule_.size(); }
  std::uint32_t workers() const { return workers_.count(); }
  std::uint32_t stripes() const { return workers_.stripes; }
  std::uint32_t lane_sets() const { return workers_.lane_sets; }
  std::uint32_t rounds() const { return rounds_; }
  std::uint32_t slice_bytes() const { return slice_; }
  std::uint32_t slots() const { return slots_; }
  /// True if longer vectors have more slices, but no longer ones.
  bool slices_are_longest() const { return rounds_ > 1 || slice_ == limits_.largest_slice; }

  /// The work of a worker's core. Each figure is that of the worker with the most.
  struct Work {
    std::uint64_t lanes = 0;
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;     ///< that all steps move
    std::uint64_t combined = 0;  ///< bytes of steps that combine
  };
  Work most_work() const;

  /// "lane 1, step 3 (send 4 chunks from output 8 to rank 2)" of a schedule, for reports.
  static std::string describe(const Schedule& schedule, std::uint32_t rank, std::uint32_t lane,
                              std::uint32_t step);

 private:
  void connect();
  void connect_receiver(std::uint32_t rank, std::uint32_t set, std::uint32_t index);
  std::uint32_t set_of(std::size_t lane) const {
    return static_cast<std::uint32_t>(lane % schedule_.lane_sets % workers_.lane_sets);
  }
  /// Index of a rank's connections of one set of lanes.
  std::size_t at(std::uint32_t rank, std::uint32_t set) const {
    return std::size_t{rank} * workers_.lane_sets + set;
  }
  /// Connections of the lanes that a worker executes.
  std::size_t of_worker(std::uint32_t rank, std::uint32_t worker) const {
    return at(rank, worker % workers_.lane_sets);
  }
  /// Bytes of a stripe of a chunk.
  std::uint32_t stripe_bytes() const { return chunk_bytes_ / workers_.stripes; }
  void add_steps(Program& program, std::uint32_t rank, std::uint32_t worker) const;
  void choose();
  bool fits(std::uint32_t slice);
  bool fits_as_proved(std::uint32_t slice);
  void begin_choice(std::uint32_t slice);
  /// The slots of connections take the rest of the working memory.
  struct Room {
    std::uint32_t connections = 1;  ///< into the rank that has most
    std::uint32_t fixed = 0;        ///< bytes of the largest program and its scratch
  };
  Room room_for_slots() const;
  /// Slots of that size for each connection beside the largest program.
  std::uint32_t most_slots(std::uint32_t slice) const;
  Program make(std::uint32_t rank, std::uint32_t worker) const;
  static void keep_rounds_apart(Program& program);
  contract::collectives::Step lower(std::uint32_t rank, const Step& step,
                                    std::uint32_t worker) const;
  static bool reads_what(const Step& step, const Step& writer);
  void place(Program& program) const;
  std::uint32_t merged(const Step& step) const;
  std::uint32_t slices_of(const Step& step, std::uint32_t slice, std::uint32_t part) const;

  const Schedule& schedule_;
  std::uint32_t chunk_bytes_;
  RankWorkers workers_;
  RankLimits limits_;
  std::uint32_t slice_ = 0;
  std::uint32_t slots_ = 0;
  std::uint32_t rounds_ = 1;
  std::uint32_t part_ = 0;  ///< part of a chunk that a worker has in a round
  std::uint32_t batch_ = 1;
  bool merges_ = true;  ///< neighboring chunks are one piece, if there is one round and stripe
  std::vector<std::vector<Connection>> outs_;  ///< connections of each rank and set of lanes
  std::vector<std::vector<Connection>> ins_;
  std::vector<Program> programs_;
};

}  // namespace tvp::collectives
