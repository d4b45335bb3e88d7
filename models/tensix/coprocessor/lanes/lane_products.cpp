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
  if (const Function widest = avx512()) return widest;
  const Function wide = avx2();
  return wide != nullptr ? wide : portable();
}

}  // namespace tvp::tensix::coprocessor
