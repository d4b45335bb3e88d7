#pragma once

#include <cstdint>

namespace tvp::test {

enum class ColumnsOp : std::uint8_t {
  kSort,     ///< sequences of 2^log_k elements out of 64
  kTopK,     ///< the 2^log_k largest, or smallest if `up`
  kSum,      ///< down all tiles
  kWelford,  ///< mean and variance of all rows; Dst keeps the state between tiles
  kIntegerColumns,
  kIntegerRows,
  kIntegerAdd,  ///< sum of two tiles
  kUniform,
  kDropout,
  kQuantize,
  kRequantize,
  kDequantize,
};

/// Parameters that the test sets before it runs programs/columns.cpp. Buffer 4 holds BF16, 2
/// UInt16, 0 Int32.
struct ColumnsParameters {
  ColumnsOp op = ColumnsOp::kSort;
  unsigned log_k = 5;
  bool up = false;
  unsigned tiles = 2;
  unsigned last_rows = 32;  ///< rows of the last tile
  unsigned seed = 1;
};
inline ColumnsParameters columns_parameters;

}  // namespace tvp::test
