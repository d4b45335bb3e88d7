#pragma once
// L1 addresses shared by the tests and their programs for ethernet cores.

#include <stdint.h>

namespace tvp::bare {

constexpr uint32_t kArguments = 0x11000;
constexpr uint32_t kSemaphores = 0x13000;
constexpr uint32_t kResults = 0x13400;
constexpr uint32_t kDone = 0x13FF0;
constexpr uint32_t kHeader = 0x13800;
constexpr uint32_t kFabricBase = 0x18000;

/// Semaphores of a client.
constexpr uint32_t kCounterSemaphore = 0;
constexpr uint32_t kTeardownSemaphore = 1;
constexpr uint32_t kBufferIndexSemaphore = 2;
constexpr uint32_t kStatusSemaphore = 3;

/// Arguments of client.cpp: kConnectionRuntimeArgs words, then these, then its packets.
enum ClientArg : uint32_t {
  kClientStatusAddress,       ///< the endpoint's status
  kClientTerminationAddress,  ///< 0: leaves the endpoint running
  kClientPackets,
  kClientArgs,
};
/// One packet. `kind` is a NocSendType.
enum PacketArg : uint32_t {
  kPacketKind,
  kPacketHops,
  kPacketRange,  ///< 0: unicast
  kPacketSource,
  kPacketBytes,
  kPacketAddressLow,
  kPacketAddressHigh,
  kPacketSemaphoreLow,
  kPacketSemaphoreHigh,
  kPacketValue,
  kPacketFlush,
  kPacketArgs,
};

}  // namespace tvp::bare
