#include "sw/workloads/pim/prim_problem.h"

#include <cstring>
#include <random>

#include "firmware/kernels/prim/arguments.h"

namespace tvp::workloads::pim {

namespace {

namespace prim = firmware::prim;

/// Values below this: pixels of a histogram, and elements of products as PrIM has them.
std::uint32_t limit_of(const std::string& program) {
  if (program == "histogram") return 1U << prim::kDepthBits;
  return program == "gemv" ? 50 : 1U << 30;
}

}  // namespace

std::vector<std::string> PrimProblem::names() {
  return {"vector_add", "reduction", "scan", "histogram", "gemv", "add", "copy", "dma"};
}

bool PrimProblem::is_long(const std::string& program) {
  return program == "reduction" || program == "scan";
}

PrimProblem::PrimProblem(const Sizes& sizes) : sizes_(sizes) {
  const std::uint32_t limit = limit_of(sizes_.program);
  const bool product = sizes_.program == "gemv";
  for (unsigned unit = 0; unit < sizes_.units; ++unit) {
    std::mt19937_64 random(sizes_.seed * 65536 + unit);
    const auto draw = [&](std::size_t count) {
      Numbers numbers(count);
      for (std::int64_t& n : numbers) n = static_cast<std::int64_t>(random() % limit);
      return numbers;
    };
    const Numbers first = draw(sizes_.elements);
    Numbers second;
    if (product) second = draw(sizes_.columns);
    if (sizes_.program == "vector_add") second = draw(sizes_.elements);
    first_.push_back(packed(first, sizes_.element_bytes));
    second_.push_back(packed(second, sizes_.element_bytes));
    solve(first, second);
  }
}

std::uint32_t PrimProblem::columns() const {
  return sizes_.program == "histogram" ? prim::kBins : sizes_.columns;
}

/// As elements wrap.
std::int64_t PrimProblem::wrapped(std::uint64_t value) const {
  if (sizes_.element_bytes == 8) return static_cast<std::int64_t>(value);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}

PrimProblem::Bytes PrimProblem::packed(const Numbers& numbers, unsigned element_bytes) const {
  Bytes bytes(numbers.size() * element_bytes);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::memcpy(bytes.data() + i * element_bytes, &numbers[i], element_bytes);
  return bytes;
}

void PrimProblem::solve(const Numbers& first, const Numbers& second) {
  const std::string& program = sizes_.program;
  Numbers output;
  std::uint64_t sum = 0;
  unsigned bytes = sizes_.element_bytes;
  if (program == "vector_add" || program == "add") {
    for (std::size_t i = 0; i < first.size(); ++i) {
      const std::int64_t other = program == "add" ? sizes_.elements : second[i];
      output.push_back(wrapped(static_cast<std::uint64_t>(first[i] + other)));
    }
  } else if (program == "reduction") {
    for (const std::int64_t n : first) sum += static_cast<std::uint64_t>(n);
  } else if (program == "scan") {
    for (const std::int64_t n : first) {
      sum += static_cast<std::uint64_t>(n);
      output.push_back(wrapped(before_ + sum));
    }
    before_ += sum;
  } else if (program == "histogram") {
    output.assign(prim::kBins, 0);
    for (const std::int64_t n : first)
      ++output[static_cast<std::size_t>(n) * prim::kBins >> prim::kDepthBits];
    bytes = 4;
  } else if (program == "gemv") {
    for (std::size_t at = 0; at < first.size(); at += sizes_.columns) {
      std::uint64_t row = 0;
      for (std::size_t c = 0; c < sizes_.columns; ++c)
        row += static_cast<std::uint64_t>(first[at + c] * second[c]);
      output.push_back(wrapped(row));
    }
  } else if (program == "copy") {
    output = first;
  }
  output_.push_back(packed(output, bytes));
  values_.push_back(wrapped(sum));
}

}  // namespace tvp::workloads::pim
