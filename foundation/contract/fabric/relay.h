#pragma once
// Relays of the fabric: requests to other chips that are answered, for the unified data movement
// (UDM) of kernels. A relay runs on a worker of each chip. Kernels leave requests at the relay of
// their chip. It writes data to other chips and passes on to the relay there what needs an answer.

#include <stdint.h>

#include "foundation/contract/memory_map.h"

namespace tvp::contract::fabric {

enum RelayKind : uint32_t {
  kRelayNothing,
  kRelayRead,         ///< `value` bytes at the address to `local`
  kRelayWrite,        ///< `value` bytes from `local` to the address
  kRelayInlineWrite,  ///< the word `value` to the address
  kRelayIncrement,    ///< adds `value` to the word at the address
};
/// Flag of a kind without an answer.
constexpr uint32_t kRelayPosted = 1u << 8;

/// Answers that a kernel counts.
enum RelayAnswer : uint32_t { kRelayReads, kRelayWrites, kRelayIncrements, kRelayAnswers };

/// A request of a kernel to its relay, or of a relay to another one. `kind` is written last.
struct RelayRequest {
  uint32_t kind;
  uint32_t device;  ///< the chip that has the address; in the other relay, the chip that asks
  uint32_t address_low;
  uint32_t address_high;
  uint32_t local;  ///< in the L1 of the kernel's core
  uint32_t value;
  uint32_t worker_xy;  ///< the kernel's core; between relays only
  uint32_t relay_xy;   ///< the relay that asks; between relays only
};
static_assert(sizeof(RelayRequest) == 32);

constexpr uint32_t relay_xy(uint32_t x, uint32_t y) { return x | y << 16; }

/// The end of a data-movement core, in the L1 of its tile. The host sets it up with the relays.
struct RelayPort {
  uint32_t relay_xy;  ///< 0: the core has no relay
  uint32_t request;   ///< address of its request in the relay's tile
  uint32_t taken;     ///< requests that the relay has taken, since the relays started
  uint32_t padding;
  uint32_t answers[4];  ///< index: RelayAnswer; since the relays started
  RelayRequest next;    ///< where the kernel prepares its request
};
static_assert(sizeof(RelayPort) == 64);
constexpr uint32_t kRelayPortsOfTile = 2;
constexpr uint32_t relay_port(uint32_t processor) {
  return kFabricConnectionsBase + processor * uint32_t{sizeof(RelayPort)};
}
static_assert(kFabricConnectionsBase % 16 == 0 &&
              kRelayPortsOfTile * sizeof(RelayPort) <= kFabricConnectionsSize);

/// Requests of one relay that another one holds at most.
constexpr uint32_t kRelayDepth = 8;

/// Addresses of a relay, from a base aligned to 16. The host zeroes all of it.
struct RelayLayout {
  uint32_t base;
  uint32_t ports;
  uint32_t devices;
  uint32_t max_payload_bytes;

  constexpr uint32_t termination_signal() const { return base; }
  /// Requests that the relay of a chip has sent here.
  constexpr uint32_t arrived(uint32_t device) const { return base + 16 + device * 16; }
  /// Requests that the relay of a chip has completed.
  constexpr uint32_t completed(uint32_t device) const { return arrived(devices) + device * 16; }
  constexpr uint32_t request(uint32_t port) const { return completed(devices) + port * 32; }
  constexpr uint32_t incoming(uint32_t device, uint32_t slot) const {
    return request(ports) + (device * kRelayDepth + slot) * 32;
  }
  /// Where the relay prepares a request to another relay.
  constexpr uint32_t outgoing() const { return incoming(devices, 0); }
  constexpr uint32_t staging() const { return (outgoing() + 32 + 63) & ~63u; }
  constexpr uint32_t end() const { return staging() + max_payload_bytes + 128; }
};

/// Compile-time arguments of firmware/fabric/relay.cpp.
enum RelayCompileArg : uint32_t {
  kRelayArgBase,
  kRelayArgPorts,
  kRelayArgDevices,
  kRelayArgMaxPayloadBytes,
  kRelayCompileArgs,
};
// Run-time arguments: the number of routers; the direction of each and its connection
// (ConnectionRuntimeArg); relay_xy of each device. Each port follows with relay_xy of its core and
// the address of its RelayPort.

}  // namespace tvp::contract::fabric
