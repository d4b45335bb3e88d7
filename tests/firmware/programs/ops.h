#pragma once

#include <cstdint>

namespace tvp::test {

enum class Op : std::uint8_t {
  kCopy,
  kRepeat,  ///< copy through SrcB
  kAdd,
  kSubtract,
  kMultiply,
  kMultiplyAccumulate,  ///< two products in one tile
  kMatmul,
  kMaxColumns,
  kExp,
  kReciprocal,
  kMax,
  kRelu,
  kSquare,
  kNegative,
  kReduceSumRow,  ///< the first tile of b is the scaler
  kReduceSumColumn,
  kReduceSumScalar,
  kReduceMaxRow,
  kReduceMaxColumn,
  kReduceMaxScalar,
  kBlockMaxRow,          ///< of three tiles
  kReduceRowThenNegate,  ///< the whole tile, by the vector unit
  kReduceColumnThenNegate,
  kReduceScalarThenNegate,
  kReduceMaxScalarThenNegate,
  kCopyBesideReductions,  ///< which go to the next tile of Dst
  kReduceAllMaxRow,       ///< all tiles of a so far, into every result
  kReduceAllSumScalar,
  kTranspose,
  kTransposeByCopy,
  kAddRow,         ///< the row of b in the middle of the lower faces
  kReuseAdd,       ///< (a + b) + b, the sum from Dst to SrcA
  kReuseSubtract,  ///< b - (a + b), the sum from Dst to SrcB
  kReuseMultiply,
  kPackRelu,
  kTilize,  ///< all tiles, two rows of half as many
  kUntilize,
  kPackUntilize,  ///< as two blocks of columns
};

/// Set by the test before it runs a program.
struct OpParameters {
  Op op = Op::kCopy;
  unsigned broadcast = 0;  ///< BroadcastType
  unsigned tiles = 1;
  unsigned out = 16;  ///< buffer: 16 holds BF16, 18 FP32
  int vector_mode = 4;
};
inline OpParameters op_parameters;

}  // namespace tvp::test
