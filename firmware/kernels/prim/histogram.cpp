// Histogram of 256 bins: each tasklet has its own in WRAM, and then adds up a part of the bins.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) T block[pim::kTasklets][kBlock];
std::uint32_t bins[pim::kTasklets][kBins];
alignas(8) std::uint32_t sums[kBins];
}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  for_blocks(id, [&](std::uint32_t at, std::uint32_t count) {
    pim::dma_read(block[id], arguments.first + at, count * sizeof(T));
    // The number of bins is an argument of PrIM's program, so that it multiplies, too.
    const std::uint32_t of = arguments.columns;
    for (std::uint32_t i = 0; i < count; ++i)
      ++bins[id][static_cast<std::uint32_t>(block[id][i]) * of >> kDepthBits];
  });
  pim::tasklet_barrier();
  for (std::uint32_t b = id; b < kBins; b += pim::kTasklets) {
    std::uint32_t sum = 0;
    for (std::uint32_t t = 0; t < pim::kTasklets; ++t) sum += bins[t][b];
    sums[b] = sum;
  }
  pim::tasklet_barrier();
  if (id == 0) pim::dma_write(arguments.output, sums, sizeof sums);
  return 0;
}
