#pragma once

#include <string_view>

#include "firmware/contract/fabric/mux.h"
#include "sw/runtime/kernel_types.h"
#include "sw/runtime/program.h"

namespace tvp::runtime {

/// The two muxes: this platform's, and one that issues as tt-metal's does, for times of programs
/// that will run with that one.
enum class FabricMuxKernel { kOurs, kPublishedOrder };

/// Spelt ours and published_order.
FabricMuxKernel fabric_mux_kernel(std::string_view name);

/// Muxes on `cores`, whose layouts are at one address in all of them. Where the router of each is
/// (contract::fabric::MuxRuntimeArg) is for SetRuntimeArgs.
KernelHandle CreateFabricMux(Program& program, const CoreRangeSet& cores,
                             const contract::fabric::MuxLayout& mux,
                             const contract::fabric::EndpointLayout& router,
                             FabricMuxKernel kernel = FabricMuxKernel::kOurs);

}  // namespace tvp::runtime
