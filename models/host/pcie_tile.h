#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>

#include "models/host/foreign_host_memory.h"
#include "models/host/host_memory.h"
#include "models/host/outbound_iatu.h"
#include "models/host/pcie_config.h"
#include "models/noc/niu/niu_register_port.h"
#include "models/noc/torus/torus.h"
#include "models/support/tile_scheduler.h"

namespace tvp::host {

/// The PCI Express tile as the NoC sees it: a NIU on each NoC, and 4 GiB behind them. The
/// outbound iATU maps these to the memory of the host (ISA PCIExpressTile/README.md).
class PcieTile : public sc_core::sc_module, public ForeignHostMemory::Reader {
 public:
  struct Stats {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
  };

  PcieTile(const sc_core::sc_module_name& name, const PcieConfig& config, const noc::Grid& grid,
           const noc::NocConfig& noc_config, unsigned aiclk_mhz, support::Calendar& calendar,
           foundation::FaultPolicy& faults, const std::string& where);

  void attach(noc::Torus& torus) { torus.attach(*nius_[torus.noc()]); }
  noc::Niu& niu(unsigned noc) { return *nius_[noc]; }
  OutboundIatu& iatu() { return iatu_; }
  /// Makes the memory of the host one of the user's modules; during elaboration.
  void use_foreign_memory(support::CalendarBlock& block, support::ForeignMemory::Timing timing);
  /// Null unless use_foreign_memory() was called.
  ForeignHostMemory* foreign_memory() { return foreign_.get(); }
  /// Null if the tile is connected to no host.
  void set_host_memory(HostMemory* memory) { memory_ = memory; }
  /// A host access over a NoC in no simulated time, to the host's own memory or the NIU's
  /// registers. False for other addresses.
  bool debug_access(unsigned noc, std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                    bool write);
  const Stats& stats() const { return stats_; }

 private:
  using FromNiu = tlm_utils::passthrough_target_socket_tagged<PcieTile>;
  /// Time of one direction of the link in 1/1024 cycles, since rates are not whole bytes a cycle.
  using Ticks = std::uint64_t;
  static constexpr unsigned kTickBits = 10;

  tlm::tlm_sync_enum from_niu_fw(int noc, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  bool in_window(std::uint64_t address, std::uint32_t bytes) const;
  /// Throws Fault(kDescription) if there is no host or it has provided no memory.
  void require_memory(const char* who, std::uint64_t address) const;
  /// Counts the access; returns the parts that the iATU keeps together.
  std::vector<OutboundIatu::Target> parts_of(const tlm::tlm_generic_payload& payload);
  /// Moves the bytes.
  void perform(tlm::tlm_generic_payload& payload);
  void read_done(tlm::tlm_generic_payload& payload, support::Cycle at,
                 support::Cycle done) override;
  void respond(unsigned noc, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
               support::Cycle at);
  void write_enabled(std::uint64_t address, const std::uint8_t* data, const std::uint8_t* enables,
                     std::uint32_t bytes);
  support::Cycle cycles_of(unsigned ns) const { return std::uint64_t{ns} * aiclk_mhz_ / 1000; }

  const PcieConfig& config_;
  const foundation::ChipSpec::Pcie& spec_;
  const unsigned aiclk_mhz_;
  const std::string where_;
  support::Calendar& calendar_;
  support::TileScheduler scheduler_;
  support::WatchHub watches_;
  OutboundIatu iatu_;
  HostMemory* memory_ = nullptr;
  std::unique_ptr<ForeignHostMemory> foreign_;
  unsigned tile_ = 0;  ///< in the calendar
  std::array<std::unique_ptr<noc::Niu>, 2> nius_;
  std::array<std::unique_ptr<FromNiu>, 2> from_niu_;
  std::array<std::unique_ptr<noc::NiuRegisterPort>, 2> registers_;
  std::array<Ticks, 2> link_free_{};  ///< for reads, for writes
  Stats stats_;
};

}  // namespace tvp::host
