#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/tensix/coprocessor/lanes/lane_products.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::bench {

/// The arithmetic of the matrix unit for tiles of BF16 alone, without waits, counters or probes.
/// The MVMULs have the order of firmware/llk/llk_matmul.h.
class MatmulAlone {
 public:
  MatmulAlone(unsigned phases, bool fp32_dst);

  /// Host seconds of `tiles` tiles; eight of them are accumulated in Dst.
  double seconds_of(unsigned tiles);

 private:
  using Rows = tensix::coprocessor::Dst::Row;
  static constexpr unsigned kRows = 64;
  static constexpr unsigned kTilesOfASum = 8;
  struct State {
    alignas(64) std::array<tensix::coprocessor::FloatSums::SrcRow, kRows> srca, srcb;
    alignas(64) std::array<Rows, 2 * kRows> dst;  ///< 32-bit rows, split into high and low halves
    tensix::coprocessor::FloatSums::Kept kept;
  };

  void multiply(unsigned visit, unsigned phase, std::uint64_t changes);

  const unsigned phases_;
  const bool fp32_dst_;
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

/// The fused products of the exponential of a tile (firmware/llk/sfpu/sfpu.h) alone, without the
/// other instructions.
class ExponentialAlone {
 public:
  /// Host seconds of `tiles` tiles.
  static double seconds_of(unsigned tiles);
};

}  // namespace tvp::bench
