#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"
#include "models/pim/network/stop_environment.h"
#include "models/pim/network/stop_receiver.h"
#include "models/pim/unit/inbox.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/mmio.h"
#include "models/support/probe.h"

namespace tvp::pim {

/// The network interface of a unit (registers: foundation/regs/pim.h). It splits messages into
/// packets, and `StopReceiver` stores arriving packets in the windows that firmware has set.
///
/// It has two halves. Registers and windows are in the order of the unit. Packets are in the order
/// of the calendar's events. An event connects the first half to the second; the inbox connects the
/// second to the first.
class Stop : public support::Agent,
             public support::MmioDevice,
             public support::EventTarget,
             public NetworkEndpoint {
 public:
  using Environment = StopEnvironment;
  struct Stats {
    std::uint64_t messages_sent = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t packets_sent = 0;
    std::uint64_t packets_lost = 0;
    std::uint64_t messages_lost = 0;  ///< messages that lost a packet
  };

  explicit Stop(const Environment& environment);

  /// Sets the probe that gets the sources of messages; null for none.
  void set_probe(const support::Probe* probe) {
    probe_ = probe;
    receiver_.set_probe(probe);
  }
  /// Resets counters and windows as after power-on. No message may be in flight.
  void reset();

  void access(support::MmioAccess& access) override;
  bool peek(support::MmioAccess& access) override { return receiver_.peek(access); }
  void run() override;
  void fire(support::Cycle now, std::uint64_t token) override;
  void deliver(const Packet& packet, support::Cycle when) override;
  void injection_credit(support::Cycle when) override;
  void altered(const Packet& packet, std::span<const std::uint8_t> bytes) override;
  void lost(const Packet& packet, const std::string& why) override;
  std::uint64_t tag_of_copy(const Packet& packet, unsigned destination) override;
  std::span<const std::uint8_t> payload_of_copy(const Packet& copy) override;
  void combined(const Packet& packet, std::span<const std::uint8_t> result) override;
  void absorbed(const Packet& packet) override;

  const Stats& stats() const { return stats_; }
  std::uint32_t arrivals(unsigned channel) const { return receiver_.arrivals(channel); }
  /// Messages that have arrived completely before an earlier one.
  std::size_t held_back() const { return receiver_.held_back(); }
  /// "arrivals of channel 3", for the register at `offset`; "" for others.
  static std::string name_of(std::uint32_t offset);

 private:
  const support::Probe* probe_ = nullptr;
  struct Item {
    enum class Kind : std::uint8_t { kPacket, kSent } kind = Kind::kPacket;
    std::uint32_t message = 0;
    std::uint32_t packet = 0;
  };

  void raise(const std::string& text) {
    faults_.raise({foundation::FaultKind::kFirmware, where_, text});
  }
  void go(support::MmioAccess& access);
  void go_switch(support::MmioAccess& access);
  std::string why_no_order(const SwitchOrder& order) const;
  bool checks_out(const std::string& text);
  bool waits_for_queue(support::MmioAccess& access);
  std::uint32_t new_message(std::uint32_t destination, const SwitchOrder& order,
                            support::Cycle now);
  Wram::Port port(support::Cycle now) const {
    return {.agent = support::BusMaster::kPimStop, .now = now, .order = order()};
  }
  void issue(std::uint32_t message, unsigned copies, support::Cycle now);
  void report(support::ProbeEvent::Kind kind, support::Cycle now) const;
  void report_command(const Message& message, unsigned copies, support::Cycle now) const;
  void notify(support::Cycle when, const Item& item);
  void pump(support::Cycle now);
  void post(support::Cycle when, std::uint64_t token);

  const std::string where_;
  const unsigned unit_;
  const unsigned units_;
  const PimConfig& config_;
  Wram& wram_;
  MessagePool& messages_;
  Network& network_;
  support::Calendar& calendar_;
  const unsigned calendar_index_;
  support::WatchHub& watch_hub_;
  foundation::FaultPolicy& faults_;

  // State in the order of the unit.
  std::uint32_t destination_ = 0;
  std::uint32_t channel_ = 0;
  std::uint32_t wram_address_ = 0;
  std::uint32_t bytes_ = 0;
  std::uint32_t offset_ = 0;
  std::uint32_t order_ = 0;
  std::uint32_t from_chips_ = 0;
  std::uint32_t to_chips_ = 0;
  std::uint32_t reductions_ = 0;
  std::uint32_t issued_ = 0;
  std::uint32_t sent_ = 0;
  std::map<std::uint32_t, std::uint32_t> next_message_to_;  ///< index: destination
  std::array<std::uint32_t, regs::pim::stop::kChannels> next_reduction_{};
  StopReceiver receiver_;
  Inbox<Item> inbox_;

  // State in the order of events.
  std::deque<std::uint32_t> outgoing_;
  std::uint32_t next_packet_ = 0;  ///< next packet of the first message in outgoing_
  std::uint32_t posted_ = 0;

  Stats stats_;
};

}  // namespace tvp::pim
