#pragma once

#include <cstdint>

namespace tvp::test {

enum class ColumnsOp : std::uint8_t {
  kSort,     ///< sequences of 2^(log_k) of 64 elements
  kTopK,     ///< the 2^log_k largest, or smallest if `up`
  kSum,      ///< down all tiles
  kWelford,  ///< of all rows of all tiles but the last ones, state kept in Dst between
  kIntegerColumns,
  kIntegerRows,
  kIntegerAdd,  ///< of two tiles
  kUniform,
  kDropout,
  kQuantize,
  kRequantize,
  kDequantize,
};

/// Set by the test before it runs programs/columns.cpp. Buffer 4 holds BF16, 2 UInt16, 0 Int32.
struct ColumnsParameters {
  ColumnsOp op = ColumnsOp::kSort;
  unsigned log_k = 5;
  bool up = false;
  unsigned tiles = 2;
  unsigned last_rows = 32;  ///< of the last tile
  unsigned seed = 1;
};
inline ColumnsParameters columns_parameters;

}  // namespace tvp::test
