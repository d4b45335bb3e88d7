#pragma once

#include "sw/runtime/programs/core_coord.h"

namespace tvp::workloads::microbenchmarks {

/// The core for measurements of one core of a chip.
inline constexpr runtime::CoreCoord kFirstCore{0, 0};

}  // namespace tvp::workloads::microbenchmarks
