#pragma once

#include <array>
#include <cstdint>

#include "models/tensix/coprocessor/datum.h"
#include "models/tensix/coprocessor/matrix/factor_cache.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// Adds products and operands of floating-point styles to Dst, as the matrix unit does.
class FloatSums {
 public:
  using SrcRow = std::array<std::uint32_t, kColumns>;
  enum class Combine : std::uint8_t { kMultiply, kAdd, kSubtract };

  struct Formats {
    datum::SrcStyle srca;  ///< selects the width of all exponents
    datum::SrcStyle srcb;  ///< selects the mantissa bits of SrcB
    bool dst32;
    unsigned phase;  ///< fidelity phase
  };
  /// A row of Dst. `low` holds the low halves of 32-bit datums; it is null for 16-bit Dst.
  struct DstRow {
    Dst::Row* high;
    Dst::Row* low;
  };
  /// Factors kept from one product to the next.
  struct Kept {
    FactorCache<16> srca;
    FactorCache<8> srcb;
  };
  /// Adds a row of SrcB times sixteen rows of SrcA to each row of Dst.
  struct Product {
    Formats formats;
    unsigned rows;
    Kept* kept = nullptr;                              ///< null: not kept
    std::uint64_t srca_changes = 0, srcb_changes = 0;  ///< change counters of the banks
    std::array<const SrcRow*, 2> srca;                 ///< each begins a block of eight rows
    const SrcRow* srcb;                                ///< the first one
    unsigned srcb_step;                                ///< 0: the same for all rows of Dst
    DstRow dst;                                        ///< the first one
    unsigned dst_step;

    const SrcRow& srca_row(unsigned k) const { return srca[k / 8][k % 8]; }
    const SrcRow& srcb_row(unsigned i) const { return srcb[i * srcb_step]; }
    DstRow dst_row(unsigned i) const {
      const unsigned at = i * dst_step;
      return {dst.high + at, dst.low != nullptr ? dst.low + at : nullptr};
    }
  };
  /// Eight rows, element by element.
  struct Elementwise {
    Formats formats;
    Combine combine;
    bool add_dst;     ///< false: Dst counts as zero
    bool flush_srcb;  ///< an exponent of 0 means zero in SrcB, as it always does in SrcA
    std::array<const SrcRow*, 8> srca;
    std::array<const SrcRow*, 8> srcb;
    std::array<DstRow, 8> dst;
  };

  /// Bit-exact with the hardware (matrix_arithmetic.md); the fastest build for this machine.
  static const FloatSums& aligned();
  /// The same for any machine.
  static const FloatSums& aligned_portable();
  /// The same by vectors of 32 bytes (AVX2) or 64 bytes (AVX-512). Null if the machine lacks them.
  template <unsigned kBytes>
  static const FloatSums* aligned_wide();
  /// In double precision, rounded once to Dst, ties to even; for comparison.
  static const FloatSums& exact();

  void multiply(const Product& product) const { multiply_(product); }
  void combine(const Elementwise& elementwise) const { combine_(elementwise); }

 private:
  constexpr FloatSums(void (*products)(const Product&), void (*elementwise)(const Elementwise&))
      : multiply_(products), combine_(elementwise) {}

  void (*multiply_)(const Product&);
  void (*combine_)(const Elementwise&);
};

template <>
const FloatSums* FloatSums::aligned_wide<32>();
template <>
const FloatSums* FloatSums::aligned_wide<64>();

}  // namespace tvp::tensix::coprocessor
