#pragma once

#include <systemc>
#include <vector>

namespace tvp::support {

/// Couples calendars to the time of the SystemC kernel, for blocks that share a simulation with
/// modules of a user.
///
/// One method per kernel runs all blocks. A block may run ahead of sc_time_stamp() only up to the
/// next pending activity of SystemC and of the other blocks, so no process acts in its past. At one
/// time the processes of the user run first, then the blocks in the order of their registration.
class TimeBase {
 public:
  /// Something that counts its own time.
  class Block {
   public:
    virtual ~Block() = default;
    /// Time of the earliest pending action; kNeverTime when there is none.
    virtual sc_core::sc_time next_time() const = 0;
    /// Executes every action before `end`, or before the time to which cut() lowers it.
    virtual void run_before(const sc_core::sc_time& end) = 0;
    /// Called inside run_before(): no further action at or after `end`.
    virtual void cut(const sc_core::sc_time& end) = 0;
  };

  static const sc_core::sc_time& never();
  /// A block is never further ahead of sc_time_stamp(), so it can pass the end of sc_start(T) by
  /// this time.
  static sc_core::sc_time longest_run() { return {1, sc_core::SC_US}; }
  /// The time base of the current kernel. The first call must come before the end of elaboration.
  static TimeBase& current();

  /// Blocks are added during elaboration, and removed at any time.
  void add(Block& block);
  void remove(Block& block);
  /// A module of the user gave a block something to do.
  void woken();
  /// The running block has called a module of the user at time `at`, which may have scheduled
  /// processes: it goes on after them.
  void called_out(const sc_core::sc_time& at);

  TimeBase(const TimeBase&) = delete;
  TimeBase& operator=(const TimeBase&) = delete;

 private:
  TimeBase();
  void step();
  void run_blocks();
  void schedule(const sc_core::sc_time& at);

  sc_core::sc_event due_;
  std::vector<Block*> blocks_;
  Block* running_ = nullptr;
};

}  // namespace tvp::support
