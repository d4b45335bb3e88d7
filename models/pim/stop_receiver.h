#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/pim/message_pool.h"
#include "models/pim/stop_environment.h"
#include "models/pim/wram.h"
#include "models/regs/pim.h"
#include "models/support/mmio.h"

namespace tvp::pim {

/// The half of a stop that receives: windows that firmware set, and arrivals that it counts. A
/// message counts once all of it, and all messages of that source and channel before it, are in
/// WRAM.
class StopReceiver {
 public:
  /// The watch group of a NIU serves the interface of a unit as well.
  static constexpr support::Watch kWatch = support::Watch::kNiu0;

  explicit StopReceiver(const StopEnvironment& environment);

  void reset();
  /// Registers of windows.
  void access(support::MmioAccess& access);
  /// Puts a packet into the window of its message; true when it was the last one.
  bool store(std::uint32_t message, std::uint32_t packet, const Wram::Port& port);

  std::uint32_t arrivals(unsigned channel) const { return windows_[channel].arrivals; }
  /// Messages that all arrived before one that was sent earlier.
  std::size_t held_back() const { return held_back_.size(); }
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
  void complete(std::uint32_t message);
  bool in_turn(const Message& message);

  const std::string where_;
  const std::uint32_t packet_bytes_;
  Wram& wram_;
  MessagePool& messages_;
  foundation::FaultPolicy& faults_;

  std::array<Window, regs::pim::stop::kChannels> windows_{};
  std::map<std::uint64_t, std::uint32_t> next_arrival_;  ///< by message_stream()
  std::vector<std::uint32_t> held_back_;                 ///< messages
};

}  // namespace tvp::pim
