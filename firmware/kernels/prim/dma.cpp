// Times of single transfers between bank and WRAM, by one tasklet.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) std::uint8_t buffer[2048];
}

int main() {
  if (pim::tasklet_id() != 0) return 0;
  for (std::uint32_t i = 0; i < 5; ++i) {
    // The instruction that reads the clock again is not part of the transfer.
    const std::uint32_t begin = cycles();
    pim::dma_read(buffer, arguments.first, kDmaSizes[i]);
    const std::uint32_t middle = cycles();
    pim::dma_write(arguments.output, buffer, kDmaSizes[i]);
    const std::uint32_t end = cycles();
    results.reads[i] = middle - begin;
    results.writes[i] = end - middle;
  }
  return 0;
}
