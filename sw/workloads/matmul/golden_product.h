#pragma once

#include "sw/workloads/matmul/tile_format.h"

namespace tvp::workloads::matmul {

/// The rounding steps of a product between operands and output.
struct Arithmetic {
  unsigned fidelity_phases = 4;
  bool fp32_dst = false;
  unsigned blocks = 1;    ///< along the inner dimension
  bool repeated = false;  ///< all blocks are the same operands
  bool accumulates_in_l1 = false;
  runtime::DataFormat partials = runtime::DataFormat::Float16_b;
  runtime::DataFormat output = runtime::DataFormat::Float16_b;
};

/// The product in double precision, and the largest error of a correct machine for each datum.
///
/// The bound follows the documented steps (models/tensix/coprocessor/matrix_arithmetic.md). A
/// fidelity phase multiplies parts of the mantissas. The products that no phase computes are added
/// as they are. Every MVMUL adds 16 products to Dst and rounds by u = 2^-24 (FP32) or 2^-8 (BF16)
/// of the sum. With the exact sums s_j, errors obey e_j <= e_(j-1) + u (|s_j| + e_(j-1)). Products
/// are rounded to 2^-10 of the largest of their group: these many small errors of either sign count
/// by their variance.
///
/// A partial result that is stored and loaded is also rounded to its format. The error is 2^-8 for
/// BF16, and 2^-10 for FP32 that returns through SrcA as TF32. For BFP8 it is one unit of the 7
/// bits of magnitude of the largest datum of a group.
class GoldenProduct {
 public:
  GoldenProduct(const Matrix& in0, const Matrix& in1, const Arithmetic& arithmetic);

  const Matrix& product() const { return product_; }
  const Matrix& bound() const { return bound_; }
  /// The product of the executed phases, which may omit parts of operands.
  const Matrix& carried_out() const { return carried_out_; }

 private:
  class Row;
  class Rows;

  Matrix product_;
  Matrix bound_;
  Matrix carried_out_;
};

}  // namespace tvp::workloads::matmul
