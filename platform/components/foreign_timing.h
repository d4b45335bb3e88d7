#pragma once

#include "models/support/foreign_memory.h"
#include "tensix_vp/systemc/timing.h"

namespace tensix_vp {

inline tvp::support::ForeignMemory::Timing foreign_timing(Timing timing) {
  using Foreign = tvp::support::ForeignMemory::Timing;
  return timing == Timing::kLoose ? Foreign::kLoose : Foreign::kApproximate;
}

}  // namespace tensix_vp
