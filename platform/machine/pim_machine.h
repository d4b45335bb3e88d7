#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/dram/timing/activation_window.h"
#include "models/pim/channel_array.h"
#include "models/pim/host/host_access.h"
#include "models/pim/host/host_traffic.h"
#include "models/pim/network/message_pool.h"
#include "models/pim/network/rank_mesh.h"
#include "models/pim/network/star_network.h"
#include "models/pim/network/tiered_network.h"
#include "models/pim/pim_hierarchy.h"
#include "models/pim/unit/bank_unit.h"
#include "models/pim/unit/barrier.h"
#include "models/rtl/barrier_controller.h"
#include "models/rtl/channel_block.h"
#include "models/rtl/router_array.h"
#include "models/support/calendar_block.h"
#include "platform/checks/chip_checks.h"
#include "platform/machine/machine.h"
#include "platform/machine/symbol_table.h"
#include "platform/machine/waves/core_waves.h"

namespace tvp::platform {

/// A processing-in-memory system: DRAM banks with a processor each (settings `pim.*`). The network
/// is one mesh, one mesh per chip joined by a switch and a bus (`mesh.*`), or switches only
/// (`switch.*`). A cycle is one of the units' clock.
class PimMachine : public Machine,
                   private UnitAccess,
                   private DebugAccess,
                   private WaveSource,
                   private pim::Activity {
 public:
  PimMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
             PlatformConfig& config);

  void start() override;

  UnitAccess* units() override { return this; }
  DebugAccess* debug() override { return this; }
  WaveSource* waves() override { return this; }

  std::string explain(const foundation::Fault& fault) const override;
  /// Source lines of the code that a warning names.
  std::string sender_of(const std::string& message, unsigned receiver) const;
  std::string lines_of(const foundation::Fault& fault) const;
  std::string system_json() const override;
  void check_at_end() const override;
  void finish() override;
  std::uint64_t state_digest() const override;

 private:
  unsigned count() const override { return hierarchy_.units(); }
  std::uint64_t bank_bytes() const override { return units_.front()->bank().bytes(); }
  Owner owner(unsigned unit) override;
  void set_owner(unsigned unit, Owner owner) override;
  void access_bank(unsigned unit, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                   bool write) override;
  support::Cycle end_of_access(unsigned unit, std::uint64_t address, std::uint64_t bytes,
                               bool write) override;
  void debug_bank(unsigned unit, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                  bool write) override;
  void access_wram(unsigned unit, std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                   bool write) override;
  bool peek_wram(unsigned unit, std::uint32_t address, std::uint8_t* data,
                 std::uint32_t bytes) const override;
  void load(unsigned unit, const std::string& elf_path) override;
  void write_iram(unsigned unit, std::uint32_t offset, const std::uint8_t* data,
                  std::uint32_t bytes) override;
  void read_iram(unsigned unit, std::uint32_t offset, std::uint8_t* data,
                 std::uint32_t bytes) override;
  void set_entry(unsigned unit, std::uint32_t entry) override;
  std::optional<std::uint32_t> entry(unsigned unit) override;
  void start_units(std::span<const unsigned> units) override;
  State state(unsigned unit) override;
  std::vector<std::uint32_t> scheduled_route(unsigned source, unsigned destination) override;
  std::string origin(unsigned unit, std::uint64_t address, bool in_wram) const override;
  const std::string& output(unsigned unit) override;
  /// Throws Fault(kDescription) if there is no unit of that number.
  pim::BankUnit& unit(unsigned number);

  std::vector<CoreSite> core_sites() override;
  std::optional<riscv::SourceLocation> place_of(const CoreSite& site,
                                                std::uint32_t address) const override;
  bool is_firmware(const CoreSite& site, std::uint32_t address) const override;
  bool has_unfinished_programs() const override;

  /// Throws Fault(kDescription) unless the host owns the bank and the range is in it.
  pim::BankUnit& unit_of_access(unsigned unit, std::uint64_t address, std::uint64_t bytes);
  bool busy(support::Cycle now) const override;
  bool host_owns(unsigned rank, unsigned bank) const override;
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;
  /// The RTL of the barrier gets its clock edges from SystemC, between two cycles.
  support::Cycle window_cycles() const override { return ca_barrier_ ? 1 : support::kNever; }
  void describe_units(nlohmann::ordered_json& json) const;
  void describe_bank(nlohmann::ordered_json& json, const pim::BankUnit& unit) const;
  void describe_tasklets(nlohmann::ordered_json& json, const pim::BankUnit& unit) const;
  void describe_network(nlohmann::ordered_json& json) const;
  void describe_links(nlohmann::ordered_json& json, const mesh::MeshNetwork& mesh,
                      const std::string& where) const;
  void describe_heat(nlohmann::ordered_json& json) const;
  void describe_tiers(nlohmann::ordered_json& json) const;
  void describe_star(nlohmann::ordered_json& json) const;
  void describe_forwarding(nlohmann::ordered_json& json) const;
  void describe_host_traffic(nlohmann::ordered_json& json) const;
  void describe_commands(nlohmann::ordered_json& json) const;
  void describe_crossbars(nlohmann::ordered_json& json) const;
  /// One mesh, one per chip, or none.
  unsigned mesh_count() const;
  mesh::MeshNetwork& mesh(unsigned number);
  std::vector<const mesh::MeshNetwork*> meshes() const;
  void make_channel_blocks();
  void watch_meshes(support::WaveRecorder& recorder);
  void watch_star(support::WaveRecorder& recorder);

  const pim::PimHierarchy hierarchy_;
  support::Calendar calendar_;
  std::unique_ptr<support::CalendarBlock> block_;  ///< null unless a user runs the kernel
  pim::ChannelArray channels_;
  const mesh::MeshTopology topology_;  ///< the same for each mesh
  std::vector<std::unique_ptr<rtl::RouterArray>>
      rtl_;                                   ///< one per mesh; null if all routers are TLM
  std::unique_ptr<pim::RankMesh> rank_mesh_;  ///< exactly one of these three exists
  std::unique_ptr<pim::TieredNetwork> tiers_;
  std::unique_ptr<pim::StarNetwork> star_;
  pim::Network& network_;
  pim::HostTraffic host_traffic_;
  pim::HostAccess host_access_;
  pim::MessagePool messages_;
  std::unique_ptr<rtl::BarrierController> ca_barrier_;  ///< null if it is TLM
  // One per channel and one per rank, or none if they are TLM.
  std::vector<std::unique_ptr<rtl::ChannelBlock<ddr::ExternalCaBus>>> ca_buses_;
  std::vector<std::unique_ptr<rtl::ChannelBlock<switching::ExternalCrossbar>>> crossbars_;
  pim::Barrier barrier_;
  std::vector<std::unique_ptr<dram::ActivationWindow>> chips_;
  checks::ChipChecks checks_{faults_};  ///< for all units
  std::vector<std::unique_ptr<pim::BankUnit>> units_;
  std::vector<std::optional<std::uint32_t>> entries_;  ///< one per unit with a program
  SymbolTable symbols_;
  CoreWaves core_waves_;
  std::vector<std::vector<support::LevelSignal>> link_signals_;  ///< one vector per mesh
};

}  // namespace tvp::platform
