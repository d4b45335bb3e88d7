#pragma once

#include <cstdint>

#include "models/support/time.h"
#include "models/tensix/l1_client.h"

namespace tvp::tensix {

/// What the units of a tile see of L1: bytes, and when the ports have moved them.
///
/// Data is read and written when the call is made; the answer is the cycle at which the last beat
/// has passed the client's port, given everything that was granted before. Calls come in the
/// tile's order of time.
class L1Port {
 public:
  virtual ~L1Port() = default;
  virtual std::uint32_t size_bytes() const = 0;
  /// Host pointer to byte 0, for functional access. Whoever writes through it calls written().
  virtual std::uint8_t* bytes() = 0;
  /// Reserves the port of `client` for a transfer of [address, address + bytes), 16 B a beat and
  /// port; `beats_per_cycle` limits clients with several lanes. Returns the cycle after the last
  /// beat, at least now + 1.
  virtual support::Cycle reserve(L1Client client, std::uint32_t address, std::uint32_t bytes,
                                 bool write, unsigned beats_per_cycle, support::Cycle now) = 0;
  /// As reserve, for words that are added to what L1 holds: `cycles` a word on one port.
  virtual support::Cycle accumulate(L1Client client, std::uint32_t address, std::uint32_t bytes,
                                    unsigned cycles, support::Cycle now) = 0;
  /// Tells sleepers that [address, address + bytes) changed at `now`, in the step of the agent with
  /// tie order `order`.
  virtual void written(std::uint32_t address, std::uint32_t bytes, support::Cycle now,
                       unsigned order) = 0;
};

}  // namespace tvp::tensix
