#pragma once

// The arguments that kernels and host share.

#include <stdint.h>

namespace tvp::kernels::parallel {

/// Circular buffers of two tiles each.
enum Buffer : uint32_t { kLeft = 0, kRight = 1, kProduct = 16 };

// Runtime arguments; sizes are in tiles.
enum ReaderArgument : uint32_t {
  kReaderLeft,
  kReaderRight,
  kReaderRows,
  kReaderInner,
  kReaderColumns,
};
enum ComputeArgument : uint32_t { kComputeTiles, kComputeInner };
enum WriterArgument : uint32_t { kWriterProduct, kWriterTiles };

}  // namespace tvp::kernels::parallel
