#pragma once

#include "api/compute/threads/operation_common.h"

namespace ckernel {

enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

/// Notifies MATH if PACK's functions replace constants and macros of the fast exponential and
/// others in the vector unit.
ALWI void vector_unit_goes_to_pack() {
#if COMPILE_FOR_TRISC == 1
  using enum llk::sfpu::ConstantsOwner;
  llk::sfpu::macros_of = nullptr;
  auto& owner = llk::sfpu::constants_owner;
  if (owner == kFastExp || owner == kExpOfBf16) owner = kLibrary;
#endif
}

}  // namespace ckernel
