#include "sw/runtime/devices/base_firmware.h"

#include "foundation/contract/memory_map.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::runtime {

namespace {

namespace tile = regs::tensix_tile;

constexpr std::uint64_t kSoftReset = tile::kControl + tile::kSoftReset0;
// Cycles until it polls (assumed).
constexpr std::uint32_t kCycles = 4000;

}  // namespace

void BaseFirmware::hold(unsigned device, TileAccess& tiles, CoreCoord noc0) {
  if (let_go_.erase({device, noc0}) == 0) return;
  tiles.write32(noc0, kSoftReset, tile::kResetB);
  tiles.write32(noc0, kSoftReset, 0);
  library_.clock(kCycles);
}

void BaseFirmware::let_go(unsigned device, TileAccess& tiles, CoreCoord noc0) {
  tiles.write32(noc0, contract::kEthLaunchFlag, 1);
  let_go_.insert({device, noc0});
}

}  // namespace tvp::runtime
