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
  kBlockMaxRow,          ///< maximum of three tiles
  kReduceRowThenNegate,  ///< the vector unit negates the whole tile
  kReduceColumnThenNegate,
  kReduceScalarThenNegate,
  kReduceMaxScalarThenNegate,
  kCopyBesideReductions,  ///< the reductions use the next tile of Dst
  kReduceAllMaxRow,       ///< maximum of all tiles of a so far, in every result
  kReduceAllSumScalar,
  kTranspose,
  kTransposeByCopy,
  kAddRow,         ///< adds the row of b in the middle of the lower faces
  kReuseAdd,       ///< (a + b) + b; the sum moves from Dst to SrcA
  kReuseSubtract,  ///< b - (a + b); the sum moves from Dst to SrcB
  kReuseMultiply,
  kPackRelu,
  kTilize,  ///< all tiles, as two rows of half of the tiles
  kUntilize,
  kPackUntilize,  ///< as two blocks of columns
};

/// Parameters that the test sets before it runs a program.
struct OpParameters {
  Op op = Op::kCopy;
  unsigned broadcast = 0;  ///< BroadcastType
  unsigned tiles = 1;
  unsigned out = 16;  ///< buffer: 16 holds BF16, 18 FP32
  int vector_mode = 4;
};
inline OpParameters op_parameters;

}  // namespace tvp::test
