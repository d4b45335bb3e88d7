#pragma once

#include <cstdint>
#include <vector>

#include "foundation/contract/fabric/mux.h"
#include "sw/runtime/programs/kernel_types.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// A mux ends by a signal, after which others may use its core. Like tt-metal's FabricMuxV2, it may
/// also end when each of its channels has had a client that has disconnected.
enum class FabricMuxEnd { kBySignal, kWithClients };

/// Creates muxes on `cores`, with layouts at one address. The caller sets the router of each
/// (contract::fabric::MuxRuntimeArg) with SetRuntimeArgs.
KernelHandle CreateFabricMux(Program& program, const CoreRangeSet& cores,
                             const contract::fabric::MuxLayout& mux,
                             const contract::fabric::EndpointLayout& router,
                             FabricMuxEnd end = FabricMuxEnd::kBySignal);

/// Run-time arguments with which a core connects to channel `channel` of a mux as to a router
/// (connection_args). `semaphores` is the first of three of its program. Throws as
/// fabric_mux_client_args().
std::vector<std::uint32_t> mux_connection_args(const contract::fabric::MuxLayout& mux,
                                               CoreCoord mux_core, std::uint32_t channel,
                                               std::uint32_t semaphores);

/// Run-time arguments with which a core becomes the client of channel `channel` of a mux that ends
/// with its clients (FabricMuxV2Sender). `mux_core` is the mux's core in the workers' coordinates,
/// `semaphores` the first of two semaphores of its program. Throws Fault(kUse) if the mux has no
/// such channel.
std::vector<std::uint32_t> fabric_mux_client_args(const contract::fabric::MuxLayout& mux,
                                                  CoreCoord mux_core, std::uint32_t channel,
                                                  std::uint32_t semaphores);

}  // namespace tvp::runtime
