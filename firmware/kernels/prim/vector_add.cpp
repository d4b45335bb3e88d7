// output = first + second, block by block.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) T mine[pim::kTasklets][kBlock];
alignas(8) T others[pim::kTasklets][kBlock];
}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  for_blocks(id, [&](std::uint32_t at, std::uint32_t count) {
    pim::dma_read(mine[id], arguments.first + at, count * sizeof(T));
    pim::dma_read(others[id], arguments.second + at, count * sizeof(T));
    for (std::uint32_t i = 0; i < count; ++i) others[id][i] += mine[id][i];
    pim::dma_write(arguments.output + at, others[id], count * sizeof(T));
  });
  return 0;
}
