#pragma once
// Names of the circular buffers, old and new.

#include <stdint.h>

#include "foundation/contract/circular_buffer_names.h"
#include "foundation/contract/data_format.h"

namespace tt {

/// The part of DST that a kernel of early 2024 acquires (acquire_dst).
enum DstMode : uint8_t { Full = 0, Half = 1, Tile = 2, NUM_DST_MODES = 3 };

// Numbers of the same buffers under the names of before.
enum HlkOperand : uint8_t {
  in0 = 0,
  in1,
  in2,
  in3,
  in4,
  in5,
  in6,
  in7,
  param0 = 8,
  param1,
  param2,
  param3,
  param4,
  param5,
  param6,
  param7,
  out0 = 16,
  out1,
  out2,
  out3,
  out4,
  out5,
  out6,
  out7,
  intermed0 = 24,
  intermed1,
  intermed2,
  intermed3,
  intermed4,
  intermed5,
  intermed6,
  intermed7,
};

}  // namespace tt
