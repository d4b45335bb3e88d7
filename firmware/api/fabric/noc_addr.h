#pragma once
// NoC addresses in packets. Their coordinates are those of NoC 0, or translated ones, for any NoC
// of the sender or the router.

#include <stdint.h>

#include <utility>

#include "dataflow/noc_addresses.h"
#include "fabric/fabric_edm_types.hpp"

/// The NoC whose coordinates packets carry.
namespace tt::tt_fabric {
constexpr uint8_t edm_to_local_chip_noc = 0;
}

// Templates, so that trees of early 2025 can define their own.
template <typename = void>
FORCE_INLINE uint64_t safe_get_noc_addr(uint8_t noc_x, uint8_t noc_y, uint32_t addr,
                                        uint8_t noc = noc_index) {
  return get_noc_addr(noc_x, noc_y, addr, noc);
}
template <typename = void>
FORCE_INLINE bool is_using_noc_coords(uint16_t noc_x, uint16_t noc_y) {
  return noc_x < tvp::chip::kFirstTranslated && noc_y < tvp::chip::kFirstTranslated;
}
template <typename = void>
FORCE_INLINE std::pair<tt::tt_fabric::WorkerXY, uint32_t> get_noc_address_components(
    uint64_t noc_addr) {
  return {tt::tt_fabric::WorkerXY(static_cast<uint16_t>(NOC_UNICAST_ADDR_X(noc_addr)),
                                  static_cast<uint16_t>(NOC_UNICAST_ADDR_Y(noc_addr))),
          static_cast<uint32_t>(noc_addr)};
}
