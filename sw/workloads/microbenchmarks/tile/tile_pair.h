#pragma once

#include "foundation/settings.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::workloads::microbenchmarks {

/// Keys for the position of a second tile. The first is in the corner.
struct TilePair : foundation::SettingGroup {
  using SettingGroup::SettingGroup;
  /// Throws Fault(kDescription) if both are the same.
  runtime::CoreCoord there() const;

  foundation::Setting<std::uint32_t> distance_x{
      *this,
      {"distance_x", "", "columns between the tiles", "workload"},
      {.value = 1, .min = 0, .max = 7}};
  foundation::Setting<std::uint32_t> distance_y{
      *this,
      {"distance_y", "", "rows between the tiles", "workload"},
      {.value = 1, .min = 0, .max = 9}};
};

}  // namespace tvp::workloads::microbenchmarks
