#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <string>
#include <systemc>

#include "foundation/fault.h"
#include "models/riscv/core_config.h"
#include "models/riscv/debug/core_observer.h"
#include "models/riscv/debug/core_status.h"
#include "models/riscv/debug/debug_hooks.h"
#include "models/riscv/decode/identity.h"
#include "models/riscv/execute/execution_state.h"
#include "models/riscv/execute/interpreter.h"
#include "models/riscv/execute/load_store_unit.h"
#include "models/riscv/polls/poll_sleep.h"
#include "models/riscv/tensix_instruction_port.h"
#include "models/riscv/timing/fetch_unit.h"
#include "models/support/agent.h"
#include "models/support/huge_pages.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// A baby RISC-V core (ISA TensixTile/BabyRISCV): RV32IM and .ttinsn, with the documented timing.
///
/// Times: an instruction enters the integer unit at cycle t and the load/store unit at e > t. Loads
/// and stores act at e - 1, which is t unless a queue is full. Loads and stores of L1 and of
/// registers are visible to others and come in the tile's order; everything else runs ahead.
///
/// A core may stop only at its visible accesses, and at the first jump that is kRunAhead cycles or
/// more behind the last of these places. These places depend on the program alone. Another
/// agent may reach the core at cycle T (reset, invalidation, end of a run). The core is then at the
/// first of them at or after T, whatever the horizons were. Private state (local data RAM,
/// registers, fetched words) is ahead of T by that time.
class Core : public sc_core::sc_module, public support::Agent, public support::OnHugePages {
 public:
  static constexpr std::uint32_t kLocalBase = LoadStoreUnit::kLocalBase;
  static constexpr std::uint32_t kPushAddress = LoadStoreUnit::kPushAddress;
  static constexpr support::Cycle kRunAhead = ExecutionState::kRunAhead;
  static constexpr std::uint64_t kNoStop = ExecutionState::kNoStop;

  Core(const sc_core::sc_module_name& name, Identity identity, const CoreConfig& config,
       support::WatchHub& watches, foundation::FaultPolicy& faults);

  /// Registers by b_transport with a BusAccess extension; L1 through the DMI of address 0.
  tlm_utils::simple_initiator_socket<Core> bus;

  /// For T0, T1 and T2. Without it their .ttinsn are stores on the bus, like those of B.
  void connect(TensixInstructionPort& port) { memory_.connect(port); }
  /// Sets the probe for requested accesses of L1 and the core's position; null: none.
  void set_probe(support::Probe* probe) { memory_.set_probe(probe); }
  /// Sets the arbiter for conflicts of the tile's cores at L1.
  void share_l1(L1Arbiter& arbiter) { s_.pipeline.share_l1(arbiter); }
  /// Sets the observer of local data RAM; L1 reports its own accesses. Call it between two runs.
  void set_memory_observer(support::Probe::Listener* observer);

  void release_reset(support::Cycle now, std::uint32_t pc);
  void assert_reset(support::Cycle now);
  /// The running agent of the tile, or the host, calls this at cycle `now`.
  void invalidate_instruction_cache(support::Cycle now);
  /// Makes a jump to address 0 a fault, for programs in which it is a null pointer. A reset, after
  /// which a core may begin anywhere, does not change this.
  void refuse_null(bool refused) { fetch_.refuse_null(refused); }
  /// Instruction RAM, written by the mover.
  void write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);

  // Debugging; never changes simulated time.
  DebugHooks& hooks() { return hooks_; }
  /// Off: the core executes every poll (--lockstep).
  void set_poll_sleep(bool on);
  /// On: the core also sleeps through counting loops. For tiles whose owner settles them before it
  /// reads (see Calendar::settle).
  void set_counting_sleep(bool on);
  void set_state_listener(CoreStateListener* listener) { status_.set_listener(listener); }
  void insert_breakpoint(std::uint32_t pc) { fetch_.insert_breakpoint(pc); }
  void remove_breakpoint(std::uint32_t pc) { fetch_.remove_breakpoint(pc); }
  /// A core that sleeps in a poll, or spins, executes that loop from cycle `now` on; it may fall
  /// asleep again. Everything of its tile before `now` has happened, and nothing after it.
  void execute_poll(support::Cycle now) { sleep_.execute_poll(now); }
  /// Pauses a core that runs or waits in a loop, from cycle `now` on, until resume(). Another
  /// agent, or the host, calls this. A core that is blocked in an access does not pause.
  void halt(support::Cycle now);
  /// Continues after kPaused, from cycle `now` on, without stopping at once again.
  void resume(support::Cycle now);
  /// Reads as a load would, with registers and instruction RAM but without side effects. False if
  /// nothing is there or a read would change something.
  bool debug_read(std::uint32_t address, void* data, std::uint32_t bytes);
  /// Writes memory. The core fetches instructions from there again. Other cores that wait for a
  /// change do not wake.
  bool debug_write(std::uint32_t address, const void* data, std::uint32_t bytes);
  std::uint32_t reg(unsigned index) const { return index == 0 ? 0 : s_.regs[index]; }
  void set_reg(unsigned index, std::uint32_t value) {
    if (index != 0) s_.regs[index] = value;
  }
  std::uint32_t pc() const { return s_.pc; }
  /// The pc of the access in progress, for the block that serves it.
  const std::uint32_t* pc_of_access() const { return &s_.pc; }
  void set_pc(std::uint32_t pc) { s_.set_pc(pc); }

  // State and counters.
  const std::string& where() const { return identity_.where; }
  Generation generation() const { return identity_.generation; }
  support::BusMaster master() const { return identity_.master; }
  std::uint32_t local_bytes() const { return identity_.local_bytes; }
  std::uint32_t iram_bytes() const { return identity_.iram_bytes; }
  support::WatchHub& watches() const { return watches_; }
  CoreState state() const { return s_.state; }
  CoreState state_at(support::Cycle now) const { return sleep_.state_at(now); }
  support::Cycle time() const { return s_.time; }
  support::Cycle released_at() const { return released_at_; }
  std::uint64_t executed_instructions() const { return s_.executed; }
  /// Number of instructions executed as machine code of the host (BlockTranslator).
  std::uint64_t translated_instructions() const { return interpreter_.translated(); }
  std::uint64_t slept_instructions(support::Cycle now) const {
    return sleep_.slept_instructions(now);
  }
  /// Cycles up to `now` in which the core slept in polls or was blocked.
  support::Cycle waiting_cycles(support::Cycle now) const { return status_.waited_until(now); }
  /// The condition for which a sleeping or blocked core waits.
  const PollSleep& waiting() const { return sleep_; }
  /// Address of the access that blocks or hangs.
  std::uint32_t blocked_address() const { return status_.blocked_address(); }

  void run() override;
  void catch_up(support::Cycle t, unsigned order) override { sleep_.catch_up(t, order); }

 private:
  void set_blocks();
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);

  const Identity identity_;
  const CoreConfig& config_;
  support::WatchHub& watches_;
  ExecutionState s_;
  CoreStatus status_;
  PollSleep sleep_;
  LoadStoreUnit memory_;
  FetchUnit fetch_;
  DebugHooks hooks_;
  Interpreter interpreter_;
  support::Cycle released_at_ = 0;
};

}  // namespace tvp::riscv
