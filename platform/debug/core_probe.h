#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/watch.h"
#include "platform/debug/target.h"

namespace tvp::debug {

class CoreProbe;

/// An access that a watchpoint reports.
struct WatchHit {
  Trap trap = Trap::kWrite;
  std::uint32_t address = 0;  ///< the watchpoint's
  std::uint32_t bytes = 0;
  support::Cycle when = 0;
  unsigned writer = 0;  ///< tie order of the agent of the tile that made the access
};

/// Receives the call when a core reaches a breakpoint, watchpoint or step. Simulated time stands
/// until the call returns.
class StopListener {
 public:
  virtual ~StopListener() = default;
  virtual void at_breakpoint(CoreProbe& probe, Trap trap) = 0;
  virtual void stepped(CoreProbe& probe) = 0;
  virtual void at_watchpoint(CoreProbe& probe, const WatchHit& hit) = 0;
  /// The core is between two instructions, while CoreProbe::follow is on.
  virtual void followed(CoreProbe& probe) = 0;
};

/// The breakpoints, watchpoints and single step that a debugger has set on one core.
///
/// A breakpoint costs host time at its own address only. While a watchpoint or a step is set, the
/// probe inspects each instruction of the core. None of this changes simulated time.
class CoreProbe : private riscv::CoreObserver, private riscv::BreakpointListener {
 public:
  CoreProbe(riscv::Core& core, unsigned number, StopListener& stops);
  ~CoreProbe() override;
  CoreProbe(const CoreProbe&) = delete;
  CoreProbe& operator=(const CoreProbe&) = delete;

  riscv::Core& core() { return core_; }
  /// The debugger's number of the core.
  unsigned number() const { return number_; }

  bool insert(Trap trap, std::uint32_t address, std::uint32_t bytes);
  bool remove(Trap trap, std::uint32_t address, std::uint32_t bytes);
  /// Stops the core after its next instruction, or once its pc has left [from, to).
  void step(std::uint32_t from, std::uint32_t to);
  void cancel_step();
  /// Calls StopListener::followed between two instructions.
  void follow(bool on);
  /// A neighbor's memory is watched. This core may be the writer, so its pc must be known at each
  /// instruction.
  void watch_for_neighbor(bool on);
  /// Removes everything.
  void clear();
  /// The debugger knows of a stop at this pc, and at the next `instructions` of the core. The core
  /// passes them without another stop.
  void stop_was_told(unsigned instructions = 0);
  /// The pc after the next instruction.
  std::uint32_t next_pc();
  /// True once after a change that a core asleep in a poll would not notice.
  bool take_wake();

 private:
  /// The tile's hub reports writes by others; the core's own writes are seen as it commits them.
  struct MemoryWatch : support::Sleeper {
    MemoryWatch(CoreProbe& its_probe, Trap its_trap, std::uint32_t its_address,
                std::uint32_t its_bytes)
        : probe(its_probe), trap(its_trap), address(its_address), bytes(its_bytes) {}
    void location_changed(support::Cycle when, unsigned order) override;
    bool covers(std::uint32_t first, std::uint32_t count) const {
      return first < std::uint64_t{address} + bytes && address < std::uint64_t{first} + count;
    }
    CoreProbe& probe;
    const Trap trap;
    const std::uint32_t address;
    const std::uint32_t bytes;
  };

  bool insert_watch(Trap trap, std::uint32_t address, std::uint32_t bytes);
  bool remove_watch(Trap trap, std::uint32_t address, std::uint32_t bytes);
  void observe();

  void committed(const riscv::Core& core, const riscv::Commit& commit) override;
  bool stop_before(const riscv::Core& core, std::uint32_t pc) override;
  bool handles_break(const riscv::Core& core, std::uint32_t pc) override;
  bool wants_polls() const override;
  void at_breakpoint(riscv::Core& core) override;

  struct Breakpoint {
    std::uint32_t address;
    Trap trap;
  };

  riscv::Core& core_;
  const unsigned number_;
  StopListener& stops_;
  riscv::CoreObserver* next_ = nullptr;  ///< the observer before this one; still called
  std::vector<Breakpoint> breakpoints_;
  std::vector<std::unique_ptr<MemoryWatch>> watches_;
  unsigned neighbors_ = 0;
  bool stepping_ = false;
  bool following_ = false;
  bool wake_ = false;
  std::uint32_t step_from_ = 0;
  std::uint32_t step_to_ = 0;
  std::uint64_t step_began_ = 0;  ///< value of executed_instructions() at the start
  /// Breakpoints below this count of executed instructions are reported already. An instruction
  /// that retries its access is no new stop.
  std::uint64_t told_below_ = 0;
};

}  // namespace tvp::debug
