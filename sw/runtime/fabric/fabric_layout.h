#pragma once

#include <cstdint>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Places of the slots of a router for payloads of up to `max_payload_bytes` in the L1 of an
/// ethernet tile. Throws Fault(kDescription) if they do not fit or are empty.
contract::fabric::RouterLayout router_layout_in_l1(
    std::uint32_t max_payload_bytes,
    const contract::fabric::RouterShape& shape = contract::fabric::kLineRouters);

/// `shape` with the number of slots of tt-metal's routers for such payloads.
contract::fabric::RouterShape published_shape(contract::fabric::RouterShape shape,
                                              std::uint32_t max_payload_bytes);

/// Compile-time arguments of a router. `on_ring` is true if its link belongs to a ring.
std::vector<std::uint32_t> router_compile_args(
    const contract::fabric::RouterLayout& layout, std::uint32_t max_payload_bytes,
    contract::fabric::Direction direction = contract::fabric::kNoDirection, bool on_ring = false);

/// Run-time arguments with which a core connects to the router at `router`. `semaphores` is the
/// first of three of its program, `direction` that of the router's link.
std::vector<std::uint32_t> connection_args(
    const contract::fabric::RouterLayout& layout, CoreCoord router, std::uint32_t semaphores,
    contract::fabric::Direction direction = contract::fabric::kNoDirection);

/// Writes the table to the address that kernels of all Tensix tiles of a device read.
void leave_routing_table(Device& device, const contract::fabric::RoutingTable& table);

}  // namespace tvp::runtime
