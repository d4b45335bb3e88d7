#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/ethernet.h"

namespace tvp::ethernet {

/// A packet on the wire, without MAC addresses and checksums.
struct EthernetPacket {
  enum class Kind : std::uint8_t { kRaw, kSequenceUpdate, kL1Write, kMmioWrite };

  Kind kind = Kind::kRaw;
  std::uint8_t queue = 0;            ///< number of the sending and of the receiving queue
  std::uint8_t sequence = 0;         ///< TT-link: number of this packet
  std::uint8_t acknowledgement = 0;  ///< TT-link: the next number that the sender expects
  bool corrupt = false;              ///< CRC does not match
  std::uint32_t address = 0;         ///< TT-link: destination in the remote tile
  std::uint32_t bytes = 0;           ///< size of `data`
  std::array<std::uint8_t, (regs::ethernet::kMaxPacketBytes + 15) / 16 * 16> data;

  /// Size in the 16-byte units of the queues' word counters: L2 and TT-link headers, and the body.
  std::uint32_t words() const {
    const std::uint32_t header = kind == Kind::kRaw ? 14 : 30;
    return (header + bytes + 15) / 16;
  }
};

}  // namespace tvp::ethernet
