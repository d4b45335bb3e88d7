#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/ethernet/link.h"
#include "platform/machine/bare_program.h"
#include "platform/machine/chip.h"
#include "platform/machine/machine_waves.h"
#include "platform/machine/platform_config.h"
#include "platform/machine/recording_fault_policy.h"
#include "platform/machine/symbol_table.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// A named stretch of simulated time.
struct PhaseRecord {
  std::string name;
  std::uint64_t begin_ps = 0;
  std::uint64_t end_ps = 0;
  bool open = true;
};

/// All chips of a system and the links between them.
///
/// One SystemC method runs the calendars of the chips in windows no longer than the shortest link
/// latency, so that nothing sent in a window arrives in it. Windows in which nothing happens are
/// skipped.
class Machine : public sc_core::sc_module {
 public:
  Machine(const sc_core::sc_module_name& name, const SystemDescription& system,
          PlatformConfig& config);

  /// Elaborates.
  void start();
  /// Lets `cycles` AICLK cycles pass.
  void clock(std::uint32_t cycles);

  std::uint64_t now_ps() const { return cycle_now_ * 1'000'000 / aiclk_mhz_; }
  support::Cycle now() const { return cycle_now_; }
  /// Nothing is scheduled anywhere: only the host can change that.
  bool idle() const;

  Chip* chip_of_pci_device(unsigned device);
  const std::vector<std::unique_ptr<Chip>>& chips() const { return chips_; }
  const std::vector<std::unique_ptr<ethernet::Link>>& links() const { return links_; }
  void host_access(Chip& chip, std::uint64_t bar0_offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write);

  /// Loads and starts a bare program, instead of an earlier one of the same core. Throws
  /// Fault(kDescription) when that is not possible.
  BareProgram& start_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                             const std::string& elf_path, const BareProgram::Options& options);
  const std::vector<std::unique_ptr<BareProgram>>& programs() const { return programs_; }

  SymbolTable& symbols() { return symbols_; }
  const RecordingFaultPolicy& faults() const { return faults_; }
  const PlatformConfig& config() const { return config_; }
  void phase(const std::string& name, bool end);
  const std::vector<PhaseRecord>& phases() const { return phases_; }

  /// A row of the wave file that the host names; nothing without a wave file.
  void stretch(const std::string& path, const std::string& name, support::Cycle begin,
               support::Cycle end);
  /// Writes the wave file, however the run ended.
  void finish_waves();

  /// Text of a fault with function and source line where they are known.
  std::string explain(const support::Fault& fault) const;
  /// JSON for tensix_vp_report().
  std::string report() const;
  /// Conservation of packets, once everything has come to rest.
  void check_at_end() const;
  /// Hash over all memories that were touched, and the time.
  std::uint64_t state_digest() const;

  SC_HAS_PROCESS(Machine);

 private:
  void run_window();
  void advance_window();
  support::Cycle next_cycle() const;
  support::Cycle window_cycles() const;

  const SystemDescription& system_;
  PlatformConfig& config_;
  std::uint64_t aiclk_mhz_;
  RecordingFaultPolicy faults_;
  std::vector<std::unique_ptr<Chip>> chips_;
  std::vector<std::unique_ptr<ethernet::Link>> links_;
  SymbolTable symbols_;
  std::unique_ptr<MachineWaves> waves_;
  std::vector<PhaseRecord> phases_;
  std::vector<std::unique_ptr<BareProgram>> programs_;
  sc_core::sc_event go_;
  support::Cycle cycle_now_ = 0;
  support::Cycle limit_ = 0;    ///< end of the current clock() call
  std::exception_ptr stopped_;  ///< what ended the simulation from inside the method
};

}  // namespace tvp::platform
