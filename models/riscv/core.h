#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/fault.h"
#include "models/riscv/core_config.h"
#include "models/riscv/core_observer.h"
#include "models/riscv/instruction_cache.h"
#include "models/riscv/poll_detector.h"
#include "models/riscv/predecoded_code.h"
#include "models/riscv/tensix_instruction_port.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Which core it is and which memories it has.
struct Identity {
  support::BusMaster master = support::BusMaster::kB;
  std::string where;                 ///< "chip0.tensix(1,2).BRISC"
  std::uint32_t local_bytes = 4096;  ///< data RAM at Core::kLocalBase
  std::uint32_t iram_bytes = 0;      ///< instruction RAM at PredecodedCode::kIramBase
};

/// A baby RISC-V core (ISA TensixTile/BabyRISCV): RV32IM and .ttinsn, with the documented timing.
///
/// Times: an instruction enters the integer unit at cycle t and the load/store unit at e > t. Loads
/// and stores act at e - 1, which is t unless a queue is full. Loads and stores of L1 and of
/// registers are visible to others and made in the tile's order; everything else runs ahead.
///
/// A core may stop at its visible accesses, and at the first jump kRunAhead cycles or more behind
/// the last of these places; nowhere else. These places depend on the program alone, so a core
/// that others reach at cycle T (reset, invalidation, end of a run) has come to the first of them
/// that is not before T, whatever the horizons were. What is private (local data RAM, registers,
/// words already fetched) is ahead of T by as much.
class Core : public sc_core::sc_module, public support::Agent, public support::Sleeper {
 public:
  static constexpr std::uint32_t kLocalBase = 0xFFB00000;
  static constexpr std::uint32_t kPushAddress = 0xFFE40000;  ///< INSTRN_BUF_BASE
  /// Longer than private stretches usually are: an activation costs the host as much as 20
  /// instructions, so a core should be entered for its visible accesses only.
  static constexpr support::Cycle kRunAhead = 64;

  Core(const sc_core::sc_module_name& name, Identity identity, const CoreConfig& config,
       support::WatchHub& watches, foundation::FaultPolicy& faults);
  ~Core() override;

  /// Registers by b_transport with a BusAccess extension; L1 through the DMI of address 0.
  tlm_utils::simple_initiator_socket<Core> bus;

  /// For T0, T1 and T2; without it their .ttinsn are stores on the bus, as those of B are.
  void connect(TensixInstructionPort& port) { instructions_ = &port; }

  void release_reset(support::Cycle now, std::uint32_t pc);
  void assert_reset(support::Cycle now);
  /// ISA InstructionCache.md: what was fetched is fetched anew; nothing else ever does that.
  void invalidate_instruction_cache();
  /// Instruction RAM, written by the mover.
  void write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);

  /// Off: every poll is executed (--lockstep). Never changes a time.
  void set_poll_sleep(bool on) { poll_sleep_ = on; }

  // Debugging; never changes a time.
  void set_observer(CoreObserver* observer) { observer_ = observer; }
  CoreObserver* observer() const { return observer_; }
  /// Tells `listener` whenever the core is about to execute an instruction with a breakpoint.
  void set_breakpoint_listener(BreakpointListener* listener) { breakpoint_listener_ = listener; }
  void insert_breakpoint(std::uint32_t pc);
  void remove_breakpoint(std::uint32_t pc);
  /// A core that sleeps in a poll, or spins, executes that loop from cycle `now` on, if only to
  /// fall asleep again. Everything of its tile before `now` has happened, and nothing behind.
  void execute_poll(support::Cycle now);
  void set_state_listener(CoreStateListener* listener) { listener_ = listener; }
  /// A store of an odd value that begins at `address` (L1 or local data RAM) pauses the core right
  /// behind it; even values pass. How bare test programs tell their end. Costs other stores one
  /// comparison. kNoStop: none.
  void stop_at_odd_store(std::uint64_t address) {
    stop_store_ = address;
    stop_value_ = 0;
  }
  /// The odd value that paused the core.
  std::uint32_t stop_value() const { return stop_value_; }
  static constexpr std::uint64_t kNoStop = ~0ULL;
  /// Goes on after kPaused, from cycle `now` on, without stopping at once again.
  void resume(support::Cycle now);
  /// What a load would find, registers included, without its side effects; instruction RAM, too.
  /// False where nothing is, or where looking would change something.
  bool debug_read(std::uint32_t address, void* data, std::uint32_t bytes);
  /// Of memories. Instructions that were fetched from there are fetched anew; other cores that wait
  /// for a change are not told.
  bool debug_write(std::uint32_t address, const void* data, std::uint32_t bytes);
  std::uint32_t reg(unsigned index) const { return index == 0 ? 0 : regs_[index]; }
  void set_reg(unsigned index, std::uint32_t value) {
    if (index != 0) regs_[index] = value;
  }
  std::uint32_t pc() const { return pc_; }
  void set_pc(std::uint32_t pc) {
    pc_ = pc;
    page_ = nullptr;
  }

  // State and counters.
  const std::string& where() const { return identity_.where; }
  support::WatchHub& watches() const { return watches_; }
  std::uint32_t local_bytes() const { return identity_.local_bytes; }
  std::uint32_t iram_bytes() const { return identity_.iram_bytes; }
  support::BusMaster master() const { return identity_.master; }
  CoreState state() const { return state_; }
  support::Cycle time() const { return time_; }
  std::uint64_t executed_instructions() const { return executed_; }
  /// Instructions of poll iterations that were not executed, up to cycle `now`.
  std::uint64_t slept_instructions(support::Cycle now) const;
  support::Cycle released_at() const { return released_at_; }
  /// Cycles asleep in polls or blocked, up to cycle `now`.
  support::Cycle waiting_cycles(support::Cycle now) const;
  /// What a core that sleeps or is blocked waits for: bit i is Watch i.
  std::uint32_t waiting_mask() const;
  const std::vector<support::WatchHub::L1Range>& waiting_ranges() const;
  /// Addresses that a sleeping core polls, or the one that blocks it.
  std::vector<std::uint32_t> waiting_addresses() const;
  /// Address of the access that blocks or hangs.
  std::uint32_t blocked_address() const { return blocked_address_; }

  void run() override;
  void location_changed(support::Cycle when, unsigned order) override;

 private:
  enum class Outcome : std::uint8_t { kDone, kLater, kStopped };
  /// What happened since the last backward jump.
  enum Activity : unsigned {
    kLoaded = 1,
    kDirty = 2,
    kRecording = 4,
    kReplaying = 8,
    kSuspect = 16  ///< perhaps an endless loop: nothing visible for kRunAhead cycles
  };

  void map_l1();
  void clear_pipeline();
  void load_constants();
  void enter(CoreState state, support::Cycle when);
  void raise(const std::string& text);

  void execute();
  bool fetch(PredecodedCode::Page& page, Op* op);
  support::Cycle stalled(support::Cycle t, unsigned rs1, unsigned rs2) const;
  support::Cycle behind_same_address(std::uint32_t address, support::Cycle e) const;
  unsigned divide_cycles(Code code, std::uint32_t dividend, std::uint32_t divisor) const;

  /// Any load that is not a plain one; the value goes to value_, its cycle and latency to
  /// access_cycle_ and access_latency_. kLater: not before access_cycle_.
  Outcome load_elsewhere(std::uint32_t address, unsigned bytes, support::Cycle c);
  Outcome store_elsewhere(std::uint32_t address, unsigned bytes, std::uint32_t value,
                          support::Cycle c);
  Outcome push_instruction(std::uint32_t instruction, support::Cycle c);
  Outcome transport(tlm::tlm_command command, std::uint32_t address, unsigned bytes,
                    support::Cycle c);
  Outcome block(support::Watch watch, std::uint32_t address);
  std::uint32_t align(std::uint32_t address, unsigned bytes, const char* what);

  bool at_backward_jump(std::uint32_t pc, support::Cycle t, support::Cycle leave);
  PollTiming timing(support::Cycle t, support::Cycle leave) const;
  void shift_timing(support::Cycle from, support::Cycle by);
  void guard_recording();

  void patch_breakpoint(std::uint32_t pc, bool insert);
  bool before_instruction(const PredecodedCode::Page& page, const Op* op, support::Cycle t);
  void commit();
  static std::string hex(std::uint32_t value);

  const Identity identity_;
  const CoreConfig& config_;
  support::WatchHub& watches_;
  foundation::FaultPolicy& faults_;
  TensixInstructionPort* instructions_ = nullptr;
  CoreStateListener* listener_ = nullptr;

  // What every activation touches, together: with many busy tiles each of these lines is a miss.
  CoreState state_ = CoreState::kInReset;
  bool guarded_ = false;  ///< the poll recording is registered with the watch hub
  unsigned activity_ = 0;
  CoreObserver* observer_ = nullptr;
  support::Cycle time_ = 0;         ///< earliest cycle at which the next instruction enters
  support::Cycle leave_ = 0;        ///< when the last instruction leaves the load/store unit
  support::Cycle ahead_until_ = 0;  ///< kRunAhead after the last place to stop
  std::uint64_t executed_ = 0;
  PredecodedCode::Page* page_ = nullptr;  ///< with op_, where pc_ is; null when not known
  Op* op_ = nullptr;
  std::uint32_t pc_ = 0;
  std::uint32_t l1_bytes_ = 0;
  std::uint8_t* l1_ = nullptr;
  std::uint64_t stop_store_ = kNoStop;
  // Constants of the timing, copied from the config when reset is released.
  std::uint32_t l1_latency_ = 8, local_latency_ = 2, l1_store_period_ = 5;
  std::uint32_t slot_count_ = 4, store_depth_ = 4, retire_depth_ = 8;
  std::uint32_t multiply_cycles_ = 2, mispredict_ = 2;
  std::uint8_t next_prediction_[2][4] = {};
  bool learns_ = true;
  bool cached_ = false;              ///< cache_ is on; its tags are not among the lines below
  std::uint32_t straight_from_ = 0;  ///< where the code executed in a row began; for cache_ only
  // Architectural state. Index Op::kSink takes what is written to x0.
  std::array<std::uint32_t, 33> regs_{};
  std::array<support::Cycle, 33> ready_{};
  /// While results queue up behind a slow load, one is also available at the very cycle at which
  /// its instruction passes from the integer unit to the load/store unit.
  unsigned forward_reg_ = 0;
  support::Cycle forward_at_ = 0;
  unsigned retire_at_ = 0, slot_ = 0, store_ = 0;
  support::Cycle last_emitted_ = 0;
  support::Cycle next_l1_store_ = 0;
  support::Cycle next_bus_store_ = 0;
  std::array<support::Cycle, 8> slots_{};   ///< when a load in flight makes room
  std::array<support::Cycle, 8> retire_{};  ///< when the last instructions leave
  struct QueuedStore {
    support::Cycle emitted = 0;
    std::uint32_t address = 0;
  };
  std::array<QueuedStore, 8> stores_{};

  std::vector<std::uint8_t> local_;
  InstructionCache cache_;
  std::vector<std::uint8_t> iram_;
  PredecodedCode code_;

  // The access being made.
  support::Cycle access_cycle_ = 0;
  std::uint32_t access_latency_ = 0;
  std::uint32_t value_ = 0;
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;

  // What it does when it does not run.
  bool poll_sleep_ = true;
  bool skip_stop_ = false;
  std::uint32_t stop_value_ = 0;
  PollDetector poll_;
  support::Watch blocked_on_ = support::Watch::kNone;
  std::uint32_t blocked_address_ = 0;
  bool commit_pending_ = false;
  Commit commit_;
  BreakpointListener* breakpoint_listener_ = nullptr;
  std::vector<std::uint32_t> breakpoints_;

  std::uint64_t slept_ = 0;
  support::Cycle waited_ = 0;
  support::Cycle waiting_since_ = 0;
  support::Cycle released_at_ = 0;
};

}  // namespace tvp::riscv
