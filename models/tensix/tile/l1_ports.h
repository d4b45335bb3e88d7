#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "foundation/regs/generation.h"
#include "models/tensix/l1_client.h"

namespace tvp::tensix {

/// The access ports of L1 that each client uses.
///
/// Wormhole: ISA TensixTile/L1.md. Blackhole: the ports are not public. Assumed are those of
/// Wormhole, and four for each direction of a NIU. A flit has 64 bytes there, and an inline write
/// needs all four memory ports of the receiver (tt-metal issue 18558).
class L1Ports {
 public:
  static constexpr unsigned kMost = 24;

  static const L1Ports& of(Generation generation);
  std::span<const std::uint8_t> of(L1Client client) const {
    const Ports& ports = ports_[static_cast<std::size_t>(client)];
    return {ports.numbers.data(), ports.count};
  }

 private:
  struct Ports {
    std::array<std::uint8_t, 4> numbers{};
    std::uint8_t count = 0;
  };
  explicit L1Ports(Generation generation);
  Ports& at(L1Client client) { return ports_[static_cast<std::size_t>(client)]; }

  std::array<Ports, static_cast<std::size_t>(L1Client::kCount)> ports_;
};

}  // namespace tvp::tensix
