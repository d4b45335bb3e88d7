#pragma once

#include <string_view>

#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// A DDR4 part by the names of JESD79-4, as Ramulator spells them: organization "DDR4_8Gb_x8" and
/// speed bin "DDR4_2400R". Returns false if a name is no such name.
bool set_ddr4_organization(std::string_view name, Organization& organization);
/// The organization must be set.
bool set_ddr4_speed_bin(std::string_view name, const Organization& organization, Timing& timing);

}  // namespace tvp::dram
