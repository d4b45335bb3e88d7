#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "foundation/elf_image.h"
#include "models/dram/bank_port.h"
#include "models/pim/network/message_pool.h"
#include "models/pim/network/network.h"
#include "models/pim/network/stop.h"
#include "models/pim/pim_config.h"
#include "models/pim/tasklets/tasklet_core.h"
#include "models/pim/unit/barrier.h"
#include "models/pim/unit/dma_engine.h"
#include "models/pim/unit/unit_bus.h"
#include "models/pim/unit/unit_control.h"
#include "models/pim/unit/wram.h"
#include "models/riscv/core.h"
#include "models/riscv/polls/awaited_count.h"
#include "models/support/calendar.h"
#include "models/support/tile_scheduler.h"
#include "models/support/watch.h"

namespace tvp::pim {

/// A DRAM bank with a processor: RV32IM core with instruction memory and WRAM, DMA engine, PIM
/// stop, one end of the barrier. With `pim.tasklets` another core takes its place, which has
/// hardware threads. Agents in tie order: stop, DMA engine, barrier, core.
class BankUnit : public sc_core::sc_module, private ExitClient {
 public:
  struct Environment {
    std::string where;  ///< "unit5"
    unsigned number = 0;
    unsigned units = 1;
    const PimConfig& config;
    const riscv::CoreConfig& riscv;
    const dram::Preset& dram;
    dram::ActivationWindow& chip;  ///< the DRAM chip of the bank
    MessagePool& messages;
    Network& network;
    Barrier& barrier;
    support::Calendar& calendar;
    foundation::FaultPolicy& faults;
  };
  enum class State : std::uint8_t { kStopped, kRunning, kExited };

  BankUnit(const sc_core::sc_module_name& name, const Environment& environment);

  // Host accesses, while time stands still.
  /// Loads a program into instruction memory and WRAM. Throws Fault(kDescription) if it does not
  /// fit there.
  void load(const foundation::ElfImage& image);
  /// Starts the core at `entry` at cycle `now`, with stop, DMA engine and barrier as after
  /// power-on.
  void start(std::uint32_t entry, support::Cycle now);
  /// Throws Fault(kDescription) if the range leaves WRAM or the program runs.
  void access_wram(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write);
  /// Reads the content of WRAM at this moment for a debugger. False if the range leaves WRAM.
  bool peek_wram(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes) const;

  /// Sets the probe of core, DMA engine and stop; null: none.
  void set_probe(support::Probe* probe);
  /// Sets the observer of every access to WRAM and bank, in cycles of the unit; null: none.
  void observe(support::Probe::Listener* observer);

  State state() const { return state_; }
  std::uint32_t exit_status() const { return exit_status_; }
  support::Cycle started_at() const { return started_at_; }
  support::Cycle exited_at() const { return exited_at_; }

  unsigned calendar_index() const { return calendar_index_; }
  unsigned number() const { return number_; }
  const std::string& where() const { return where_; }
  /// In reset forever if the unit has tasklets.
  riscv::Core& core() { return core_; }
  const riscv::Core& core() const { return core_; }
  /// The core with tasklets; null if there is none.
  const TaskletCore* tasklets() const { return tasklets_.get(); }
  TaskletCore* tasklets() { return tasklets_.get(); }
  std::uint64_t executed_instructions() const {
    return tasklets_ ? tasklets_->stats().instructions : core_.executed_instructions();
  }
  /// Instruction memory, while no program runs.
  void write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);
  void read_iram(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes);
  dram::BankPort& bank() { return bank_; }
  const dram::BankPort& bank() const { return bank_; }
  const Wram& wram() const { return wram_; }
  const DmaEngine& dma() const { return dma_; }
  DmaEngine& dma() { return dma_; }
  const Stop& stop() const { return stop_; }
  const std::string& output() const { return control_.output(); }
  /// For example "arrivals of channel 3": the event for which a sleeping or blocked core waits.
  std::string waits_for() const;
  bool is_at_barrier() const { return barrier_.waiting(); }

 private:
  void exited(std::uint32_t status, support::Cycle now) override;

  const std::string where_;
  const unsigned number_;
  support::Calendar& calendar_;
  support::TileScheduler scheduler_;
  unsigned calendar_index_;
  support::WatchHub watch_hub_;
  const unsigned clock_mhz_;
  Wram wram_;
  dram::BankPort bank_;
  UnitBus bus_;
  Stop stop_;
  DmaEngine dma_;
  BarrierPort barrier_;
  UnitControl control_;
  riscv::Core core_;
  riscv::AwaitedCount awaited_count_{core_};
  std::unique_ptr<TaskletCore> tasklets_;  ///< null: core_ runs the programs
  const support::Probe* probe_ = nullptr;

  State state_ = State::kStopped;
  std::uint32_t exit_status_ = 0;
  support::Cycle started_at_ = 0;
  support::Cycle exited_at_ = 0;
};

}  // namespace tvp::pim
