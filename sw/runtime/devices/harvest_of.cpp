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
  const regs::noc::Map& map = regs::noc::map(kind->generation);
  const auto holds = [&](std::uint32_t table, const foundation::Coordinates::Table& expected) {
    const std::uint32_t in_word = 32 / map.table_entry_bits;
    for (unsigned entry = kind->first_translated; entry < expected.size(); ++entry) {
      if (expected[entry] == foundation::Coordinates::kUnused) continue;
      const std::uint64_t at = regs::noc::kNiu0Base + table + entry / in_word * 4;
      const std::uint32_t value = tiles.read32(tile, at) >> entry % in_word * map.table_entry_bits;
      if ((value & ((1U << map.table_entry_bits) - 1)) != expected[entry]) return false;
    }
    return true;
  };
  for (const std::uint32_t harvested : {described, 0U}) {
    const foundation::Coordinates coordinates(*kind, kind->harvested(harvested));
    if (kind->harvest_columns.empty() ? holds(map.YIdTranslateTable0, coordinates.rows(0))
                                      : holds(map.XIdTranslateTable0, coordinates.columns(0))) {
      return harvested;
    }
  }
  bad_use(library.name(), "PCI device " + std::to_string(pci_device) +
                              " translates coordinates neither as the system's chips, of kind " +
                              kind->name + ", nor as a whole one of these");
}

}  // namespace tvp::runtime
