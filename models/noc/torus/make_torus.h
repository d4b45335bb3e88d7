#pragma once

#include <memory>
#include <systemc>

#include "models/noc/noc_config.h"
#include "models/noc/torus/torus.h"
#include "models/support/calendar.h"

namespace tvp::noc {

/// Makes the torus that the settings select.
std::unique_ptr<Torus> make_torus(const sc_core::sc_module_name& name, const NocConfig& config,
                                  const Grid& grid, unsigned noc, support::Calendar& calendar);

}  // namespace tvp::noc
