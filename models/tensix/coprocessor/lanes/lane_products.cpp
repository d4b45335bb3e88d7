#include "models/tensix/coprocessor/lanes/lane_products.h"

#include "models/tensix/coprocessor/vector/vector_float.h"

namespace tvp::tensix::coprocessor {

namespace {

using Registers = LaneProducts::Lanes;

void multiply_add_portable(const Registers& x, const Registers& y, const Registers& z,
                           const Registers& written, Registers& result) {
  for (unsigned lane = 0; lane < result.size(); ++lane) {
    const std::uint32_t value = vector_multiply_add(x[lane], y[lane], z[lane]);
    result[lane] = (value & written[lane]) | (result[lane] & ~written[lane]);
  }
}

}  // namespace

LaneProducts::Function LaneProducts::portable() { return multiply_add_portable; }

LaneProducts::Function LaneProducts::best() {
  if (const Function avx512 = wide<64>()) return avx512;
  const Function avx2 = wide<32>();
  return avx2 != nullptr ? avx2 : portable();
}

}  // namespace tvp::tensix::coprocessor
