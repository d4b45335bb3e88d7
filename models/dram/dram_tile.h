#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dram/controller/controller.h"
#include "models/dram/dram_config.h"
#include "models/noc/niu/niu_register_port.h"
#include "models/noc/torus/torus.h"
#include "models/support/calendar_block.h"
#include "models/support/foreign_memory.h"
#include "models/support/tile_scheduler.h"

namespace tvp::dram {

/// Channels of a DRAM tile whose memories modules of a user provide.
struct ForeignChannels {
  support::CalendarBlock* block = nullptr;  ///< the chip's block; null if no channel is foreign
  std::vector<unsigned> channels;
  support::ForeignMemory::Timing timing = support::ForeignMemory::Timing::kApproximate;
  std::uint32_t burst_bytes = 0;  ///< largest transaction with kApproximate; 0: no limit
};

/// A group of DRAM tiles: NoC endpoints with a NIU on each NoC, which share the channels of the
/// group (ISA DRAMTile/README.md: three endpoints, two channels). The group is one tile of the
/// calendar, so requests reach a channel in one order.
class DramTile : public sc_core::sc_module {
 public:
  DramTile(const sc_core::sc_module_name& name, const DramConfig& config, const noc::Grid& grid,
           const noc::NocConfig& noc_config, unsigned group, support::Calendar& calendar,
           foundation::FaultPolicy& faults, const std::string& where,
           Period aiclk = Period::of_mhz(1000), const ForeignChannels& foreign = {});

  /// Binds the group's three NIUs of that NoC.
  void attach(noc::Torus& torus);

  noc::Niu& niu(unsigned endpoint, unsigned noc) { return *nius_[endpoint * 2 + noc]; }
  Controller& channel(unsigned index) { return *channels_[index]; }
  unsigned group() const { return group_; }
  /// The socket of a channel's memory if a module of the user provides it; otherwise null.
  support::ForeignMemory* foreign_memory(unsigned index);
  /// Sets the observer of every access to all channels; null: none.
  void observe(support::Probe::Listener* observer);
  unsigned endpoints() const { return static_cast<unsigned>(nius_.size() / 2); }
  unsigned channels() const { return static_cast<unsigned>(channels_.size()); }

  /// Access of the host and debuggers without time, within the group's banks. False outside.
  bool debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes);
  bool debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
  /// The same for registers of NIUs, through an endpoint and a NoC.
  bool debug_registers(unsigned endpoint, unsigned noc, std::uint64_t address, std::uint8_t* data,
                       std::uint32_t bytes, bool write);

 private:
  /// The registers of a NIU of the group.
  struct NiuWindow {
    unsigned port;  ///< index of the NIU
    std::uint32_t offset;
  };
  using FromNiu = tlm_utils::passthrough_target_socket_tagged<DramTile>;
  using ToController = tlm_utils::simple_initiator_socket<DramTile>;

  tlm::tlm_sync_enum from_niu_fw(int port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  tlm::tlm_sync_enum controller_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
  /// The registers at an address beyond the banks, for accesses through that NIU.
  std::optional<NiuWindow> registers_at(unsigned port, std::uint64_t address) const;
  template <typename Function>
  bool for_each_part(std::uint64_t address, std::uint64_t bytes, Function function);

  const unsigned group_;
  std::vector<unsigned> niu_order_;    ///< endpoints in the order of the APB window
  const std::uint64_t channel_bytes_;  ///< a power of two
  const unsigned channel_shift_;
  support::Calendar& calendar_;
  support::TileScheduler scheduler_;
  support::WatchHub watches_;
  std::vector<std::unique_ptr<Controller>> channels_;
  std::vector<std::unique_ptr<ToController>> to_controller_;
  std::vector<std::unique_ptr<noc::Niu>> nius_;  ///< index: endpoint * 2 + noc, also below
  std::vector<std::unique_ptr<FromNiu>> from_niu_;
  std::vector<std::unique_ptr<noc::NiuRegisterPort>> registers_;
};

}  // namespace tvp::dram
