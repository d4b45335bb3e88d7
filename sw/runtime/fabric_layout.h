#pragma once

#include <cstdint>

#include "firmware/contract/fabric/router.h"

namespace tvp::runtime {

/// Where a router for payloads of up to `max_payload_bytes` keeps its slots in the L1 of an
/// ethernet tile. Throws Fault(kDescription) when they do not fit, or hold nothing.
contract::fabric::RouterLayout router_layout_in_l1(std::uint32_t max_payload_bytes);

}  // namespace tvp::runtime
