#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/ethernet/link.h"
#include "platform/machine/bare_program.h"
#include "platform/machine/chip.h"
#include "platform/machine/machine.h"
#include "platform/machine/machine_waves.h"
#include "platform/machine/symbol_table.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// All chips of a system and the links between them.
///
/// Windows are no longer than the shortest link latency, so that nothing sent in a window arrives
/// in it. A cycle is one of AICLK.
class WormholeMachine : public Machine {
 public:
  WormholeMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                  PlatformConfig& config);

  void start() override;

  Chip* chip_of_pci_device(unsigned device);
  const std::vector<std::unique_ptr<Chip>>& chips() const { return chips_; }
  const std::vector<std::unique_ptr<ethernet::Link>>& links() const { return links_; }
  void host_access(Chip& chip, std::uint64_t bar0_offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write);
  /// What chips with a PCI device reach of the host.
  void set_host_memory(host::HostMemory& memory);

  /// Loads and starts a bare program, instead of an earlier one of the same core. Throws
  /// Fault(kDescription) when that is not possible.
  BareProgram& start_program(unsigned chip, unsigned x, unsigned y, unsigned core,
                             const std::string& elf_path, const BareProgram::Options& options);
  const std::vector<std::unique_ptr<BareProgram>>& programs() const { return programs_; }

  SymbolTable& symbols() { return symbols_; }
  void finish() override;
  std::string explain(const foundation::Fault& fault) const override;
  std::vector<CoreSite> core_sites() override;
  std::string source_of(const CoreSite& site, std::uint32_t address) const override;
  bool has_unfinished_programs() const override;
  void check_at_end() const override;
  std::uint64_t state_digest() const override;

 private:
  support::Cycle window_cycles() const override;
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;

  std::vector<std::unique_ptr<Chip>> chips_;
  std::vector<std::unique_ptr<ethernet::Link>> links_;
  SymbolTable symbols_;
  std::unique_ptr<MachineWaves> wave_rows_;
  std::vector<std::unique_ptr<BareProgram>> programs_;
};

}  // namespace tvp::platform
