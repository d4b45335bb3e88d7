#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::bench {

/// What the matrix unit computes for tiles of BF16, and nothing else: banks are full, nobody waits,
/// counts or looks. The order of MVMULs is that of firmware/llk/llk_matmul.h.
class MatmulAlone {
 public:
  MatmulAlone(unsigned phases, bool fp32_dst);

  /// Host seconds of so many tiles; eight of them are summed up in Dst.
  double seconds_of(unsigned tiles);

 private:
  using Rows = tensix::coprocessor::Dst::Row;
  static constexpr unsigned kRows = 64;
  static constexpr unsigned kTilesOfASum = 8;
  struct State {
    alignas(64) std::array<tensix::coprocessor::FloatSums::SrcRow, kRows> srca, srcb;
    alignas(64) std::array<Rows, 2 * kRows> dst;  ///< rows of blocks, of 32 bits: high, low
    tensix::coprocessor::FloatSums::Kept kept;
  };

  void multiply(unsigned visit, unsigned phase, std::uint64_t changes);

  const unsigned phases_;
  const bool fp32_dst_;
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

/// The fused products of the vector unit that the exponential of a tile takes
/// (firmware/llk/sfpu/sfpu.h), and nothing else of its instructions.
class ExponentialAlone {
 public:
  /// Host seconds of so many tiles.
  static double seconds_of(unsigned tiles);
};

}  // namespace tvp::bench
