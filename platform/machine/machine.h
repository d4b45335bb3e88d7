#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <systemc>
#include <vector>

#include "foundation/fault.h"
#include "models/support/calendar.h"
#include "models/support/wave_files/wave_recorder.h"
#include "platform/checks/event_file.h"
#include "platform/machine/debug_access.h"
#include "platform/machine/device_access.h"
#include "platform/machine/platform_config.h"
#include "platform/machine/profile/cycle_profile.h"
#include "platform/machine/profile/profile_file.h"
#include "platform/machine/program_access.h"
#include "platform/machine/ranks/chip_ranks.h"
#include "platform/machine/recording_fault_policy.h"
#include "platform/machine/thread_team.h"
#include "platform/machine/unit_access.h"
#include "platform/machine/waves/wave_source.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// A named span of simulated time.
struct PhaseRecord {
  std::string name;
  std::uint64_t begin_ps = 0;
  std::uint64_t end_ps = 0;
  bool open = true;
};

/// The simulated system: what all kinds of systems have in common.
///
/// One SystemC method runs the machine's calendars in windows of window_cycles(). Within a window,
/// nothing that leaves one calendar reaches another. Windows without events are skipped.
/// Calendars run one after the other, or (`threads`) at the same time, with equal results. If one
/// stops the run, the others continue to the end of the window. The `kind` of a system's
/// description selects the subclass.
class Machine : public sc_core::sc_module {
 public:
  ~Machine() override;

  /// Prepares the run, and elaborates unless a user runs the kernel.
  virtual void start();
  /// Advances by `cycles` of clock_mhz().
  void clock(std::uint64_t cycles);

  /// Takes over sc_time_stamp(), where a user runs the kernel: before the host accesses anything.
  void follow_kernel();

  /// Clock of the cycles that calendars count.
  std::uint64_t clock_mhz() const { return clock_mhz_; }
  std::uint64_t now_ps() const { return to_ps(cycle_now_); }
  std::uint64_t to_ps(support::Cycle cycle) const { return cycle * 1'000'000 / clock_mhz_; }
  support::Cycle now() const { return cycle_now_; }
  /// "1234.567 ns", for messages.
  std::string time_of(support::Cycle cycle) const;
  /// Lets cores catch up that run ahead of the calendar's events. Call it before reading their
  /// memories or registers.
  void settle() const;
  /// True if nothing is scheduled, so that only the host can change the state.
  bool idle() const;

  // The host's interfaces to this kind of machine; null if it lacks one.
  virtual DeviceAccess* devices() { return nullptr; }
  virtual ProgramAccess* programs() { return nullptr; }
  virtual UnitAccess* units() { return nullptr; }
  virtual DebugAccess* debug() { return nullptr; }
  virtual WaveSource* waves() { return nullptr; }

  const RecordingFaultPolicy& faults() const { return faults_; }
  RecordingFaultPolicy& faults() { return faults_; }
  const PlatformConfig& config() const { return config_; }

  void phase(const std::string& name, bool end);
  const std::vector<PhaseRecord>& phases() const { return phases_; }

  /// Adds an entry to a row of the wave file; no effect without a wave file.
  void span(const std::string& path, const std::string& name, support::Cycle begin,
            support::Cycle end);
  /// Writes buffered waves and logs, however the run ended.
  virtual void finish();

  /// Text of a fault with known functions and source lines.
  virtual std::string explain(const foundation::Fault& fault) const;
  /// Another rank: does what rank 0 asks for, and answers.
  virtual void serve(Message& call);

  /// JSON for tensix_vp_system().
  virtual std::string system_json() const { return system_.to_json(); }
  /// JSON for tensix_vp_report().
  std::string report() const;
  /// Checks that no packet was lost, once the machine is idle.
  virtual void check_at_end() const {}
  /// Hash over all used memories and the time.
  virtual std::uint64_t state_digest() const = 0;

  SC_HAS_PROCESS(Machine);

 protected:
  Machine(const sc_core::sc_module_name& name, const SystemDescription& system,
          PlatformConfig& config, std::uint64_t clock_mhz);

  /// Registers a calendar of the machine, during construction.
  void add_calendar(support::Calendar& calendar) { calendars_.push_back(&calendar); }
  /// The longest window: how far a calendar may run ahead of the others.
  virtual support::Cycle window_cycles() const { return support::kNever; }
  /// True if calendars may run at the same time, since they share nothing in a window.
  virtual bool runs_apart() const { return false; }
  /// A window with parallel calendars begins. Their messages to each other and to the machine are
  /// kept until it ends.
  virtual void begin_apart() {}
  virtual void end_apart() {}
  /// Other ranks simulate some of the chips. `places`: those of the calendars in the description.
  void share(ChipRanks& ranks, std::vector<std::size_t> places) {
    ranks_ = &ranks;
    places_ = std::move(places);
  }
  /// The next event of the own calendars.
  support::Cycle own_next_cycle() const;
  /// The code of a core is about to change.
  void before_load(unsigned chip, unsigned x, unsigned y, unsigned kind) {
    if (profile_) profile_->before_load(chip, x, y, kind);
  }
  /// Adds the part of this kind of machine to the report.
  virtual void describe(nlohmann::ordered_json& json) const = 0;
  /// Where the events of tiles are written (`record.events`); null: nowhere.
  checks::EventFile* event_file() const { return event_file_.get(); }

  const SystemDescription& system_;
  PlatformConfig& config_;
  RecordingFaultPolicy faults_;

 private:
  Profile profile() const;
  void run_window();
  void advance_window();
  support::Cycle next_cycle() const;
  void run_until(support::Cycle end);
  bool is_worth_threads(support::Cycle end);
  std::uint64_t steps() const;
  void exchange();

  const std::uint64_t clock_mhz_;
  std::vector<support::Calendar*> calendars_;
  std::vector<PhaseRecord> phases_;
  std::unique_ptr<checks::EventFile> event_file_;
  std::unique_ptr<support::WaveRecorder> recorder_;  ///< null if no waves are recorded
  std::unique_ptr<ProfileFile> profile_file_;        ///< null if no profile is written
  std::unique_ptr<CycleProfile> profile_;            ///< the same
  ChipRanks* ranks_ = nullptr;                       ///< null: all chips are here
  std::vector<std::size_t> places_;  ///< the calendars' chips in the description, with ranks_
  sc_core::sc_event go_;
  support::Cycle cycle_now_ = 0;
  support::Cycle limit_ = 0;    ///< end of the current clock() call
  std::exception_ptr stopped_;  ///< the exception that ended the simulation inside the method

  std::unique_ptr<ThreadTeam> team_;       ///< null with one thread
  std::vector<std::exception_ptr> stops_;  ///< one per calendar, in a window
  std::uint64_t steps_ = 0;                ///< at the start of the last window
};

/// Throws Fault(kDescription) for a key without effect: one of `keys`, or of the description, that
/// belongs to another kind of system.
void refuse_keys_without_effect(const SystemDescription& system, const std::set<std::string>& keys);

/// Creates the machine of the description's kind. Throws Fault(kDescription) if that fails.
std::unique_ptr<Machine> make_machine(const SystemDescription& system, PlatformConfig& config);

}  // namespace tvp::platform
