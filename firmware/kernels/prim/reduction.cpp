// The sum of all elements: each tasklet sums its blocks, and the first one adds the sums.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) T block[pim::kTasklets][kBlock];
T sums[pim::kTasklets];
}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  T sum = 0;
  for_blocks(id, [&](std::uint32_t at, std::uint32_t count) {
    pim::dma_read(block[id], arguments.first + at, count * sizeof(T));
    for (std::uint32_t i = 0; i < count; ++i) sum += block[id][i];
  });
  sums[id] = sum;
  pim::tasklet_barrier();
  if (id != 0) return 0;
  for (std::uint32_t t = 1; t < pim::kTasklets; ++t) sum += sums[t];
  results.value = sum;
  return 0;
}
