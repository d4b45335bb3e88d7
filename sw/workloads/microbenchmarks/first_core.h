#pragma once

#include "sw/runtime/programs/core_coord.h"

namespace tvp::workloads::microbenchmarks {

/// Where measurements of one core of a chip run.
inline constexpr runtime::CoreCoord kFirstCore{0, 0};

}  // namespace tvp::workloads::microbenchmarks
