#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sw/runtime/devices/chip_layout.h"

namespace tvp::runtime {

/// Kinds of chips of tensix_vp_system, in the order in which it refers to them.
std::vector<ChipLayout::Spec> chip_kinds(const nlohmann::json& system);

}  // namespace tvp::runtime
