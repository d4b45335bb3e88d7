#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/watch.h"
#include "platform/debug/target.h"

namespace tvp::debug {

class CoreProbe;

/// Receives the call when a core reaches a breakpoint, watchpoint or step. Simulated time stands
/// until the call returns.
class StopListener {
 public:
  virtual ~StopListener() = default;
  virtual void at_breakpoint(CoreProbe& probe, Trap trap) = 0;
  virtual void stepped(CoreProbe& probe) = 0;
  /// `writer` is the tie order of the agent of the tile that made the access.
  virtual void at_watchpoint(CoreProbe& probe, Trap trap, std::uint32_t address,
                             unsigned writer) = 0;
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
  /// Lets the core stop behind its next instruction, or once its pc has left [from, to).
  void step(std::uint32_t from, std::uint32_t to);
  void cancel_step();
  /// A neighbor's memory is watched: this core may be the one that writes there, and its pc is to
  /// be known then.
  void watch_for_neighbor(bool on);
  /// Removes everything.
  void clear();
  /// A stop of this core at its pc was told, and at the next `instructions` that it executes: it
  /// goes on from there without another one.
  void stop_was_told(unsigned instructions = 0);
  /// The pc behind the instruction that comes next.
  std::uint32_t next_pc();
  /// True once after something was fastened that a core asleep in a poll would not come to.
  bool take_wake();

 private:
  /// Writes by others reach it through the hub of the tile, those of its own core as it commits.
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
  riscv::CoreObserver* next_ = nullptr;  ///< who observed the core before, and still does
  std::vector<Breakpoint> breakpoints_;
  std::vector<std::unique_ptr<MemoryWatch>> watches_;
  unsigned neighbors_ = 0;
  bool stepping_ = false;
  bool wake_ = false;
  std::uint32_t step_from_ = 0;
  std::uint32_t step_to_ = 0;
  std::uint64_t step_began_ = 0;  ///< instructions executed then
  /// Up to how many executed instructions breakpoints were told: one that has to wait for its
  /// access is not a new one.
  std::uint64_t told_below_ = 0;
};

}  // namespace tvp::debug
