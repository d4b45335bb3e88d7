#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/support/probe.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/config/config_effects.h"
#include "models/tensix/coprocessor/config/config_reports.h"
#include "models/tensix/coprocessor/config/configuration_unit.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/coprocessor_client.h"
#include "models/tensix/coprocessor/coprocessor_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/frontend/offered.h"
#include "models/tensix/coprocessor/frontend/pipelines.h"
#include "models/tensix/coprocessor/matrix/matrix_unit.h"
#include "models/tensix/coprocessor/mover/mover.h"
#include "models/tensix/coprocessor/mover/tdma_risc.h"
#include "models/tensix/coprocessor/pack/packers.h"
#include "models/tensix/coprocessor/scalar/miscellaneous_unit.h"
#include "models/tensix/coprocessor/scalar/scalar_memory.h"
#include "models/tensix/coprocessor/scalar/scalar_unit.h"
#include "models/tensix/coprocessor/scalar/sync_unit.h"
#include "models/tensix/coprocessor/scalar/thcon_port.h"
#include "models/tensix/coprocessor/shared_state.h"
#include "models/tensix/coprocessor/unit.h"
#include "models/tensix/coprocessor/unpack/unpackers.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// The backend: all units behind the wait gates, and the actions of an instruction that is offered
/// to one.
class Backend {
 public:
  struct Connections {
    SharedState& state;
    L1Port& l1;
    ThconPort& registers;
    CoprocessorClient& client;
    MoverClient& mover_client;
    const support::Agent& agent;  ///< the units act in its turn
    support::WatchHub& watch_hub;
    const Offered& offered;
    foundation::FaultPolicy& faults;
    Generation generation;
  };

  Backend(const std::string& where, const Connections& to, const MovementConfig& movement,
          const CoprocessorConfig& config);

  /// Replaces one of the coprocessor's units.
  void attach(Unit unit, ExecutionUnit& target) { units_[static_cast<unsigned>(unit)] = &target; }
  void attach(PackerMetadata& packers);

  /// Offers an instruction; STALLWAIT and SEMWAIT go to `latch`.
  Issue issue(std::uint32_t instruction, unsigned thread, Unit unit, Cycle now, WaitLatch& latch);
  /// First cycle at which the unit accepts another instruction, as far as it has announced.
  Cycle free_from(Unit unit) const { return free_from_[static_cast<unsigned>(unit)]; }
  /// The unit has started an instruction that is done at `issue.done`.
  void started(std::uint32_t instruction, unsigned thread, Unit unit, const Issue& issue);
  // issue() and started() for the matrix and vector unit only.
  Issue issue_arithmetic(std::uint32_t instruction, unsigned thread, Unit unit, Cycle now) {
    return units_[static_cast<unsigned>(unit)]->issue(instruction, thread, now);
  }
  void started_arithmetic(unsigned thread, Unit unit, const Issue& issue) {
    free_from_[static_cast<unsigned>(unit)] = issue.unit_free;
    pipelines_.occupy(thread, unit == Unit::kMatrix ? Pipelines::kMath : Pipelines::kSfpu,
                      issue.done);
  }
  /// The coprocessor's own vector unit; null if another one replaces it.
  VectorUnit* own_vector() {
    return units_[static_cast<unsigned>(Unit::kVector)] == &vector_ ? &vector_ : nullptr;
  }
  /// The same for the matrix unit.
  MatrixUnit* own_matrix() {
    return units_[static_cast<unsigned>(Unit::kMatrix)] == &matrix_ ? &matrix_ : nullptr;
  }
  /// Delivers results that are due at `now`.
  void deliver(Cycle now);
  /// Tie order of the agent that runs the coprocessor, for writes of the packers.
  void set_agent_order(unsigned order) { packers_.set_agent_order(order); }

  /// True if an UNPACR of the thread waits in its unpacker for a bank of the matrix unit.
  bool waits_for_bank(unsigned thread) const {
    return unpackers_.waits_for_bank(0, thread) || unpackers_.waits_for_bank(1, thread);
  }

  /// The instruction at which units work.
  const Offered& offered() const { return offered_; }
  Mover& mover() { return mover_; }
  const Mover& mover() const { return mover_; }
  TdmaRisc& tdma() { return tdma_; }
  /// A store of a T core to a semaphore.
  void access_semaphore(unsigned i, std::uint32_t value, Cycle now);
  const SyncUnit& sync() const { return sync_; }
  ConfigurationUnit& configuration() { return configuration_; }
  const ConfigurationUnit& configuration() const { return configuration_; }
  const ScalarUnit& scalar() const { return scalar_; }
  Unpackers& unpackers() { return unpackers_; }
  const Unpackers& unpackers() const { return unpackers_; }
  const Packers& packers() const { return packers_; }
  const VectorUnit& vector() const { return vector_; }
  const Pipelines& pipelines() const { return pipelines_; }

 private:
  using Kind = support::ProbeEvent::Kind;

  /// CLREXPHIST of the matrix unit acts on the packers.
  struct Histograms : MatrixUnit::ExponentHistograms {
    explicit Histograms(Packers& of) : packers(of) {}
    void reset() override { packers.clear_exponent_histograms(); }
    Packers& packers;
  };

  Issue start_mover(unsigned thread, Cycle now);
  void deliver(const WriteBack::Entry& entry, Cycle now);
  /// Null if no listener wants events of the kind.
  const support::Probe* probe_for(Kind kind) const {
    const support::Probe* const probe = l1_.probe();
    return probe != nullptr && probe->wants(kind) ? probe : nullptr;
  }
  void report_semaphores(std::uint32_t instruction, unsigned thread, Cycle now) const;
  void report_selection(std::uint32_t instruction, unsigned thread, Cycle now) const;
  void report_math(std::uint32_t instruction, unsigned thread) const;
  void occupy_packers(std::uint32_t instruction, unsigned thread, Cycle done);
  [[noreturn]] void stop_at(std::uint32_t instruction, unsigned thread, Unit unit) const;

  const std::string where_;
  SharedState& state_;
  ThconPort& registers_;
  const support::Agent& agent_;
  const Offered& offered_;
  support::WatchHub& watch_hub_;
  const L1Port& l1_;

  Unpackers unpackers_;
  Packers packers_;
  Pipelines pipelines_;
  ConfigReports config_reports_;
  ConfigEffects effects_;
  SyncUnit sync_;
  ConfigurationUnit configuration_;
  Mover mover_;
  TdmaRisc tdma_;
  ScalarMemory scalar_memory_;
  ScalarUnit scalar_;
  MiscellaneousUnit miscellaneous_;
  MatrixUnit matrix_;
  VectorUnit vector_;
  Histograms histograms_{packers_};

  std::array<ExecutionUnit*, kUnits> units_{};
  std::array<Cycle, kUnits> free_from_{};
};

}  // namespace tvp::tensix::coprocessor
