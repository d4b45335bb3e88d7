#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/unpack/unpack_conversion.h"

namespace tvp::tensix::coprocessor {

/// Source and destination of the datums of one UNPACR.
struct UnpackPlan {
  unsigned unpacker = 0;
  unsigned thread = 0;
  std::uint32_t instruction = 0;
  std::uint32_t pc = 0;     ///< pc that pushed it; 0: not known
  bool has_waited = false;  ///< it has waited for a bank, so it is not the instruction at the gate
  DataFormat in = DataFormat::kFp32;
  DataFormat out = DataFormat::kFp32;
  // Source: addresses of data in bits, of exponents in sixteenths of a byte.
  std::uint64_t data_bit = 0;
  std::uint64_t exponent16 = 0;
  bool exponents_in_l1 = false;
  std::uint8_t forced_exponent = 0;
  std::uint32_t datums = 0;
  std::uint32_t row_stride_bits = 0;
  bool discontiguous = false;
  std::uint64_t limit_bytes = 0;
  std::uint64_t fifo_bytes = 0;
  // Destination:
  std::uint32_t out_index = 0;
  bool to_dst = false;
  bool transpose = false;
  bool override_row = false;  ///< SRCA_SET_SetOvrdWithAddr
  unsigned column_shift = 0;
  bool upsample = false;
  bool upsample_skips = false;
  bool zero = false;
  bool int8_unsigned = false;
  unsigned beats_per_cycle = 1;
};

}  // namespace tvp::tensix::coprocessor
