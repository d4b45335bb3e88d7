#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/programs/launch_plan.h"

namespace tvp::runtime {

/// Programs that are laid out for their devices and can start together several times. Later changes
/// of the program by the host have no effect on it.
struct MeshLaunch {
  struct Part {
    unsigned device = 0;
    std::optional<SubDeviceId> sub_device;
    LaunchPlan plan;
  };
  std::vector<Part> parts;
  SubDeviceManagerId manager;  ///< the split at the time of the layout
};

}  // namespace tvp::runtime
