#pragma once

#include <cstddef>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/aligned_operands.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor::aligned_sums {

/// Contiguous rows of BF16 Dst, or of high halves of FP32, in vectors of 16-bit words. For hosts
/// whose lanes have such words (kHasWords).
template <unsigned kBytes>
struct DstWords {
  using L = Lanes<kBytes>;
  using U16 = typename L::U16;
  using I16 = typename L::I16;
  static constexpr std::size_t kCount = kBytes / sizeof(std::uint16_t);

  TVP_INLINE static U16 load(const Dst::Row* rows, std::size_t at) {
    return L::template load<U16>(rows[at / kColumns].data() + at % kColumns);
  }
  TVP_INLINE static void store(Dst::Row* rows, std::size_t at, U16 words) {
    L::store(rows[at / kColumns].data() + at % kColumns, words);
  }
  TVP_INLINE static U16 exponents(U16 cells) { return cells & L::all_words(0xFF); }
  /// Fields in the order of the host's numbers.
  TVP_INLINE static U16 host_order(U16 cells) {
    return (exponents(cells) << 7) | (shifted(cells, 8) & L::all_words(0x807F));
  }
  TVP_INLINE static U16 dst_order(U16 words) {
    return ((words << 8) & L::all_words(0x7F00)) | (shifted(words, 7) & L::all_words(0x80FF));
  }
  /// True if all exponents of the rows are 0 or in this range.
  TVP_INLINE static bool exponents_within(int lowest, int highest, const Dst::Row* rows) {
    U16 most{}, least = L::all_words(0xFFFF);
#pragma GCC unroll 8
    for (std::size_t at = 0; at < kRows * kColumns; at += kCount) {
      const U16 e = exponents(load(rows, at));
      most = L::larger(most, e);
      least = L::smaller(least, e - 1);  // 0 becomes the largest
    }
    const U16 above = L::excess(most, L::all_words(highest));
    const U16 below = L::excess(L::all_words(lowest - 1), least);
    return !L::any(above | below);
  }

 private:
  /// Shifts right arithmetically, so that the sign stays in its place.
  TVP_INLINE static U16 shifted(U16 words, int places) { return (U16)((I16)words >> places); }
};

}  // namespace tvp::tensix::coprocessor::aligned_sums
