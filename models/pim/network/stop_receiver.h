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

namespace tvp::pim {

/// The half of a stop that receives: windows that firmware set, and arrivals that it counts.
///
/// Packets come in any order. Messages of one source land and count in the order of their sending,
/// whatever their channels: what comes before its turn waits here, so that of two stores to one
/// word the later one stays. Results of reductions in the switch, which wait for others, are in
/// order among those of their channel only.
class StopReceiver {
 public:
  /// The watch group of a NIU serves the interface of a unit as well.
  static constexpr support::Watch kWatch = support::Watch::kNiu0;

  explicit StopReceiver(const StopEnvironment& environment);

  void reset();
  /// Registers of windows.
  void access(support::MmioAccess& access);
  /// Puts a packet into the window of its message, or keeps it until its message's turn has come.
  /// True when arrivals were counted.
  bool store(std::uint32_t message, std::uint32_t packet, const Wram::Port& port);

  std::uint32_t arrivals(unsigned channel) const { return windows_[channel].arrivals; }
  /// Messages that are whole but wait for one that was sent earlier.
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
  /// Messages in the order of their sending.
  struct Stream {
    struct Waiting {
      std::uint32_t message;
      std::uint32_t packet;
    };
    std::uint32_t next = 0;  ///< sequence of the one whose turn it is
    std::vector<Waiting> waiting;
  };

  Stream& stream_of(const Message& message);
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
};

}  // namespace tvp::pim
