#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/clock_ratio.h"
#include "foundation/random.h"
#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/ethernet_link_faults.h"
#include "models/ethernet/ethernet_packet.h"
#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_message.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::ethernet {

/// Takes what comes out of a link, at the cycle at which its last byte has left the MAC.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  virtual void packet_arrived(const EthernetPacket& packet, support::Cycle now) = 0;
};

/// One end of a link, at an ethernet tile: the MAC with line rate, framing and latency, and errors
/// when asked for. It knows its own chip, and of the other end nothing but messages and their
/// times.
class LinkEnd : support::EventTarget {
 public:
  struct Statistics {
    std::uint64_t packets = 0;  ///< sent, here and below
    std::uint64_t payload_bytes = 0;
    std::uint64_t busy_ps = 0;
    std::uint64_t dropped = 0;    ///< by error injection
    std::uint64_t lost = 0;       ///< while the link was broken
    std::uint64_t corrupted = 0;  ///< by error injection
    std::uint64_t received = 0;   ///< packets
  };
  /// When a packet occupies the line, in edges of the own clock.
  struct Transmission {
    support::Cycle start = 0;
    support::Cycle end = 0;
  };

  /// `index` is 0 or 1, and the other end has the other. With the number of the link, it ranks what
  /// arrives at a chip in one cycle.
  LinkEnd(std::string name, std::uint16_t link_number, unsigned index,
          const EthernetConfig& config);
  LinkEnd(const LinkEnd&) = delete;
  LinkEnd& operator=(const LinkEnd&) = delete;

  void attach(support::Calendar& calendar, const foundation::Period& clock, PacketSink& sink);
  void connect(LinkChannel& to_peer) { to_peer_ = &to_peer; }

  /// Puts a packet on the line once it is free, not before edge `ready` of the own clock.
  Transmission transmit(const EthernetPacket& packet, support::Cycle ready);
  /// Nothing passes in these times.
  void break_down(const std::vector<Outage>& outages) { outages_ = outages; }
  /// Nothing that is sent from edge `now` on will ever arrive.
  bool broken_for_good(support::Cycle now) const;
  /// Takes what the other end has sent.
  void receive(const LinkMessage& message);

  /// Least time from a transmit() to the arrival, in edges of the own clock.
  support::Cycle min_latency_cycles() const;

  const Statistics& statistics() const { return statistics_; }
  /// One while a packet occupies the line, in edges of the own clock.
  support::Signal& busy_signal() { return busy_; }
  /// The packet on the line, for packet_text(); 0 if the line is idle.
  support::Signal& packet_signal() { return packet_; }
  static std::string packet_text(std::uint64_t value);

 private:
  void fire(support::Cycle now, std::uint64_t token) override;
  void show(const EthernetPacket& packet, const Transmission& line);
  std::uint32_t slot();

  bool broken(std::uint64_t from_ps, std::uint64_t until_ps) const;

  std::string name_;
  const std::uint16_t link_number_;
  const unsigned index_;
  const EthernetConfig& config_;
  support::Calendar* calendar_ = nullptr;
  foundation::Period clock_;
  PacketSink* sink_ = nullptr;
  LinkChannel* to_peer_ = nullptr;

  std::uint64_t line_free_ps_ = 0;
  std::vector<Outage> outages_;
  foundation::Random random_;
  LinkMessage message_;  ///< being sent; of the next one, the sequence

  std::vector<EthernetPacket> arriving_;  ///< slots of packets that are posted in the calendar
  std::vector<std::uint32_t> free_slots_;

  Statistics statistics_;
  support::Signal busy_;
  support::Signal packet_;
};

}  // namespace tvp::ethernet
