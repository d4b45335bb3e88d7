#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "foundation/ring_queue.h"
#include "models/ethernet/bus_initiator.h"
#include "models/ethernet/ethernet_packet.h"
#include "models/ethernet/queue_registers.h"
#include "models/support/agent.h"
#include "models/support/mmio.h"
#include "models/support/signal.h"

namespace tvp::ethernet {

class TxQueue;

/// A receive queue of an ethernet tile (ISA EthernetTile/EthernetTxRx.md "RX Queues").
///
/// A packet is committed at one cycle: all of its bytes, then the counters.
class RxQueue : public support::Agent, public support::MmioDevice {
 public:
  RxQueue(unsigned index, std::string where, BusInitiator& memory, support::WatchHub& watch_hub,
          foundation::FaultPolicy& faults);

  /// The transmit queue that receives the peer's acknowledgements and sends ours.
  void pair_with(TxQueue& transmitter) { transmitter_ = &transmitter; }

  /// A packet to be committed at cycle `when`. Calls come in order of `when`.
  void deliver(const EthernetPacket& packet, support::Cycle when);

  void access(support::MmioAccess& access) override;
  void run() override;

  std::uint8_t expected_sequence() const { return static_cast<std::uint8_t>(local_rx_seq_); }
  /// Packets that have arrived and are not yet committed.
  support::LevelSignal& depth_signal() { return depth_; }

 private:
  struct Arrival {
    support::Cycle when = 0;
    EthernetPacket packet;
  };

  void write_register(const support::MmioAccess& access);
  /// False if the bus cannot take the write now.
  bool commit(const EthernetPacket& packet, support::Cycle now);
  bool write_tile(const EthernetPacket& packet, support::Cycle now);
  void append_to_buffer(const EthernetPacket& packet, support::Cycle now);
  bool refuse(const std::string& text);

  unsigned index_;
  std::string where_;
  BusInitiator& memory_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  TxQueue* transmitter_ = nullptr;

  static const QueueRegisters<RxQueue> kRegisters;
  std::uint32_t ctrl_;
  std::uint32_t buf_ptr_ = 0;
  std::uint32_t buf_start_word_ = 0;
  std::uint32_t buf_size_words_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint32_t packet_end_count_ = 0;
  std::uint32_t drop_count_ = 0;
  std::uint32_t local_rx_seq_ = 0;   ///< 8 bits
  std::uint32_t remote_rx_seq_ = 0;  ///< 8 bits
  std::uint32_t header_format_ = 0;
  std::uint32_t outstanding_writes_ = 0;  ///< always 0: a commit takes no time

  foundation::RingQueue<Arrival> inbox_;
  support::LevelSignal depth_;
};

}  // namespace tvp::ethernet
