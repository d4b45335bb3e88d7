#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/ethernet/foreign_link.h"
#include "models/ethernet/link.h"
#include "platform/checks/chip_checks.h"
#include "platform/checks/provenance.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/machine/bare_program.h"
#include "platform/machine/chip.h"
#include "platform/machine/chip_settings.h"
#include "platform/machine/count_polls.h"
#include "platform/machine/held_fault_policy.h"
#include "platform/machine/host_times.h"
#include "platform/machine/machine.h"
#include "platform/machine/ranks/absent_host_memory.h"
#include "platform/machine/ranks/ranked_devices.h"
#include "platform/machine/ranks/ranked_programs.h"
#include "platform/machine/report/state_digest.h"
#include "platform/machine/symbol_table.h"
#include "platform/machine/waves/machine_waves.h"
#include "platform/machine/waves/noc_events.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// All chips of a system and the links between them.
///
/// Windows are no longer than the shortest link latency, so that nothing sent in a window arrives
/// in it. A cycle is one of AICLK.
class WormholeMachine : public Machine,
                        private DeviceAccess,
                        private ProgramAccess,
                        private DebugAccess,
                        private WaveSource {
 public:
  WormholeMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
                  PlatformConfig& config);

  void start() override;

  const std::vector<std::unique_ptr<Chip>>& chips() const { return chips_; }
  /// Ends of links of the user.
  const std::map<ForeignParts::EthernetChannel, std::unique_ptr<ethernet::ForeignLink>>&
  foreign_links() const {
    return foreign_links_;
  }

  DeviceAccess* devices() override { return ranked_devices_ ? ranked_devices_.get() : mine(); }
  ProgramAccess* programs() override {
    if (ranked_programs_) return ranked_programs_.get();
    return this;
  }
  DebugAccess* debug() override { return this; }
  WaveSource* waves() override { return this; }

  void finish() override;
  std::string explain(const foundation::Fault& fault) const override;
  void check_at_end() const override;
  std::uint64_t state_digest() const override;
  void serve(Message& call) override;

 private:
  DeviceAccess* mine() { return this; }
  // With other ranks.
  static void refuse_observers(const PlatformConfig& config);
  void join_ranks(const SystemDescription& system);
  std::vector<ChipRanks::Warnings> take_warnings();
  void note_warnings(const std::vector<ChipRanks::Warnings>& warnings);
  void serve_one(RankCall call, Message& arguments, Message& result, bool& has_answer);
  bool is_host_of_ranks() const { return chip_ranks_ && chip_ranks_->is_host(); }

  /// A finding of a check in a program that still runs.
  struct Finding {
    std::size_t place = 0;  ///< the chip's place in the description
    foundation::Fault fault;
  };
  std::vector<Finding> findings(bool is_idle) const;
  /// Equal findings of several tiles share a line.
  static std::vector<std::string> lines_of(std::vector<Finding> findings);
  /// The parts of the report that come from the own chips.
  nlohmann::ordered_json own_report(bool is_idle) const;
  /// Mixes the memories (first half) or local memories of cores (second half) of the own chip at
  /// `place` into a digest.
  void add_to_digest(StateDigest& digest, unsigned half, std::size_t place) const;
  /// Functions and source lines of the cores involved, one per line; empty if unknown.
  std::string lines_of(const foundation::Fault& fault) const;
  /// Reports how many answers to writes the tile's firmware and its NIUs have counted.
  static void count_answers(tensix::TensixTile& tile, checks::TileChecks& judges);
  /// Null: the system has no such tile.
  tensix::TensixTile* tensix_at(const CorePlace& place) const;
  bool has_device(unsigned device) const override;
  const foundation::ChipSpec::Pcie& bars_of(unsigned device) const override {
    return chip_of_device(device).spec().bars;
  }
  void set_host_memory(host::HostMemory& memory) override;
  void set_listener(unsigned device, host::AccessListener& listener) override;
  void access_bar0(unsigned device, std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write) override;
  void access_bar2(unsigned device, std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes,
                   bool write) override;
  void access_tile(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                   std::uint8_t* data, std::uint32_t bytes, bool write) override;
  void pass_host_time(unsigned device, std::uint32_t bytes, bool write) override {
    const support::Cycle cycles = host_times_.cycles(device, bytes, write);
    if (cycles != 0) clock(cycles);
  }
  /// Throws Fault(kDescription) when there is none.
  Chip& chip_of_device(unsigned device) const;

  bool add_symbols(const CorePlace& place, const std::string& elf_path) override;
  bool set_buffers(const CorePlace& place,
                   std::span<const tensix_vp_circular_buffer> buffers) override;
  bool set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) override;
  bool set_given(const CorePlace& place, const checks::TileContext::Given& given,
                 std::uint32_t address, std::uint32_t bytes) override;
  bool set_dram_buffer(unsigned chip, std::uint64_t address,
                       const checks::DramBuffers::Buffer& buffer) override;
  bool set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                     std::span<const checks::L1Buffers::Tile> tiles) override;
  std::string origin(unsigned chip, unsigned x, unsigned y, std::uint64_t address) const override;
  unsigned start_program(const CorePlace& place, const std::string& elf_path,
                         const ProgramOptions& options) override;
  std::optional<ProgramResult> program_result(unsigned number) const override;

  std::vector<CoreSite> core_sites() override;
  std::optional<riscv::SourceLocation> place_of(const CoreSite& site,
                                                std::uint32_t address) const override;
  bool is_firmware(const CoreSite& site, std::uint32_t address) const override;
  bool has_unfinished_programs() const override;
  std::string monitor(const CoreSite& site, const std::string& command) override;
  std::string monitor_help() const override;

  support::Cycle window_cycles() const override;
  bool runs_apart() const override;
  void begin_apart() override;
  void end_apart() override;
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;

  void make_links(const SystemDescription& system, const PlatformConfig& config);
  /// `number` and `index`: see ethernet::LinkEnd.
  void make_foreign_link(const ForeignParts::EthernetChannel& at, std::size_t number,
                         unsigned index, const PlatformConfig& config);
  void add_checks(Chip& chip, const PlatformConfig& config, HeldFaultPolicy& faults);
  /// The checks of a tile; null if there are none.
  checks::TileChecks* checks_of(unsigned chip, unsigned x, unsigned y) const;
  checks::Provenance provenance_of(const Chip& chip) const;

  AbsentHostMemory absent_host_memory_;
  std::unique_ptr<ChipRanks> chip_ranks_;            ///< null: all chips are here
  std::vector<std::size_t> places_;                  ///< the places of chips_ in the description
  std::unique_ptr<RankedDevices> ranked_devices_;    ///< null but at rank 0
  std::unique_ptr<RankedPrograms> ranked_programs_;  ///< null but at rank 0
  std::vector<std::unique_ptr<ChipSettings>> settings_;        ///< one per chip
  std::vector<std::unique_ptr<HeldFaultPolicy>> chip_faults_;  ///< one per chip
  std::vector<std::unique_ptr<Chip>> chips_;
  std::vector<std::unique_ptr<CountPolls>> polls_;           ///< one per Tensix tile
  std::vector<std::unique_ptr<checks::ChipChecks>> checks_;  ///< one per chip
  std::vector<std::unique_ptr<ethernet::Link>> links_;
  std::map<ForeignParts::EthernetChannel, std::unique_ptr<ethernet::ForeignLink>> foreign_links_;
  SymbolTable symbols_;
  checks::ElfImages images_;
  std::vector<std::unique_ptr<checks::DramBuffers>> dram_buffers_;  ///< a chip each
  std::unique_ptr<MachineWaves> wave_rows_;
  std::unique_ptr<NocEvents> noc_events_;  ///< null: not wanted
  std::vector<std::unique_ptr<BareProgram>> programs_;
  const host::HostMemory* host_memory_ = nullptr;
  HostTimes host_times_{system_, config_};
};

}  // namespace tvp::platform
