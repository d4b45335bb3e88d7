#pragma once

// Run-time arguments of the fabric's benchmark kernels. Those of the connection to the router
// (tvp::contract::fabric::ConnectionRuntimeArg) come first. Freestanding.

#include <stdint.h>

#include "foundation/contract/fabric/worker_connection.h"

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
  kFabricDirection,  ///< in a mesh
  kFabricSamples,
  kFabricIncrements,  ///< word that packets increment and the core polls; 0: none
  kFabricLatencyArgs,
  // Bandwidth.
  kFabricDevices = kFabricBegins,  ///< destinations, the first of them one hop away
  kFabricPackets,                  ///< total number of packets
  kFabricWarmUp,                   ///< packets before the clock is read
  kFabricCounter,                  ///< word that packets increment, 0: none
  kFabricBandwidthArgs,
};

/// Run-time arguments of fabric_streams.cpp: these, those of each stream, then those of connections
/// to routers, each with three semaphores, in the order of the first ones above.
enum FabricStreamsArg : uint32_t {
  kStreamsRouterStatus,
  kStreamsResults,
  kStreamsBytes,
  kStreamsSource,
  kStreamsState,     ///< address of the state of the core's streams
  kStreamsPackets,   ///< packets of each stream, timed
  kStreamsWarmUp,    ///< packets of each stream before the timed ones
  kStreamsScatters,  ///< 1: payload in two halves
  kStreamsArgs,
};
enum FabricStreamArg : uint32_t {
  kStreamConnection,  ///< number of the connection
  kStreamToX,
  kStreamToY,
  kStreamDestination,
  kStreamCounter,  ///< word that packets increment, 0: none
  kStreamRoute,    ///< words of FabricLineRoute or FabricMeshRoute
  kStreamArgs = kStreamRoute + 5,
};
/// Route of packets along a line.
enum FabricLineRoute : uint32_t {
  kRouteFirst,  ///< hops to the first chip that they reach
  kRouteRange,  ///< chips that they reach
};
/// Route of packets in a mesh, in hops: first north or south, then east or west.
enum FabricMeshRoute : uint32_t {
  kRouteMulticast,  ///< 1: all chips on the path, with the rows that branch off; 0: the last one
  kRouteEast,
  kRouteWest,
  kRouteNorth,
  kRouteSouth,
};
/// Semaphore of the core, after those of its connections.
constexpr uint32_t fabric_status_semaphore(uint32_t connections) { return 3 * connections; }

/// Latency kernels write a word for each sample. Bandwidth kernels write the clock after the
/// warm-up and after the last packet.
constexpr uint32_t kFabricBandwidthResults = 2;

/// Distance in the source between packets i-1 and i of a stream, so that each one differs.
constexpr uint32_t kFabricSourceStep = 16;

}  // namespace tvp::kernels::microbenchmarks
