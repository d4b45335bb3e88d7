#include "models/ethernet/ethernet_queues.h"

#include <cstdio>

#include "foundation/regs/ethernet.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

using foundation::Fault;
using foundation::FaultKind;
using support::BusMaster;
using support::Cycle;
using support::MmioAccess;
using support::Watch;

EthernetQueues::EthernetQueues(const sc_core::sc_module_name& name, std::string where,
                               const EthernetConfig& config, support::WatchHub& watch_hub,
                               foundation::FaultPolicy& faults)
    : sc_module(name),
      rx_memory("rx_memory", BusMaster::kEthernetRx),
      tx_memory("tx_memory", BusMaster::kEthernetTx),
      where_(std::move(where)),
      config_(config),
      watch_hub_(watch_hub),
      faults_(faults),
      rx_{RxQueue(0, where_ + ".rxq0", rx_memory, watch_hub, faults),
          RxQueue(1, where_ + ".rxq1", rx_memory, watch_hub, faults)},
      tx_{TxQueue(0, where_ + ".txq0", config, tx_memory, watch_hub, faults),
          TxQueue(1, where_ + ".txq1", config, tx_memory, watch_hub, faults)} {
  for (unsigned i = 0; i < 2; ++i) {
    rx_[i].pair_with(tx_[i]);
    tx_[i].pair_with(rx_[i]);
  }
}

void EthernetQueues::add_agents(support::TileScheduler& scheduler) {
  for (RxQueue& queue : rx_) scheduler.add(queue);
  for (TxQueue& queue : tx_) scheduler.add(queue);
}

void EthernetQueues::connect(LinkEnd& link, support::Calendar& calendar, unsigned tile_index,
                             const foundation::Period& clock) {
  calendar_ = &calendar;
  tile_index_ = tile_index;
  link.attach(calendar, clock, *this);
  for (TxQueue& queue : tx_) queue.connect(link, clock);
}

void EthernetQueues::packet_arrived(const EthernetPacket& packet, Cycle now) {
  rx_.at(packet.queue).depth_signal().add(now, 1);
  rx_.at(packet.queue).deliver(packet, now + config_.receive_cycles);
  calendar_->tile_woken(tile_index_);
}

void EthernetQueues::access(MmioAccess& access) {
  constexpr std::uint32_t kSoftwareCounter = regs::ethernet::kAtomicCounter & 0xFFFFU;
  if (access.offset == kSoftwareCounter) {
    if (access.write) {
      counter_ += access.data;
      watch_hub_.changed(Watch::kEthernet, access.now, access.order);
    } else {
      access.data = counter_;
      access.watch = Watch::kEthernet;
    }
    return;
  }
  const std::uint32_t block = access.offset >> 12;
  MmioAccess inner = access;
  inner.offset = access.offset & 0xFFFU;
  if (block < 2) {
    tx_[block].access(inner);
  } else if (block < 4) {
    rx_[block - 2].access(inner);
  } else {
    char text[80];
    std::snprintf(text, sizeof text, "%s of ethernet control register 0xFFB9%04X",
                  access.write ? "write" : "read", access.offset);
    faults_.raise(Fault(FaultKind::kUnmodelled, where_, text));
  }
  inner.offset = access.offset;
  access = inner;
}

}  // namespace tvp::ethernet
