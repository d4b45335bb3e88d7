// Copies blocks within the bank: the rate of the DMA engine.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) T block[pim::kTasklets][kBlock];
}

int main() {
  const std::uint32_t id = pim::tasklet_id();
  pim::tasklet_barrier();
  const std::uint32_t begin = cycles();
  for_blocks(id, [&](std::uint32_t at, std::uint32_t count) {
    pim::dma_read(block[id], arguments.first + at, count * sizeof(T));
    pim::dma_write(arguments.output + at, block[id], count * sizeof(T));
  });
  keep_longest(cycles() - begin);
  return 0;
}
