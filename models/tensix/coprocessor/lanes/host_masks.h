#pragma once

#include "models/tensix/coprocessor/lanes/lane_products.h"

namespace tvp::tensix::coprocessor {

/// Masks of a register of 32 lanes, one for each vector of the host in which they lie, and the same
/// as an integer with a bit a lane: host_masks_avx2.h, host_masks_avx512.h.
template <unsigned kBytes>
struct HostMasks;

}  // namespace tvp::tensix::coprocessor
