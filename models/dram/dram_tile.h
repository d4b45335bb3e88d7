#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/dram_config.h"
#include "models/noc/niu.h"
#include "models/noc/torus.h"
#include "models/support/tile_scheduler.h"

namespace tvp::dram {

inline constexpr unsigned kGroups = 6;
inline constexpr unsigned kEndpoints = 3;  ///< NoC tiles of a group
inline constexpr unsigned kChannels = 2;   ///< of a group

/// Where the endpoints of Wormhole's groups are, in NoC 0 coordinates (ISA WormholeB0/README.md).
noc::Node wormhole_endpoint_of(unsigned group, unsigned endpoint);

/// A group of DRAM tiles: three NoC endpoints with a NIU on each NoC, all of which see the same two
/// channels (ISA DRAMTile/README.md). One tile of the calendar, so that everything that reaches a
/// channel has one order.
class DramTile : public sc_core::sc_module {
 public:
  DramTile(const sc_core::sc_module_name& name, const DramConfig& config,
           const noc::NocConfig& noc_config, unsigned group, support::Calendar& calendar,
           foundation::FaultPolicy& faults, const std::string& where,
           Period aiclk = Period::of_mhz(1000));

  /// Binds the group's three NIUs of that NoC.
  void attach(noc::Torus& torus);

  noc::Niu& niu(unsigned endpoint, unsigned noc) { return *nius_[endpoint * 2 + noc]; }
  Controller& channel(unsigned index) { return *channels_[index]; }
  unsigned group() const { return group_; }
  /// Who is told of every access of both channels, or null.
  void observe(support::MemoryObserver* observer);

  /// Untimed access of the host and of debuggers, within the group's 2 GiB. False outside.
  bool debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes);
  bool debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);

 private:
  using FromNiu = tlm_utils::simple_target_socket_tagged<DramTile>;
  using ToController = tlm_utils::simple_initiator_socket<DramTile>;
  using ToRegisters = tlm_utils::simple_initiator_socket<DramTile>;
  static constexpr unsigned kNius = kEndpoints * 2;

  tlm::tlm_sync_enum from_niu_fw(int port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  tlm::tlm_sync_enum controller_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
  tlm::tlm_sync_enum access_registers(unsigned port, tlm::tlm_generic_payload& payload,
                                      sc_core::sc_time& delay);
  template <typename Function>
  bool for_each_part(std::uint64_t address, std::uint64_t bytes, Function function);

  const unsigned group_;
  support::Calendar& calendar_;
  support::TileScheduler scheduler_;
  support::WatchHub watches_;
  std::array<std::unique_ptr<Controller>, kChannels> channels_;
  std::array<std::unique_ptr<ToController>, kChannels> to_controller_;
  std::array<std::unique_ptr<noc::Niu>, kNius> nius_;
  std::array<std::unique_ptr<FromNiu>, kNius> from_niu_;
  std::array<std::unique_ptr<ToRegisters>, kNius> to_registers_;
};

}  // namespace tvp::dram
