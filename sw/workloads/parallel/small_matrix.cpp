#include "sw/workloads/parallel/small_matrix.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "foundation/fault.h"
#include "sw/runtime/bfloat16.h"

namespace tvp::workloads::parallel {
namespace {

constexpr int kExact = 256;  // BF16 has eight bits of mantissa, with the hidden one

}  // namespace

SmallMatrix SmallMatrix::some_rows(std::uint32_t first, std::uint32_t count) const {
  SmallMatrix some(count, columns);
  std::copy_n(entries.begin() + static_cast<std::ptrdiff_t>(std::size_t{first} * columns),
              some.entries.size(), some.entries.begin());
  return some;
}

std::vector<std::uint8_t> SmallMatrix::as_bfloat16(std::uint32_t divisor) const {
  std::vector<std::uint8_t> bytes(entries.size() * 2);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const float value = static_cast<float>(entries[i]) / static_cast<float>(divisor);
    const std::uint16_t bits = runtime::bfloat16(value).bits();
    std::memcpy(&bytes[2 * i], &bits, 2);
  }
  return bytes;
}

SmallMatrix SmallMatrix::product(const SmallMatrix& left, const SmallMatrix& right, bool relu) {
  SmallMatrix result(left.rows, right.columns);
  for (std::uint32_t r = 0; r < left.rows; ++r)
    for (std::uint32_t k = 0; k < left.columns; ++k) {
      const int factor = left.at(r, k);
      if (factor == 0) continue;
      for (std::uint32_t c = 0; c < right.columns; ++c) result.at(r, c) += factor * right.at(k, c);
    }
  for (int& entry : result.entries) {
    if (relu) entry = std::max(entry, 0);
    if (std::abs(entry) > kExact)
      throw foundation::Fault(foundation::FaultKind::kInternal, "parallel",
                              "an entry of " + std::to_string(entry) +
                                  " in a golden result: BF16 holds whole numbers up to 256");
  }
  return result;
}

SmallMatrix SmallMatrix::transposed() const {
  SmallMatrix result(columns, rows);
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < columns; ++c) result.at(c, r) = at(r, c);
  return result;
}

SmallMatrix SmallMatrix::random(std::uint32_t rows, std::uint32_t columns, int most,
                                std::mt19937_64& random) {
  SmallMatrix result(rows, columns);
  for (int& entry : result.entries)
    entry = static_cast<int>(random() % static_cast<unsigned>(2 * most + 1)) - most;
  return result;
}

SmallMatrix SmallMatrix::sparse(std::uint32_t rows, std::uint32_t columns, std::uint32_t ones,
                                std::mt19937_64& random) {
  SmallMatrix result(rows, columns);
  for (std::uint32_t c = 0; c < columns; ++c)
    for (std::uint32_t i = 0; i < ones; ++i)
      result.at(static_cast<std::uint32_t>(random() % rows), c) = random() % 4 == 0 ? -1 : 1;
  return result;
}

}  // namespace tvp::workloads::parallel
