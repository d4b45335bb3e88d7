#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/ethernet/clock_ratio.h"
#include "models/ethernet/config.h"
#include "models/ethernet/packet.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::ethernet {

/// Takes what comes out of a link, at the cycle at which its last byte has left the MAC.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  virtual void packet_arrived(const Packet& packet, support::Cycle now) = 0;
};

/// A full duplex cable between two ethernet tiles, with the MACs at its ends: line rate, framing,
/// latency, and errors when asked for.
///
/// The ends may live on different chips. A packet is posted into the calendar of the receiving chip
/// at least min_latency_cycles() after the sender's cycle, so chips that run in windows no longer
/// than that never receive anything in their past.
class Link {
 public:
  /// What a direction has carried.
  struct Statistics {
    std::uint64_t packets = 0;
    std::uint64_t payload_bytes = 0;
    std::uint64_t busy_ps = 0;
    std::uint64_t dropped = 0;    ///< by error injection
    std::uint64_t corrupted = 0;  ///< by error injection
    std::uint64_t delivered = 0;
  };
  /// When a packet occupies the line, in edges of the sender's clock.
  struct Transmission {
    support::Cycle start = 0;
    support::Cycle end = 0;
  };

  Link(std::string name, std::uint16_t number, const Config& config);
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Connects end 0 or 1.
  void attach(unsigned end, support::Calendar& calendar, const ClockRatio& clock, PacketSink& sink);

  /// Puts a packet on the line once it is free, not before edge `ready` of the clock of `end`.
  Transmission transmit(unsigned end, const Packet& packet, support::Cycle ready);

  /// Longest window in which the ends can run apart, in edges of the slower clock.
  support::Cycle min_latency_cycles() const;

  const std::string& name() const { return name_; }
  const Statistics& statistics(unsigned from_end) const { return direction_[from_end].statistics; }
  /// One while a packet occupies the line, in edges of the sender's clock.
  support::Signal& busy_signal(unsigned from_end) { return direction_[from_end].busy; }
  /// What is on the line, for packet_text(); 0 when it is idle.
  support::Signal& packet_signal(unsigned from_end) { return direction_[from_end].packet; }
  static std::string packet_text(std::uint64_t value);

 private:
  /// One way, from end `from`; fires in the calendar of the other end.
  struct Direction : support::EventTarget {
    void fire(support::Cycle now, std::uint64_t token) override;

    Link* link = nullptr;
    unsigned from = 0;
    std::uint64_t line_free_ps = 0;
    std::uint32_t sequence = 0;
    std::uint64_t random_state = 0;
    Statistics statistics;
    support::Signal busy;
    support::Signal packet;
    std::vector<Packet> pool;  ///< packets on the wire
    std::vector<std::uint32_t> free;
  };
  struct End {
    support::Calendar* calendar = nullptr;
    ClockRatio clock;
    PacketSink* sink = nullptr;
  };

  static double draw(Direction& direction);
  static std::uint32_t store(Direction& direction, const Packet& packet);

  std::string name_;
  std::uint16_t number_;
  const Config& config_;
  std::array<End, 2> end_{};
  std::array<Direction, 2> direction_;
};

}  // namespace tvp::ethernet
