#pragma once

#include <array>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// vector_multiply_add of each of 32 lanes, by vectors of the host.
class LaneProducts {
 public:
  using Lanes = std::array<std::uint32_t, 32>;
  /// Lanes of `result` change where all bits of `written` are set, and not where none is; it may be
  /// one of the factors.
  using Function = void (*)(const Lanes& x, const Lanes& y, const Lanes& z, const Lanes& written,
                            Lanes& result);

  /// The fastest build for this machine.
  static Function best();
  /// For any machine, and for machines with AVX2 or AVX-512; null on others.
  static Function portable();
  static Function avx2();
  static Function avx512();
};

}  // namespace tvp::tensix::coprocessor
