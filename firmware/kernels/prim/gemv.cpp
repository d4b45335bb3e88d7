// output = matrix x vector. Tasklets take pairs of rows, whose two results are one aligned write.

#include "firmware/kernels/prim/common.h"

using namespace tvp::firmware::prim;

namespace {

alignas(8) T row[pim::kTasklets][kBlock];
alignas(8) T vector[pim::kTasklets][kBlock];
alignas(8) T sums[pim::kTasklets][2];

/// Adds the product of a row and a column to the sum. As in PrIM's program, the sum stays in WRAM,
/// because the compiler cannot exclude that an element is the sum.
[[gnu::noinline]] void add_product(T* sum, const T* a, const T* b, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) *sum += a[i] * b[i];
}

void product(T* sum, std::uint32_t id, std::uint32_t at) {
  *sum = 0;
  for (std::uint32_t c = 0; c < arguments.columns; c += kBlock) {
    const std::uint32_t left = arguments.columns - c;
    const std::uint32_t count = left < kBlock ? left : kBlock;
    pim::dma_read(row[id], arguments.first + at + c * sizeof(T), count * sizeof(T));
    pim::dma_read(vector[id], arguments.second + c * sizeof(T), count * sizeof(T));
    add_product(sum, row[id], vector[id], count);
  }
}

}  // namespace

int main() {
  const std::uint32_t id = pim::tasklet_id();
  const std::uint32_t row_bytes = arguments.columns * sizeof(T);
  const std::uint32_t rows = arguments.elements / arguments.columns;
  for (std::uint32_t r = 2 * id; r < rows; r += 2 * pim::kTasklets) {
    product(&sums[id][0], id, r * row_bytes);
    product(&sums[id][1], id, (r + 1) * row_bytes);
    pim::dma_write(arguments.output + r * sizeof(T), sums[id], 2 * sizeof(T));
  }
  return 0;
}
