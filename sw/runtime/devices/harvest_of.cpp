#include "sw/runtime/devices/harvest_of.h"

#include <string>

#include "foundation/regs/noc.h"
#include "sw/runtime/devices/tile_access.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

std::uint32_t harvest_of(DeviceLibrary& library, unsigned pci_device, const ChipLayout::Spec& kind,
                         std::uint32_t described) {
  TileAccess tiles(library, pci_device, *kind);
  const CoreCoord tile = ChipLayout(kind, 0, true).worker_noc0({0, 0});
  const auto translated = [&](unsigned row) {
    const unsigned entry = kind->first_translated + row;
    const std::uint64_t at = regs::noc::kNiu0Base + regs::noc::kYIdTranslateTable0 + entry / 8 * 4;
    return tiles.read32(tile, at) >> entry % 8 * 4 & 0xF;
  };
  for (const std::uint32_t harvested : {described, 0U}) {
    const auto order = kind->row_order(kind->harvested_rows(harvested));
    unsigned same = 0;
    while (same < order.size() && translated(same) == order[same]) ++same;
    if (same == order.size()) return harvested;
  }
  bad_use(library.name(), "PCI device " + std::to_string(pci_device) +
                              " translates rows neither as the system's chips, of kind " +
                              kind->name + ", nor as a whole one of these");
}

}  // namespace tvp::runtime
