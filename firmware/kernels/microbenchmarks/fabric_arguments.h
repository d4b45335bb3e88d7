#pragma once

// Run-time arguments of the fabric's benchmark kernels. Those of the connection to the router
// (tvp::contract::fabric::ConnectionRuntimeArg) come first. Freestanding.

#include <stdint.h>

#include "firmware/contract/fabric/worker_connection.h"

namespace tvp::kernels::microbenchmarks {

/// Semaphores of the programs: words of a client.
enum FabricSemaphore : uint32_t {
  kFabricReadCounter,
  kFabricTeardown,
  kFabricBufferIndex,
  kFabricStatus,
  kFabricSemaphores,
};

enum FabricArg : uint32_t {
  kFabricRouterStatus = contract::fabric::kConnectionRuntimeArgs,  ///< address in the router's tile
  kFabricResults,  ///< address of the figures for the host
  kFabricOtherX,
  kFabricOtherY,
  kFabricBytes,  ///< payload of a packet
  kFabricSource,
  kFabricDestination,
  // Latency.
  kFabricBegins,  ///< 1: sends first; 0: answers
  kFabricHops,
  kFabricSamples,
  kFabricLatencyArgs,
  // Bandwidth.
  kFabricDevices = kFabricBegins,  ///< that are sent to, the first of them one hop away
  kFabricPackets,                  ///< in all
  kFabricWarmUp,                   ///< packets before the clock is read
  kFabricCounter,                  ///< word that packets increment, 0: none
  kFabricBandwidthArgs,
};

/// Run-time arguments of fabric_streams.cpp, each stream's and its connection behind them. A stream
/// has three semaphores, in the order of the first ones above.
enum FabricStreamsArg : uint32_t {
  kStreamsRouterStatus,
  kStreamsResults,
  kStreamsBytes,
  kStreamsSource,
  kStreamsState,     ///< address of what the core knows of its streams
  kStreamsPackets,   ///< of each, timed
  kStreamsWarmUp,    ///< of each, before
  kStreamsScatters,  ///< 1: in two halves
  kStreamsArgs,
};
/// In front of a stream's connection.
enum FabricStreamArg : uint32_t {
  kStreamToX,
  kStreamToY,
  kStreamDestination,
  kStreamCounter,  ///< word that packets increment, 0: none
  kStreamFirst,    ///< hops to the first chip that its packets reach
  kStreamRange,    ///< chips that they reach
  kStreamArgs,
};
/// Semaphore of the core, behind those of its streams.
constexpr uint32_t fabric_status_semaphore(uint32_t streams) { return 3 * streams; }
constexpr uint32_t kFabricMostStreams = 4;

/// Latency leaves a word a sample; bandwidth the clock after the warm-up and after the last packet.
constexpr uint32_t kFabricBandwidthResults = 2;

/// Packet i of a stream begins this far behind packet i-1 in the source, so that each one differs.
constexpr uint32_t kFabricSourceStep = 16;

}  // namespace tvp::kernels::microbenchmarks
