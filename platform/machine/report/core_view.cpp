#include "platform/machine/report/core_view.h"

#include <algorithm>

#include "foundation/abi/tensix_vp/libttsim.h"

namespace tvp::platform {

std::vector<CoreView> all_cores(const std::vector<std::unique_ptr<Chip>>& chips) {
  std::vector<CoreView> cores;
  for (std::size_t place = 0; place < chips.size(); ++place) {
    const auto& chip = chips[place];
    const foundation::ChipSpec::Memories& memories = chip->spec().memories;
    const std::uint32_t local = std::min(memories.compute_local_bytes, memories.data_local_bytes);
    for (const auto& tile : chip->tensix_tiles()) {
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        cores.push_back({&tile->core(static_cast<tensix::TileCore>(i)), chip->id(), place,
                         tile->x(), tile->y(), TENSIX_VP_CORE_BRISC + i, local});
      }
    }
    for (unsigned channel = 0; channel < chip->ethernet_tiles().size(); ++channel) {
      const auto [x, y] = chip->spec().ethernet[channel];
      cores.push_back({&chip->ethernet_tiles()[channel]->core(), chip->id(), place, x, y,
                       TENSIX_VP_CORE_ERISC, local});
    }
  }
  return cores;
}

}  // namespace tvp::platform
