#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foundation/clock_ratio.h"
#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/ethernet_link_faults.h"
#include "models/ethernet/ethernet_packet.h"
#include "models/ethernet/line_errors.h"
#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_message.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::ethernet {

/// Receives packets from a link at the cycle at which the last byte has left the MAC.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  virtual void packet_arrived(const EthernetPacket& packet, support::Cycle now) = 0;
};

/// Observes the packets that are on their way, for the arrows of a trace. It never changes
/// simulated time.
class LinkObserver {
 public:
  virtual ~LinkObserver() = default;
  /// The first bit leaves at edge `sent` of the end's clock, and the last one has arrived at
  /// `arrives`.
  virtual void flies(const EthernetPacket& packet, support::Cycle sent, support::Cycle arrives) = 0;
};

/// One end of a link at an ethernet tile: the MAC with line rate, framing, latency and optional
/// errors. It knows its own chip, but nothing of the other end except messages and their times.
class LinkEnd : support::EventTarget {
 public:
  struct Statistics {
    std::uint64_t packets = 0;  ///< sent; the next counts too
    std::uint64_t payload_bytes = 0;
    std::uint64_t busy_ps = 0;
    std::uint64_t dropped = 0;    ///< error injection
    std::uint64_t lost = 0;       ///< while the link was broken
    std::uint64_t corrupted = 0;  ///< error injection
    std::uint64_t received = 0;   ///< packets
  };
  /// The time for which a packet occupies the line, in edges of this end's clock.
  struct Transmission {
    support::Cycle start = 0;
    support::Cycle end = 0;
  };

  /// A foreign wire adds latency and errors of its own.
  enum class Wire { kOwn, kForeign };

  /// `index` is 0 at one end and 1 at the other. Together with the number of the link it orders
  /// messages that arrive at a chip in the same cycle.
  LinkEnd(std::string name, std::uint16_t link_number, unsigned index, const EthernetConfig& config,
          Wire wire = Wire::kOwn);
  LinkEnd(const LinkEnd&) = delete;
  LinkEnd& operator=(const LinkEnd&) = delete;

  void attach(support::Calendar& calendar, const foundation::Period& clock, PacketSink& sink);
  void connect(LinkChannel& to_peer) { to_peer_ = &to_peer; }
  /// The chip of this end is in another process and has this clock.
  void stand_in(const foundation::Period& clock) { clock_ = clock; }

  /// Puts a packet on the line once it is free, at edge `ready` of this end's clock or later.
  Transmission transmit(const EthernetPacket& packet, support::Cycle ready);
  /// Breaks the link during these times.
  void break_down(const std::vector<Outage>& outages) { outages_ = outages; }
  /// True if no packet sent from edge `now` on ever arrives.
  bool broken_for_good(support::Cycle now) const;
  /// Chips without windows: this chip runs no further than the arrival of a packet, since the other
  /// chip can answer then.
  void stop_at_arrivals() { stops_ = true; }
  /// Takes a message of the other end.
  void receive(const LinkMessage& message);

  /// Least time from transmit() to the arrival, in edges of this end's clock.
  support::Cycle min_latency_cycles() const;

  const Statistics& statistics() const { return statistics_; }
  /// 1 while a packet occupies the line, in edges of this end's clock.
  support::Signal& busy_signal() { return busy_; }
  /// The packet on the line, for packet_text(); 0 if the line is idle.
  support::Signal& packet_signal() { return packet_; }
  static std::string packet_text(std::uint64_t value);
  /// null: none.
  void set_observer(LinkObserver* observer) { observer_ = observer; }

 private:
  void fire(support::Cycle now, std::uint64_t token) override;
  void show(const EthernetPacket& packet, const Transmission& line);
  std::uint32_t slot();

  std::uint64_t latency_ps() const {
    return wire_ == Wire::kOwn ? config_.link_latency_ps.value() : 0;
  }
  bool broken(std::uint64_t from_ps, std::uint64_t until_ps) const;

  std::string name_;
  const std::uint16_t link_number_;
  const unsigned index_;
  const EthernetConfig& config_;
  const Wire wire_;
  support::Calendar* calendar_ = nullptr;
  foundation::Period clock_;
  PacketSink* sink_ = nullptr;
  LinkChannel* to_peer_ = nullptr;
  LinkObserver* observer_ = nullptr;
  bool stops_ = false;

  std::uint64_t line_free_ps_ = 0;
  std::vector<Outage> outages_;
  std::optional<LineErrors> errors_;  ///< none with a foreign wire
  LinkMessage message_;  ///< the message being sent; its sequence number is that of the next one

  std::vector<EthernetPacket> arriving_;  ///< slots of packets that are posted in the calendar
  std::vector<std::uint32_t> free_slots_;

  Statistics statistics_;
  support::Signal busy_;
  support::Signal packet_;
};

}  // namespace tvp::ethernet
