#include "sw/workloads/prefetcher/elementwise_golden.h"

#include <cmath>

namespace tvp::workloads::prefetcher {

using matmul::kTileSide;
using matmul::Matrix;

ElementwiseGolden::Values ElementwiseGolden::function(const Matrix& weights,
                                                      const Epilogue& epilogue) const {
  Values values{Matrix(weights.rows, weights.columns), Matrix(weights.rows, weights.columns)};
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    values.expected.values[i] = epilogue.value(weights.values[i]);
    values.bound.values[i] = epilogue.bound(weights.values[i], 0);
  }
  return values;
}

ElementwiseGolden::Values ElementwiseGolden::chain(const Matrix& weights, const Matrix& resident,
                                                   std::uint32_t p, unsigned phases) const {
  const Part& part = plan_.parts()[p];
  const double sum_loss = phases == 1 ? 0x1p-4 : 0x1p-9;
  const double weight_loss = phases <= 2 ? 0x1p-7 : 0;
  constexpr double kBothLosses = 0x1p-11;  // the low bits of both, which only phase 3 multiplies
  constexpr double kRounding = 0x1p-10 + 0x1p-8;
  const double loss = sum_loss + weight_loss + kBothLosses + kRounding;
  Values values{Matrix(weights.rows, weights.columns), Matrix(weights.rows, weights.columns)};
  for (unsigned row = 0; row < weights.rows; ++row) {
    for (unsigned column = 0; column < weights.columns; ++column) {
      const unsigned tile = row / kTileSide % part.block_rows * part.width + column / kTileSide;
      const double w = weights.at(row, column);
      const double r = resident.at(tile * kTileSide + row % kTileSide, column % kTileSide);
      values.expected.at(row, column) = (r + w) * w;
      values.bound.at(row, column) = loss * std::abs((r + w) * w);
    }
  }
  return values;
}

}  // namespace tvp::workloads::prefetcher
