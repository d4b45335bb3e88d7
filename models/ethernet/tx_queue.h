#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "foundation/ring_queue.h"
#include "models/ethernet/bus_initiator.h"
#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/link_end.h"
#include "models/ethernet/queue_registers.h"
#include "models/support/agent.h"
#include "models/support/mmio.h"
#include "models/support/signal.h"

namespace tvp::ethernet {

class RxQueue;

/// A transmit queue of an ethernet tile (ISA EthernetTile/EthernetTxRx.md "TX Queues").
///
/// The queue latches a command and splits it into packets. It fetches each packet from L1 into the
/// transmit buffer and puts it on the line when it is complete. TT-link packets stay in the window
/// until the peer has acknowledged them. If the oldest one times out, the queue fetches and sends
/// the whole window again (Go-Back-N).
class TxQueue : public support::Agent, public support::MmioDevice {
 public:
  TxQueue(unsigned index, std::string where, const EthernetConfig& config, BusInitiator& memory,
          support::WatchHub& watch_hub, foundation::FaultPolicy& faults);

  /// The receive queue whose expected sequence number every TT-link packet carries.
  void pair_with(const RxQueue& receiver) { receiver_ = &receiver; }
  void connect(LinkEnd& link, const foundation::Period& clock);

  void access(support::MmioAccess& access) override;
  void run() override;

  /// A TT-link packet of the peer acknowledges all packets before `next_sequence`.
  void acknowledged(std::uint8_t next_sequence, support::Cycle now);
  /// An arrived packet must be acknowledged to the peer.
  void owe_acknowledgement(support::Cycle now);

  unsigned unacknowledged() const { return static_cast<std::uint8_t>(next_ - base_); }
  /// The time at which the oldest of them last left; kNever if it has not left.
  support::Cycle oldest_sent() const {
    return base_ == to_send_ ? support::kNever : window_[base_].sent;
  }
  std::uint64_t resends() const { return resends_; }
  /// Packets in the TT-link window: unsent or unacknowledged.
  support::Signal& window_signal() { return window_signal_; }
  /// Bytes in the transmit buffer.
  support::LevelSignal& buffer_signal() { return buffer_signal_; }

 private:
  struct Entry {
    EthernetPacket::Kind kind = EthernetPacket::Kind::kL1Write;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t bytes = 0;
    std::uint32_t data = 0;
    support::Cycle sent = 0;  ///< the time at which its last byte left
  };
  /// A future change of the packet and word counters.
  struct CounterStep {
    support::Cycle when = 0;
    std::uint32_t words = 0;
    bool end = false;
  };

  void write_register(const support::MmioAccess& access);
  void command(std::uint32_t value, support::Cycle now);
  bool check_transfer(std::uint32_t value);

  support::Cycle earliest() const;
  support::Cycle fetch_at() const;
  support::Cycle resend_at() const;
  void step(support::Cycle now);
  void count(support::Cycle now);
  void split_into_window(support::Cycle now);
  void finish_transfer(support::Cycle now);
  void fetch(support::Cycle now);
  void fetch_raw(support::Cycle now);
  void read_body(std::uint32_t source, std::uint32_t bytes, support::Cycle now);
  support::Cycle send(support::Cycle now, support::Cycle ready);
  void send_sequence_update(support::Cycle now);
  void schedule_update(support::Cycle now);
  std::uint8_t acknowledgement();
  std::uint32_t largest_body() const;
  void changed(support::Cycle now);
  bool refuse(const std::string& text);

  unsigned index_;
  std::string where_;
  const EthernetConfig& config_;
  BusInitiator& memory_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;
  const RxQueue* receiver_ = nullptr;
  LinkEnd* link_ = nullptr;
  foundation::Period clock_;

  static const QueueRegisters<TxQueue> kRegisters;
  std::uint32_t ctrl_;
  std::uint32_t cmd_ = 0;
  std::uint32_t max_packet_bytes_;
  std::uint32_t start_address_ = 0;
  std::uint32_t size_bytes_ = 0;
  std::uint32_t destination_ = 0;
  std::uint32_t register_data_ = 0;
  std::uint32_t remote_seq_timeout_;
  std::uint32_t local_seq_update_timeout_;
  std::uint32_t destination_mac_high_ = 0;  ///< MAC addresses and ethertype are stored, not sent
  std::uint32_t destination_mac_low_ = 0;
  std::uint32_t source_mac_high_ = 0;
  std::uint32_t source_mac_low_ = 0;
  std::uint32_t ethertype_ = 0;
  std::uint32_t transfer_count_ = 0;
  std::uint32_t packet_start_count_ = 0;
  std::uint32_t packet_end_count_ = 0;
  std::uint32_t word_count_ = 0;

  // The transfer being split.
  std::uint32_t transfer_kind_ = 0;
  std::uint32_t transfer_offset_ = 0;
  support::Cycle split_at_ = support::kNever;
  support::Cycle raw_done_at_ = support::kNever;
  bool raw_active_ = false;

  // TT-link window: sequence numbers base_ .. next_ are unacknowledged; to_send_ is the next to
  // fetch.
  std::array<Entry, 256> window_{};
  std::uint8_t base_ = 0;
  std::uint8_t to_send_ = 0;
  std::uint8_t next_ = 0;
  std::uint64_t resends_ = 0;

  // Transmit buffer.
  struct Buffered {
    support::Cycle until = 0;  ///< the time at which its last byte leaves
    std::uint32_t bytes = 0;
  };
  support::Cycle filler_free_ = 0;
  std::uint32_t buffered_bytes_ = 0;
  foundation::RingQueue<Buffered> buffered_;
  EthernetPacket packet_;
  foundation::RingQueue<CounterStep> steps_;

  // Acknowledgements to the peer.
  bool acknowledgement_owed_ = false;
  support::Cycle update_at_ = support::kNever;
  support::Cycle last_sent_ = 0;

  support::Signal window_signal_;
  support::LevelSignal buffer_signal_;
};

}  // namespace tvp::ethernet
