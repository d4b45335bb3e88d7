// A router's firmware that reports ready and forwards no packets.

#include "foundation/contract/fabric/router.h"
#include "tests/unit/ethernet/firmware/bare_map.h"

void kernel_main() {
  const auto layout = tvp::contract::fabric::router_layout(tvp::bare::kFabricBase, 4352);
  *reinterpret_cast<volatile uint32_t*>(layout.status()) =
      tvp::contract::fabric::kStatusReadyForTraffic;
}
