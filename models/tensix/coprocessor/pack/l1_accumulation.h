#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/unpack/unpack_conversion.h"

namespace tvp::tensix::coprocessor {

/// Addition at L1 (ISA TensixTile/L1.md): four lanes of FP32 or INT32 (sign and magnitude, with
/// saturation), eight of FP16 or BF16. Rounding is not documented. Here it is to nearest, ties to
/// even, and denormals are zero. FP16, whose largest exponent is an ordinary one, saturates.
class L1Accumulation {
 public:
  static constexpr unsigned kBytes = 16;

  static bool supports(DataFormat format) {
    return format == DataFormat::kFp32 || format == DataFormat::kInt32 ||
           format == DataFormat::kFp16 || format == DataFormat::kBf16;
  }
  /// 16 bytes at `memory` += `data`.
  static void add(DataFormat format, const std::uint8_t* data, std::uint8_t* memory);
};

}  // namespace tvp::tensix::coprocessor
