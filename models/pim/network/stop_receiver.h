#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"
#include "models/pim/network/message_pool.h"
#include "models/pim/network/stop_environment.h"
#include "models/pim/unit/wram.h"
#include "models/support/mmio.h"
#include "models/support/probe.h"

namespace tvp::pim {

/// The receiving half of a stop: windows that firmware sets, and counters of arrivals.
///
/// Packets come in any order. Messages of one source are stored and counted in the order of
/// sending, whatever their channels; early ones wait here. So the later of two stores to one word
/// wins. Results of reductions wait for other units, so they are in order only among those of their
/// channel.
class StopReceiver {
 public:
  /// The interface of a unit uses the watch group of a NIU.
  static constexpr support::Watch kWatch = support::Watch::kNiu0;

  explicit StopReceiver(const StopEnvironment& environment);

  /// Sets the probe that gets arrivals and reads of their counts; null for none.
  void set_probe(const support::Probe* probe) { probe_ = probe; }
  /// Reports that the core has loaded a counter: 0 for messages sent, 1 + channel for arrivals.
  void report_read(std::uint32_t counter, const support::MmioAccess& access) const;
  void reset();
  /// Access to the registers of windows.
  void access(support::MmioAccess& access);
  /// A count of arrivals for debuggers, without side effects; false for other registers.
  bool peek(support::MmioAccess& access) const;
  /// Stores a packet in the window of its message, or keeps it until the message's turn. True if an
  /// arrival was counted.
  bool store(std::uint32_t message, std::uint32_t packet, const Wram::Port& port);

  std::uint32_t arrivals(unsigned channel) const { return windows_[channel].arrivals; }
  /// Complete messages that wait for an earlier one.
  std::size_t held_back() const { return held_back_; }
  /// "arrivals of channel 3", for the register at `offset`; "" for others.
  static std::string name_of(std::uint32_t offset);

 private:
  struct Window {
    std::uint32_t base = 0;
    std::uint32_t bytes = 0;
    std::uint32_t arrivals = 0;
  };

  void raise(const std::string& text) {
    faults_.raise({foundation::FaultKind::kFirmware, where_, text});
  }
  /// Messages in the order of sending.
  struct Stream {
    struct Waiting {
      std::uint32_t message;
      std::uint32_t packet;
    };
    std::uint32_t next = 0;  ///< sequence number of the current message
    std::vector<Waiting> waiting;
  };

  Stream& stream_of(const Message& message);
  /// Counts a complete message and reports it: a kServed of the stop, whose `value` is the source
  /// and whose `index` is the channel.
  void count(const Message& message, support::Cycle now);
  void land(std::uint32_t message, std::uint32_t packet, const Wram::Port& port);
  bool land_waiting(Stream& stream, std::uint32_t& message, const Wram::Port& port);

  const std::string where_;
  const std::uint32_t packet_bytes_;
  Wram& wram_;
  MessagePool& messages_;
  foundation::FaultPolicy& faults_;

  std::array<Window, regs::pim::stop::kChannels> windows_{};
  std::vector<Stream> from_unit_;
  std::array<Stream, regs::pim::stop::kChannels> reductions_;
  std::size_t held_back_ = 0;
  const support::Probe* probe_ = nullptr;
};

}  // namespace tvp::pim
