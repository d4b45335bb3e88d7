#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>

#include "models/ethernet/bus_initiator.h"
#include "models/ethernet/rx_queue.h"
#include "models/ethernet/tx_queue.h"
#include "models/support/calendar.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

/// The transmit and receive subsystem of an ethernet tile: two queues in each direction, the
/// software counter, and the tile's end of the link. As a device it decodes 0xFFB90000..0xFFB9FFFF.
class EthernetQueues : public sc_core::sc_module, public support::MmioDevice, public PacketSink {
 public:
  BusInitiator rx_memory;
  BusInitiator tx_memory;

  EthernetQueues(const sc_core::sc_module_name& name, std::string where,
                 const EthernetConfig& config, support::WatchHub& watch_hub,
                 foundation::FaultPolicy& faults);

  /// Adds the receive queues and the transmit queues to the tile, in this order.
  void add_agents(support::TileScheduler& scheduler);
  /// `tile_index` is the tile's number in `calendar`.
  void connect(LinkEnd& link, support::Calendar& calendar, unsigned tile_index,
               const foundation::Period& clock);

  void access(support::MmioAccess& access) override;
  void packet_arrived(const EthernetPacket& packet, support::Cycle now) override;

  const TxQueue& tx(unsigned index) const { return tx_[index]; }
  const RxQueue& rx(unsigned index) const { return rx_[index]; }
  TxQueue& tx(unsigned index) { return tx_[index]; }
  RxQueue& rx(unsigned index) { return rx_[index]; }

 private:
  std::string where_;
  const EthernetConfig& config_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  support::Calendar* calendar_ = nullptr;
  unsigned tile_index_ = 0;
  std::array<RxQueue, 2> rx_;
  std::array<TxQueue, 2> tx_;
  std::uint32_t counter_ = 0;
};

}  // namespace tvp::ethernet
