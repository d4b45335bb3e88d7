#pragma once

#include "sw/runtime/programs/core_coord.h"
#include "sw/workloads/workload_settings.h"

namespace tvp::workloads::microbenchmarks {

/// Keys that say where a second tile is; the first is in the corner.
struct TilePair : WorkloadSettings {
  using WorkloadSettings::WorkloadSettings;
  /// Throws Fault(kDescription) when both are the same.
  runtime::CoreCoord there() const;

  Number distance_x =
      number("distance_x", "", "columns between the tiles", {.value = 1, .min = 0, .max = 7});
  Number distance_y =
      number("distance_y", "", "rows between the tiles", {.value = 1, .min = 0, .max = 9});
};

}  // namespace tvp::workloads::microbenchmarks
