#pragma once

#include "api/compute/common.h"

namespace ckernel {

enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

}  // namespace ckernel
