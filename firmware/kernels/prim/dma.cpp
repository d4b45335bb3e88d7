// Times of single transfers between bank and WRAM, by one tasklet.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) std::uint8_t buffer[2048];
}

int main() {
  if (pim::tasklet_id() != 0) return 0;
  std::uint8_t* wram = buffer;
  std::uint32_t from = arguments.first;
  std::uint32_t to = arguments.output;
  const volatile std::uint32_t* clock =
      &pim::device_register(pim::regs::kControl + pim::regs::control::kTimerLow);
  for (std::uint32_t i = 0; i < 5; ++i) {
    std::uint32_t bytes = kDmaSizes[i];
    // Operands are in registers, so that nothing but the transfer stands between two readings.
    asm volatile("" : "+r"(wram), "+r"(from), "+r"(to), "+r"(bytes), "+r"(clock));
    const std::uint32_t begin = *clock;
    pim::dma_read(wram, from, bytes);
    const std::uint32_t middle = *clock;
    pim::dma_write(to, wram, bytes);
    const std::uint32_t end = *clock;
    results.reads[i] = middle - begin;
    results.writes[i] = end - middle;
  }
  return 0;
}
