// Throughput of additions: the time of the loop over a block that is in WRAM. All tasklets begin a
// block together, as in PrIM's microbenchmark.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {
alignas(8) T block[pim::kTasklets][kBlock];

/// A DPU's loop over 32-bit integers has six instructions, one for each of load, addition, store,
/// address, index and branch. This one has the same six.
[[gnu::noinline]] void update(std::int32_t* values, std::int32_t scalar) {
  std::uint32_t i = 0;
  std::int32_t value;
  asm volatile(
      "1: lw %1, 0(%2)\n"
      "  add %1, %1, %3\n"
      "  sw %1, 0(%2)\n"
      "  addi %2, %2, 4\n"
      "  addi %0, %0, 1\n"
      "  bne %0, %4, 1b\n"
      : "+r"(i), "=&r"(value), "+r"(values)
      : "r"(scalar), "r"(kBlock)
      : "memory");
}

[[gnu::noinline]] void update(std::int64_t* values, std::int64_t scalar) {
  for (std::uint32_t i = 0; i < kBlock; ++i) values[i] += scalar;
}
}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  const auto scalar = static_cast<T>(arguments.elements);
  std::uint64_t spent = 0;
  for_blocks(id, [&](std::uint32_t at, std::uint32_t) {
    pim::dma_read(block[id], arguments.first + at, kBlockBytes);
    pim::tasklet_barrier();
    const std::uint32_t begin = cycles();
    update(block[id], scalar);
    spent += cycles() - begin;
    pim::tasklet_barrier();
    pim::dma_write(arguments.output + at, block[id], kBlockBytes);
  });
  keep_longest(spent);
  return 0;
}
