#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/execution/operands.h"
#include "sw/collectives/execution/rank_programs.h"
#include "sw/collectives/execution/rank_shape.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::foundation {
class Fault;
}

namespace tvp::collectives {

/// Runs schedules on a machine: places operands in its memories and a program for each rank, and
/// compares the results of all ranks with the expected ones.
class CollectiveExecutor {
 public:
  /// The begin and end of a rank's step.
  struct Span {
    std::uint32_t rank = 0;
    std::uint32_t worker = 0;
    std::uint32_t lane = 0;
    std::uint32_t step = 0;
    double begin_ns = 0;
    double end_ns = 0;
  };
  /// The traffic of one connection of the schedule.
  struct Traffic {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint16_t channel = 0;
    std::uint64_t messages = 0;
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;
  };
  struct Outcome {
    std::uint64_t bytes = 0;  ///< size of the vector, rounded up if necessary
    std::uint64_t elements = 0;
    double begin_ns = 0;  ///< the first rank began
    double end_ns = 0;    ///< the last one had its result
    std::uint64_t wrong = 0;
    std::string reason;  ///< empty if all results are right
    double max_abs_error = 0;
    double max_rel_error = 0;
    double bound = 0;
    std::vector<Span> spans;
    std::vector<Traffic> traffic;
    std::uint32_t rounds = 1;
    std::uint32_t slice_bytes = 0;
    std::uint32_t workers = 1;
    std::uint32_t stripes = 1;  ///< stripes of a chunk, each with workers of its own

    double time_ns() const { return end_ns - begin_ns; }
  };

  /// Addresses of input, output and scratch, alike on all ranks.
  struct Memories {
    std::array<std::uint64_t, 3> at{};
    /// If a machine spreads memories over banks: log2 of the bytes that a bank has in one piece.
    std::array<std::uint32_t, 3> page_shift{};
  };
  /// A schedule for vectors of one size, prepared before it runs.
  struct Task {
    Task(const Schedule& what, const Demand& with, std::uint32_t chunk, const RankWorkers& workers,
         const RankLimits& limits)
        : schedule(what), demand(with), programs(schedule, chunk, workers, limits) {}
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    const Schedule schedule;
    const Demand demand;
    RankPrograms programs;
    std::uint32_t chunk_bytes = 0;
    std::uint64_t bytes = 0;  ///< size of the vector, rounded up if necessary
    std::uint64_t elements = 0;
    std::uint64_t scratch_bytes = 0;
    /// The contents of each worker's memory at the start, by rank and worker; set by place().
    struct Image {
      std::vector<std::uint8_t> program;
      std::uint32_t zeros_at = 0;
      std::uint32_t zeros = 0;
      std::uint32_t state = 0;
      std::uint32_t state_bytes = 0;
      std::uint32_t times = 0;
    };
    std::vector<Image> images;

    const Image& image(std::uint32_t rank, std::uint32_t worker) const {
      return images[rank * programs.workers() + worker];
    }
  };

  /// Bytes that links between neighbors carried. If the ranks have no shape, the bytes that they
  /// sent to each other.
  struct LinkLoads {
    struct Link {
      std::uint32_t from = 0;
      std::uint32_t to = 0;
      std::uint64_t bytes = 0;
    };
    std::uint32_t rows = 0;  ///< 0: no shape
    std::uint32_t columns = 0;
    std::vector<Link> links;
  };

  virtual ~CollectiveExecutor() = default;

  virtual std::uint32_t ranks() const = 0;
  /// Returns the ranks in an order in which neighbors are near; empty for their own order.
  virtual std::vector<std::uint32_t> ring(std::uint32_t) const { return {}; }
  virtual std::string topology() const = 0;  ///< "ring of 4"
  // The figures below are for estimates of a schedule's time.
  /// Links of the ideal fabric that is most like the machine (topology_named).
  virtual std::string links_like() const { return "crossbar"; }
  /// True if all messages go to neighbors, on machines where longer ways cost more.
  virtual bool one_hop(const Schedule&) const { return false; }
  /// True if several cores of a rank execute sets of lanes of the schedule and share its ports.
  virtual bool splits_lanes(const Schedule&) const { return false; }
  virtual bool combines_in_network() const { return false; }
  /// The most memory that a rank has for its program.
  virtual std::uint32_t memory_bytes() const { return ~std::uint32_t{0}; }
  RankShape shape() const {
    return {ranks(), topology(), links_like(), ring(ranks()), memory_bytes()};
  }
  virtual LinkLoads link_loads(const Outcome& outcome) const;
  /// Throws Fault(kDescription) for a schedule that the machine cannot execute. If the run does not
  /// end, throws HangError, or the machine's Fault, with the step of each rank.
  Outcome run(const Schedule& schedule, const Demand& demand);
  /// The output of a rank after the last run: whole chunks, and perhaps more bytes behind them.
  std::vector<std::uint8_t> result(std::uint32_t rank) { return output(rank); }

  // The same in single steps, over memories that the caller allocates and with execution by the
  // caller.
  /// Throws as run() does.
  std::shared_ptr<Task> prepare(const Schedule& schedule, const Demand& demand);
  virtual void place(Task& task, const Memories& memories) = 0;
  /// Writes the programs into the memories of all workers.
  virtual void write(const Task& task) = 0;
  /// Runs the programs that write() has placed, to their end; throws as run() does.
  void execute_written(const Task& task);
  /// Returns times, steps and traffic after a run, without a verdict.
  Outcome outcome(const Task& task);
  /// Reports the step of each rank, that of `first` first: the rank that a fault has stopped.
  std::string where_ranks_stand(const Task& task, std::optional<std::uint32_t> first = {});

 protected:
  CollectiveExecutor() = default;
  CollectiveExecutor(const CollectiveExecutor&) = delete;
  CollectiveExecutor& operator=(const CollectiveExecutor&) = delete;

  struct Machine {
    RankLimits limits;
    RankWorkers workers = {};
  };
  /// The state that one worker leaves.
  struct Left {
    std::vector<std::uint8_t> state;  ///< [state_begin, state_end) of its program
    std::uint64_t begin = 0;          ///< cycles of its clock
    std::uint64_t end = 0;
  };
  virtual Machine machine(const Schedule& schedule, const Demand& demand) = 0;
  /// The schedule with messages that the machine sends in another way, step by step the same.
  virtual Schedule lowered(const Schedule& schedule) const { return schedule; }
  /// Makes memories, and places operands and programs.
  virtual void load(Task& task, const Operands& operands) = 0;
  virtual void execute(const Task& task) = 0;
  virtual Left left(const Task& task, std::uint32_t rank, std::uint32_t worker) = 0;
  /// The state of a program that has not ended; empty if it is not available.
  virtual std::vector<std::uint8_t> state_now(const Task& task, std::uint32_t rank,
                                              std::uint32_t worker) {
    return left(task, rank, worker).state;
  }
  /// True if state_now() also works after a fault.
  virtual bool shows_stopped_programs() const { return false; }
  /// The rank in whose program a fault was.
  virtual std::optional<std::uint32_t> rank_of(const foundation::Fault&) const { return {}; }
  /// The first link of a message of a stripe, for reports; empty if there is only one way.
  virtual std::string link(std::uint32_t, std::uint32_t, std::uint32_t) const { return {}; }
  virtual std::vector<std::uint8_t> output(std::uint32_t rank) = 0;
  /// The core that wrote a byte of the output, as a part of a report; empty if unknown.
  virtual std::string origin(std::uint32_t, std::uint64_t) { return {}; }
  virtual double ns(std::uint64_t cycles) const = 0;

 private:
  Machine machine_for(const Schedule& schedule, const Demand& demand);
  std::shared_ptr<Task> task(const Schedule& schedule, const Demand& demand, const Machine& how,
                             const Operands& operands);
  void read_states(const Task& task, Outcome& outcome);
  void add_spans(const RankPrograms::Program& program, const Left& state, Span span,
                 Outcome& outcome) const;
  static void add_traffic(const Task& task, const Left& state, const Span& of, Outcome& outcome);
  /// A line of where_ranks_stand().
  struct RankLine {
    std::uint32_t rank;
    std::string text;
  };
  void add_lines(const Task& task, std::uint32_t rank, std::uint32_t worker,
                 std::vector<RankLine>& lines);
  std::string links_of(const Step& step, std::uint32_t rank, std::uint32_t stripe) const;
};

/// busbw = algbw * factor, as nccl-tests define it (PERFORMANCE.md).
double bus_factor(Primitive primitive, std::uint32_t ranks);

}  // namespace tvp::collectives
