#pragma once

#include <cstdint>

#include "sw/workloads/prefetcher/tensors.h"

namespace tvp::workloads::prefetcher {

/// Expected results of an element-wise consumer in double, and the largest error of a correct
/// machine for each of them.
class ElementwiseGolden {
 public:
  struct Values {
    matmul::Matrix expected, bound;
  };

  explicit ElementwiseGolden(const PrefetchPlan& plan) : plan_(plan) {}

  /// The function of each weight.
  Values function(const matmul::Matrix& weights, const Epilogue& epilogue) const;
  /// (r + w) * w for each weight w. The datum r is at the same place of the resident tensor as w in
  /// its block. The sum returns from Dst through SrcA, of which 9 bits count behind the first one
  /// (models/tensix/coprocessor/matrix_arithmetic.md), or 4 in a single fidelity phase. Two phases
  /// omit the last bit of SrcB. The product and the packer round.
  Values chain(const matmul::Matrix& weights, const matmul::Matrix& resident, std::uint32_t part,
               unsigned fidelity_phases) const;

 private:
  const PrefetchPlan& plan_;
};

}  // namespace tvp::workloads::prefetcher
