#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/support/mmio.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/backend_config.h"
#include "models/tensix/coprocessor/configuration_unit.h"
#include "models/tensix/coprocessor/coprocessor_config.h"
#include "models/tensix/coprocessor/coprocessor_signals.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/frontend.h"
#include "models/tensix/coprocessor/gprs.h"
#include "models/tensix/coprocessor/matrix_unit.h"
#include "models/tensix/coprocessor/miscellaneous_unit.h"
#include "models/tensix/coprocessor/movement_config.h"
#include "models/tensix/coprocessor/mover.h"
#include "models/tensix/coprocessor/packers.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar_unit.h"
#include "models/tensix/coprocessor/sync_unit.h"
#include "models/tensix/coprocessor/tdma_risc.h"
#include "models/tensix/coprocessor/unit.h"
#include "models/tensix/coprocessor/unpackers.h"
#include "models/tensix/coprocessor/vector_unit.h"
#include "models/tensix/coprocessor/write_back.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// What the coprocessor acts on in the rest of the tile.
class CoprocessorClient {
 public:
  virtual ~CoprocessorClient() = default;
  /// RISCV_IC_INVALIDATE: bits of B, T0, T1, T2, NC.
  virtual void invalidate_instruction_caches(std::uint32_t mask, Cycle now) = 0;
  /// The mover writes 16 bytes to NC's instruction RAM.
  virtual void write_instruction_ram(std::uint32_t offset, const std::uint8_t* data, Cycle now) = 0;
};

/// The Tensix coprocessor of one tile (ISA TensixCoprocessor/README.md): three frontends, their
/// wait gates, and the units behind them.
///
/// In every cycle in which something can happen, in this order: results arrive (WriteBack), latched
/// waits are looked at, each wait gate offers its instruction to a unit, the frontends move on.
/// What one thread changes in a cycle others see in the next one. Several threads at one unit take
/// turns, beginning behind the last one served (assumed; the documentation defines it for mutexes
/// only).
class Coprocessor : public sc_core::sc_module,
                    public support::Agent,
                    private MoverClient,
                    private ConfigListener,
                    private RegisterWriter,
                    private MmioPort,
                    private PipelineStatus {
 public:
  /// Accesses of the scalar unit and of PACR_SETREG to the registers at 0xFFB_____.
  tlm_utils::simple_initiator_socket<Coprocessor> thcon;

  Coprocessor(const sc_core::sc_module_name& name, const std::string& where, L1Port& l1,
              support::WatchHub& watch_hub, foundation::FaultPolicy& faults,
              CoprocessorClient& client, const MovementConfig& movement = default_movement(),
              const CoprocessorConfig& config = default_config());
  ~Coprocessor() override;

  /// The mover is an agent of its own, ahead of the coprocessor in the tie order.
  Mover& mover() { return mover_; }

  /// Puts another unit in the place of the coprocessor's own.
  void attach(Unit unit, ExecutionUnit& target) { units_[static_cast<unsigned>(unit)] = &target; }
  void attach(PackerMetadata& packers);

  // State that units share.
  BackendConfig& config() { return config_; }
  const BackendConfig& config() const { return config_; }
  RegisterFiles& registers() { return registers_; }
  AddressCounters& address_counters() { return adcs_; }
  Gprs& gprs() { return gprs_; }
  const Unpackers& unpackers() const { return unpackers_; }
  const Packers& packers() const { return packers_; }
  const VectorUnit& vector_unit() const { return vector_; }

  /// A core stores an instruction; false when the FIFO is full. T cores push before the MOP
  /// expander, B behind it.
  bool push(unsigned thread, std::uint32_t instruction, Cycle now, unsigned order);
  bool push_from_b(unsigned thread, std::uint32_t instruction, Cycle now, unsigned order);

  // What TTSync and PCBufs ask for.
  bool thread_idle(unsigned thread) const { return threads_[thread].idle; }
  bool mop_expander_done(unsigned thread) const { return threads_[thread].frontend.mop_done(); }

  // Windows of the tile's address map. push_window sees the low 24 bits of the address.
  support::MmioDevice& gpr_window() { return gpr_window_; }
  support::MmioDevice& config_window() { return config_window_; }
  support::MmioDevice& mop_config_window() { return mop_config_window_; }
  support::MmioDevice& push_window() { return push_window_; }
  support::MmioDevice& tdma_window() { return tdma_; }
  /// SemaphoreAccess[i] of a T core.
  void access_semaphore(unsigned i, support::MmioAccess& access);
  /// For RISCV_DEBUG_REG_CFGREG_RDDATA.
  std::uint32_t config_word(unsigned word) const;
  const SyncUnit& sync_unit() const { return sync_; }
  const Frontend& frontend(unsigned thread) const { return threads_[thread].frontend; }

  /// Instructions issued, by thread and opcode.
  std::uint64_t issued(unsigned thread, std::uint8_t opcode) const {
    return issued_[thread][opcode];
  }
  std::uint64_t issued(unsigned thread) const;
  /// Cycles in which the coprocessor did anything at all.
  std::uint64_t active_cycles() const { return active_cycles_; }
  /// Makes instructions of one opcode pass without effect, so that a test can see that it notices:
  /// the nth one, counted from 1, or all with 0.
  void drop_opcode(regs::tensix::Opcode opcode, std::uint32_t nth = 0) {
    dropped_ = static_cast<int>(opcode);
    dropped_nth_ = nth;
  }

  /// What a thread waits for, in words; "idle" when it has nothing to do.
  std::string waiting_for(unsigned thread) const;

  /// What a wave file can show of it.
  CoprocessorSignals& signals();
  void drop_signals() { signals_.reset(); }

  void run() override;

 private:
  static const MovementConfig& default_movement();
  static const CoprocessorConfig& default_config();

  /// Pipelines of STALLWAIT's conditions: bits C1..C7 and C14.
  enum Pipeline : unsigned { kUnpack0, kUnpack1, kPack0, kMath = kPack0 + 4, kSfpu, kPipelines };
  enum Condition : unsigned {
    kScalarMemory = 0,
    kFirstPipeline = 1,
    kLastPipeline = 7,
    kSrcAForUnpacker = 8,
    kSrcBForUnpacker = 9,
    kSrcAForMath = 10,
    kSrcBForMath = 11,
    kMoverBusy = 12,
    kCoreRequests = 13,
    kVectorPipeline = 14,
    kConditions = 15,
  };
  struct Thread {
    explicit Thread(unsigned depth) : frontend(depth) {}
    Frontend frontend;
    WaitLatch latch;
    Cycle try_at = 0;      ///< next cycle in which the head may be offered
    bool blocked = false;  ///< the unit said: not before something changes
    std::uint64_t blocked_epoch = 0;
    Cycle free_at = 0;  ///< held by the scalar unit or RDCFG until then
    Cycle done_at = 0;  ///< everything issued so far is complete
    bool idle = true;
    std::array<Cycle, kPipelines> pipeline_until{};
    /// Of the instruction at the gate; looked up when it is first needed.
    Dispatch dispatch;
    bool dispatched = false;

    const Dispatch& head_dispatch() {
      if (!dispatched) {
        dispatch = dispatch_of(frontend.head());
        dispatched = true;
      }
      return dispatch;
    }
    /// Neither instructions nor a latched wait: nothing to do in any cycle.
    bool asleep() const { return idle && !latch.valid; }
  };
  /// `kPure`: reads change nothing.
  template <void (Coprocessor::*kAccess)(support::MmioAccess&), bool kPure = false>
  class Window : public support::MmioDevice {
   public:
    explicit Window(Coprocessor& owner) : owner_(owner) {}
    void access(support::MmioAccess& access) override { (owner_.*kAccess)(access); }
    bool peek(support::MmioAccess& access) override {
      if constexpr (kPure) (owner_.*kAccess)(access);
      return kPure && !access.unmapped && !access.blocked;
    }

   private:
    Coprocessor& owner_;
  };

  // One cycle.
  void step(Cycle now);
  void deliver(Cycle now);
  void deliver(const WriteBack::Entry& entry, Cycle now);
  void look_at_latch(Thread& thread, unsigned t, Cycle now);
  void offer_all(Cycle now);
  bool is_candidate(Thread& thread, Cycle now);
  void offer(unsigned t, Cycle now);
  [[noreturn]] void stop_at(std::uint32_t instruction, unsigned t, Unit unit) const;
  Issue issue(std::uint32_t instruction, unsigned t, Unit unit, Cycle now);
  bool is_dropped() const;
  Issue start_mover(unsigned t, Cycle now);
  void started(unsigned t, std::uint32_t instruction, Unit unit, const Issue& issue, Cycle now);
  void occupy_pipelines(unsigned t, std::uint32_t instruction, Unit unit, Cycle done);
  void advance_frontend(Thread& thread, Cycle now);
  Cycle next_after(Cycle now);
  Cycle next_of(unsigned t, Cycle now);

  // For people who watch.
  ThreadActivity activity(unsigned t, Cycle now) const;
  ThreadActivity stall(unsigned t, const Dispatch& dispatch, Cycle now) const;
  void show(Cycle now);

  // Conditions.
  Cycle condition_clear_from(unsigned t, unsigned condition) const;
  Cycle conditions_met_from(unsigned t, const WaitLatch& latch, Cycle from) const;
  Cycle pipeline_idle_from(unsigned thread, unsigned condition) const override;
  bool waits_for_bank(const Thread& thread) const;

  /// Something outside step() changed at `now` in the step of the agent with tie order `order`.
  void touched(Cycle now, unsigned order);
  void wake_at(Cycle t);

  // Windows.
  void access_gprs(support::MmioAccess& access);
  void access_config(support::MmioAccess& access);
  void access_mop_config(support::MmioAccess& access);
  void access_push(support::MmioAccess& access);

  // What parts ask of the whole.
  void write_register(std::uint32_t address, std::uint32_t value, Cycle when) override;
  void mover_writes_config(unsigned word, std::uint32_t value, Cycle now) override;
  void mover_writes_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                                    Cycle now) override;
  void mover_idle(Cycle now) override;
  void invalidate_instruction_caches(std::uint32_t mask, Cycle now) override;
  void seed_prng(std::uint32_t seed) override;
  void reset_context_counters(unsigned thread) override;
  MmioPort::Result load(std::uint32_t address, Cycle now) override;
  MmioPort::Result store(std::uint32_t address, std::uint32_t data, Cycle now) override;
  MmioPort::Result transport(bool write, std::uint32_t address, std::uint32_t data, Cycle now);

  std::string where_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  CoprocessorClient& client_;

  BackendConfig config_;
  RegisterFiles registers_;
  AddressCounters adcs_;
  Gprs gprs_;
  WriteBack write_back_;
  SyncUnit sync_;
  ConfigurationUnit configuration_;
  Mover mover_;
  TdmaRisc tdma_;
  ScalarUnit scalar_;
  MiscellaneousUnit miscellaneous_;
  Unpackers unpackers_;
  Packers packers_;
  MatrixUnit matrix_;
  VectorUnit vector_;
  struct Histograms : MatrixUnit::ExponentHistograms {
    explicit Histograms(Packers& of) : packers(of) {}
    void reset() override { packers.clear_exponent_histograms(); }
    Packers& packers;
  } histograms_{packers_};

  std::array<Thread, kThreads> threads_;
  std::array<ExecutionUnit*, kUnits> units_{};
  std::array<Cycle, kUnits> unit_free_{};
  std::array<unsigned, kUnits> last_served_;
  /// Counts changes of state that somebody may wait for; the copy is from the start of the cycle.
  std::uint64_t epoch_ = 1;
  std::uint64_t cycle_epoch_ = 1;

  std::array<std::array<std::uint64_t, 256>, kThreads> issued_{};
  std::uint64_t active_cycles_ = 0;
  std::unique_ptr<CoprocessorSignals> signals_;  ///< null while nobody watches
  int dropped_ = -1;
  std::uint32_t dropped_nth_ = 0;

  Window<&Coprocessor::access_gprs, true> gpr_window_{*this};
  Window<&Coprocessor::access_config, true> config_window_{*this};
  Window<&Coprocessor::access_mop_config> mop_config_window_{*this};
  Window<&Coprocessor::access_push> push_window_{*this};
  tlm::tlm_generic_payload payload_;
  support::BusAccess bus_access_;
};

}  // namespace tvp::tensix::coprocessor
