#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "foundation/fault.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/coprocessor_client.h"
#include "models/tensix/coprocessor/coprocessor_config.h"
#include "models/tensix/coprocessor/frontend/issue_faults.h"
#include "models/tensix/coprocessor/frontend/issue_stage.h"
#include "models/tensix/coprocessor/mover/mover_targets.h"
#include "models/tensix/coprocessor/register_windows.h"
#include "models/tensix/coprocessor/scalar/thcon_port.h"
#include "models/tensix/coprocessor/shared_state.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// The Tensix coprocessor of one tile (ISA TensixCoprocessor/README.md). It consists of the
/// registers that its units share, the backend, the issue stage, and the connections to the rest of
/// the tile.
class Coprocessor : public sc_core::sc_module {
 public:
  Coprocessor(const sc_core::sc_module_name& name, const std::string& where, L1Port& l1,
              support::WatchHub& watch_hub, foundation::FaultPolicy& faults,
              CoprocessorClient& client, const MovementConfig& movement = default_movement(),
              const CoprocessorConfig& config = default_config(),
              Generation generation = Generation::kWormhole);

 private:
  // First member, since the public members below refer to it.
  SharedState state_;
  IssueFaults faults_;
  ThconPort thcon_port_;
  Backend backend_;
  IssueStage issue_;
  MoverTargets mover_targets_;
  RegisterWindows windows_;

 public:
  /// Accesses of the scalar unit and of PACR_SETREG to the registers at 0xFFB_____.
  tlm_utils::simple_initiator_socket<ThconPort>& thcon = thcon_port_.socket;

  /// Where its units report what they do; null: nowhere.
  void set_probe(support::Probe* probe);
  /// Its two agents in the tile; the mover comes first in the tie order.
  Mover& mover() { return backend_.mover(); }
  IssueStage& issue() { return issue_; }
  const IssueStage& issue() const { return issue_; }

  SharedState& state() { return state_; }
  const SharedState& state() const { return state_; }
  Backend& backend() { return backend_; }
  const Backend& backend() const { return backend_; }
  /// For the tile's address map, which also has the registers of TDMA-RISC.
  RegisterWindows& windows() { return windows_; }
  support::MmioDevice& tdma_window() { return backend_.tdma(); }

  // For TTSync and PCBufs:
  bool thread_idle(unsigned thread) const { return issue_.threads()[thread].idle; }
  bool mop_expander_done(unsigned thread) const {
    return issue_.threads()[thread].frontend.mop_done();
  }
  /// For RISCV_DEBUG_REG_CFGREG_RDDATA.
  std::uint32_t config_word(unsigned word) const;

 private:
  static const MovementConfig& default_movement();
  static const CoprocessorConfig& default_config();
};

}  // namespace tvp::tensix::coprocessor
