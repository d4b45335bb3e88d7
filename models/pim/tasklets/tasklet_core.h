#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"
#include "models/pim/pim_config.h"
#include "models/pim/unit/dma_engine.h"
#include "models/pim/unit/wram.h"
#include "models/riscv/decode/decoder.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/support/probe.h"

namespace tvp::pim {

/// Observes the dispatch of each instruction of a core with tasklets, for profiles.
class TaskletObserver {
 public:
  /// Why a tasklet was not ready before an instruction.
  enum class Behind : std::uint8_t { kInstruction, kMove, kMeeting };
  virtual ~TaskletObserver() = default;
  /// A program starts at cycle `now`.
  virtual void started(support::Cycle now) = 0;
  /// The core spends cycle `now` on the instruction of `tasklet` at `pc`. Without progress, the
  /// tasklet tries again.
  virtual void dispatched(unsigned tasklet, std::uint32_t pc, support::Cycle now, Behind behind,
                          bool has_progress) = 0;
};

/// The core of a unit with hardware threads (tasklets), as a DPU of UPMEM has them: RV32IM and the
/// instruction that moves bytes between bank and WRAM (foundation/regs/pim.h).
///
/// The core dispatches one instruction a cycle. A tasklet's next instruction is dispatched
/// `dispatch_cycles` after its last one at the earliest. Among tasklets that are ready, the one
/// goes first that has been ready for longest. So results never stall the pipeline: there is no
/// forwarding, no branch prediction and no load delay to model. A tasklet whose bytes the DMA
/// engine moves is not ready until they are there.
class TaskletCore : public sc_core::sc_module, public support::Agent, private DmaClient {
 public:
  struct Stats {
    std::uint64_t instructions =
        0;                          ///< instructions of all tasklets, with steps of multiplications
    support::Cycle port_waits = 0;  ///< cycles in which a load or store waited for the DMA engine
  };

  TaskletCore(const sc_core::sc_module_name& name, std::string where, const PimConfig& config,
              Wram& wram, DmaEngine& dma, foundation::FaultPolicy& faults);
  ~TaskletCore() override;

  /// null: none.
  void set_probe(const support::Probe* probe) { probe_ = probe; }
  /// null: none.
  void set_observer(TaskletObserver* observer) { observer_ = observer; }

  /// Registers of the unit, by b_transport with a BusAccess extension.
  tlm_utils::simple_initiator_socket<TaskletCore> bus;

  /// Instruction memory, while no program runs.
  void write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);
  void read_iram(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes) const;

  /// Starts tasklet 0 at `entry`; the others are stopped.
  void start(support::Cycle now, std::uint32_t entry);
  /// Stops all tasklets.
  void halt();
  void run() override;

  unsigned tasklets() const { return static_cast<unsigned>(tasklets_.size()); }
  /// Address of the instruction that a tasklet executes or waits in.
  std::uint32_t pc(unsigned tasklet) const { return tasklets_[tasklet].pc; }
  /// Tasklets that wait, with the reasons: "tasklets 1 2 wait for the others to meet". "" if none.
  std::string waits_for() const;
  const Stats& stats() const { return stats_; }

 private:
  enum class State : std::uint8_t { kStopped, kReady, kMoves, kMeets };
  struct Tasklet {
    State state = State::kStopped;
    std::uint32_t pc = 0;
    support::Cycle ready = 0;  ///< first cycle at which its next instruction can be dispatched
    TaskletObserver::Behind behind = TaskletObserver::Behind::kInstruction;
    unsigned steps = 0;  ///< instructions left of a multiplication or division; 0: none
    /// The last entry takes results for x0.
    std::array<std::uint32_t, riscv::Op::kSink + 1> x{};
  };

  Tasklet* next_tasklet();
  unsigned number_of(const Tasklet& t) const {
    return static_cast<unsigned>(&t - tasklets_.data());
  }
  /// False if the tasklet has made no progress and tries again.
  bool dispatch(Tasklet& t, support::Cycle now);
  bool execute(Tasklet& t, const riscv::Op& op, std::uint32_t word, support::Cycle now);
  unsigned steps_of(const Tasklet& t, const riscv::Op& op) const;
  bool load(Tasklet& t, const riscv::Op& op, std::uint32_t bytes, support::Cycle now,
            std::uint32_t& value);
  bool store(Tasklet& t, const riscv::Op& op, std::uint32_t bytes, std::uint32_t value,
             support::Cycle now);
  bool access_bus(Tasklet& t, std::uint32_t address, std::uint32_t& value, bool write,
                  support::Cycle now);
  bool access_own(Tasklet& t, std::uint32_t address, std::uint32_t& value, bool write,
                  support::Cycle now);
  void start_tasklet(const Tasklet& by, std::uint32_t number, support::Cycle now);
  void release_if_all_met(const Tasklet& last, support::Cycle now);
  void move(Tasklet& t, std::uint32_t word, support::Cycle now);
  void dma_done(unsigned number, support::Cycle now) override;
  bool raise(const Tasklet& t, const std::string& text);
  bool is_observed() const {
    return probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kTasklet);
  }
  void report(const Tasklet& t, support::ProbeEvent::TaskletStep step, std::uint32_t index,
              support::Cycle now) const;
  void report_access(const Tasklet& t, std::uint32_t address, std::uint32_t bytes, bool is_write,
                     support::Cycle now) const;

  const std::string where_;
  const PimConfig& config_;
  const bool shares_port_;
  Wram& wram_;
  DmaEngine& dma_;
  foundation::FaultPolicy& faults_;
  const support::Probe* probe_ = nullptr;
  TaskletObserver* observer_ = nullptr;

  std::vector<std::uint32_t> words_;  ///< instruction memory
  std::vector<riscv::Op> code_;       ///< the same, decoded
  std::vector<Tasklet> tasklets_;
  std::array<std::uint8_t, regs::pim::tasklet::kMutexes> holders_{};  ///< tasklet + 1; 0: free
  std::uint32_t entry_ = 0;
  support::Cycle free_ = 0;  ///< first cycle without an instruction
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;
  Stats stats_;
};

}  // namespace tvp::pim
