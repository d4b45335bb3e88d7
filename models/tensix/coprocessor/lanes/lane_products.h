#pragma once

#include <array>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// vector_multiply_add of each of 32 lanes with vectors of the host.
class LaneProducts {
 public:
  using Lanes = std::array<std::uint32_t, 32>;
  /// Changes the lanes of `result` for which all bits of `written` are set; in other lanes none is
  /// set. `result` may be one of the factors.
  using Function = void (*)(const Lanes& x, const Lanes& y, const Lanes& z, const Lanes& written,
                            Lanes& result);

  /// The fastest build for this machine.
  static Function best();
  /// The build for any machine.
  static Function portable();
  /// The build by vectors of 32 bytes (AVX2) or 64 bytes (AVX-512). Null if the machine lacks them.
  template <unsigned kBytes>
  static Function wide();
};

template <>
LaneProducts::Function LaneProducts::wide<32>();
template <>
LaneProducts::Function LaneProducts::wide<64>();

}  // namespace tvp::tensix::coprocessor
