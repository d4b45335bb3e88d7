#include "sw/runtime/fabric_layout.h"

#include <string>

#include "firmware/contract/memory_map.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using contract::fabric::router_layout;

contract::fabric::RouterLayout router_layout_in_l1(std::uint32_t max_payload_bytes) {
  constexpr std::uint32_t kL1 = contract::kEthUnreservedEnd - contract::kEthUnreservedBase;
  // A payload of all the memory is refused before sums of it wrap around.
  const bool fits = max_payload_bytes <= kL1 &&
                    router_layout(contract::kEthUnreservedBase, max_payload_bytes).end() <=
                        contract::kEthUnreservedEnd;
  if (max_payload_bytes == 0 || !fits)
    bad_use("fabric", "slots for payloads of " + std::to_string(max_payload_bytes) +
                          " bytes: expected at least 1 and what fits into the " +
                          std::to_string(kL1) + " bytes of an ethernet tile's L1, " +
                          std::to_string(contract::fabric::kDefaultMaxPayloadBytes) +
                          " by default");
  return router_layout(contract::kEthUnreservedBase, max_payload_bytes);
}

}  // namespace tvp::runtime
