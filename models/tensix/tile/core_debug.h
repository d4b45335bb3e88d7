#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/riscv/core.h"
#include "models/riscv/debug/core_observer.h"
#include "models/tensix/tile/tile_bus.h"

namespace tvp::tensix {

/// The debug unit of one RISC-V core, behind RISC_DBG_CNTL and RISC_DBG_STATUS (tt-exalens,
/// baby_risc_debug.py). The core halts at the first place at which it may stop (riscv::Core).
class CoreDebug : public riscv::CoreObserver {
 public:
  CoreDebug(riscv::Core& core, TileBus& bus, foundation::FaultPolicy& faults)
      : core_(core), bus_(bus), faults_(faults) {}

  std::uint32_t read(std::uint32_t index, support::Cycle now) const;
  void write(std::uint32_t index, std::uint32_t value, support::Cycle now);

  /// A core in reset forgets its watchpoints and leaves debug mode.
  void reset_with_core();

  // CoreObserver
  void committed(const riscv::Core& core, const riscv::Commit& commit) override;
  bool stop_before(const riscv::Core& core, std::uint32_t pc) override;
  bool handles_break(const riscv::Core& core, std::uint32_t pc) override;
  /// Polls that no watchpoint sees are slept through.
  bool wants_polls() const override { return stepping_ || settings_ != 0; }

 private:
  static constexpr unsigned kWatchpoints = 8;

  bool halted() const { return core_.state() == riscv::CoreState::kPaused; }
  void command(std::uint32_t word, support::Cycle now);
  void go_on(bool step, support::Cycle now);
  void observe(bool on);
  std::uint32_t read_register() const;
  void write_register();
  void access_memory(bool write, support::Cycle now);
  std::uint32_t setting(unsigned watchpoint) const { return settings_ >> 4 * watchpoint & 0xF; }
  void raise(foundation::FaultKind kind, const std::string& text) const;

  riscv::Core& core_;
  TileBus& bus_;
  foundation::FaultPolicy& faults_;
  std::uint32_t arguments_[2] = {};
  std::uint32_t result_ = 0;
  std::uint32_t settings_ = 0;  ///< four bits for each watchpoint
  std::uint32_t watchpoints_[kWatchpoints] = {};
  std::uint32_t reasons_ = 0;  ///< bits of the status that say why the core has halted
  bool commanded_ = false;     ///< it has halted after a command, not at an ebreak
  bool stepping_ = false;
  bool accessed_ = false;  ///< the last instruction has hit a watchpoint of memory
};

}  // namespace tvp::tensix
