#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/programs/launch_plan.h"

namespace tvp::runtime {

/// Programs laid out for their devices, ready to start together, once or again and again. What the
/// host changes in a program afterwards does not reach it.
struct MeshLaunch {
  struct Part {
    unsigned device = 0;
    std::optional<SubDeviceId> sub_device;
    LaunchPlan plan;
  };
  std::vector<Part> parts;
  SubDeviceManagerId manager;  ///< that split the cores when it was laid out
};

}  // namespace tvp::runtime
