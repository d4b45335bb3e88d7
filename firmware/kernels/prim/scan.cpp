// Inclusive scan in two passes (scan-scan-add). In the first one a round of blocks, one for each
// tasklet, is scanned, and each block gets the sums of the blocks before it. The second one adds
// the sum of the units before.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {

alignas(8) T block[pim::kTasklets][kBlock];
T sums[pim::kTasklets];
T before;  // sum of all rounds before

// PrIM's program has both loops unrolled.
T scanned(T* values, std::uint32_t count) {
  T sum = 0;
#pragma GCC unroll 16
  for (std::uint32_t i = 0; i < count; ++i) values[i] = sum += values[i];
  return sum;
}

void add(T* values, std::uint32_t count, T base) {
#pragma GCC unroll 16
  for (std::uint32_t i = 0; i < count; ++i) values[i] += base;
}

void scan(std::uint32_t id) {
  const std::uint32_t end = arguments.elements * sizeof(T);
  constexpr std::uint32_t kRound = pim::kTasklets * kBlockBytes;
  for (std::uint32_t first = 0; first < end; first += kRound) {
    const std::uint32_t at = first + id * kBlockBytes;
    const std::uint32_t left = at < end ? (end - at) / sizeof(T) : 0;
    const std::uint32_t count = left < kBlock ? left : kBlock;
    if (count != 0) pim::dma_read(block[id], arguments.first + at, count * sizeof(T));
    sums[id] = scanned(block[id], count);
    pim::tasklet_barrier();
    T base = before;
    for (std::uint32_t t = 0; t < id; ++t) base += sums[t];
    const T whole = base + sums[id];
    add(block[id], count, base);
    if (count != 0) pim::dma_write(arguments.output + at, block[id], count * sizeof(T));
    pim::tasklet_barrier();
    if (id == pim::kTasklets - 1) before = whole;
    pim::tasklet_barrier();
  }
  if (id == 0) results.value = before;
}

}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  if (arguments.pass == 0) {
    scan(id);
    return 0;
  }
  for_blocks(id, [&](std::uint32_t at, std::uint32_t count) {
    pim::dma_read(block[id], arguments.output + at, count * sizeof(T));
    add(block[id], count, static_cast<T>(arguments.base));
    pim::dma_write(arguments.output + at, block[id], count * sizeof(T));
  });
  return 0;
}
