#include "models/noc/torus/make_torus.h"

#include "models/noc/torus/detailed_torus.h"
#include "models/noc/torus/fast_torus.h"

namespace tvp::noc {

std::unique_ptr<Torus> make_torus(const sc_core::sc_module_name& name, const NocConfig& config,
                                  const Grid& grid, unsigned noc, support::Calendar& calendar) {
  if (config.torus == "detailed") {
    return std::make_unique<DetailedTorus>(name, config, grid, noc, calendar);
  }
  return std::make_unique<FastTorus>(name, config, grid, noc, calendar);
}

}  // namespace tvp::noc
