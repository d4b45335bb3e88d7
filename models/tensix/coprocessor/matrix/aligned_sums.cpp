#include "models/tensix/coprocessor/matrix/aligned_products.h"
#include "models/tensix/coprocessor/matrix/aligned_rows.h"
#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor {

namespace aligned_sums {

alignas(64) constinit const RowPlaces kPlaces = [] {
  RowPlaces places{};
  for (unsigned k = 0; k < kInner; ++k) places[k].fill(static_cast<std::uint8_t>(k));
  return places;
}();

namespace {

void multiply_portable(const FloatSums::Product& p) { Products<16>(p).execute(); }
void combine_portable(const FloatSums::Elementwise& e) { Rows<16>(e).execute(); }

}  // namespace
}  // namespace aligned_sums

const FloatSums& FloatSums::aligned_portable() {
  static constexpr FloatSums sums(aligned_sums::multiply_portable, aligned_sums::combine_portable);
  return sums;
}

const FloatSums& FloatSums::aligned() {
  if (const FloatSums* avx512 = aligned_wide<64>()) return *avx512;
  const FloatSums* avx2 = aligned_wide<32>();
  return avx2 != nullptr ? *avx2 : aligned_portable();
}

}  // namespace tvp::tensix::coprocessor
