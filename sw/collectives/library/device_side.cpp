#include "sw/collectives/library/device_side.h"

#include <algorithm>

namespace tvp::collectives {

namespace {

std::ptrdiff_t at(std::uint64_t offset) { return static_cast<std::ptrdiff_t>(offset); }

}  // namespace

std::vector<std::uint8_t> spread(const std::vector<std::uint8_t>& bytes, const Parts& parts,
                                 std::uint64_t stride, std::uint64_t size) {
  std::vector<std::uint8_t> made(size, 0);
  for (std::uint32_t part = 0; part < parts.parts; ++part)
    std::copy_n(bytes.begin() + at(part * parts.part_bytes), parts.part_bytes,
                made.begin() + at(part * stride));
  return made;
}

std::vector<std::uint8_t> gathered(const std::vector<std::uint8_t>& bytes, const Parts& parts,
                                   std::uint64_t stride) {
  std::vector<std::uint8_t> made(parts.bytes());
  for (std::uint32_t part = 0; part < parts.parts; ++part)
    std::copy_n(bytes.begin() + at(part * stride), parts.part_bytes,
                made.begin() + at(part * parts.part_bytes));
  return made;
}

}  // namespace tvp::collectives
