#include "sw/workloads/sdpa/tiles.h"

#include "sw/workloads/sdpa/bf16.h"

namespace tvp::workloads::sdpa {

std::size_t offset_of(std::size_t row, std::size_t column) {
  const std::size_t tile = column / kTileColumns;
  const std::size_t face = column % kTileColumns / 16;
  return tile * kTileBytes + ((face * kRows + row) * 16 + column % 16) * 2;
}

namespace {

void put(std::vector<std::uint8_t>& bytes, std::size_t at, float value) {
  const std::uint16_t bits = to_bf16(value);
  bytes[at] = static_cast<std::uint8_t>(bits);
  bytes[at + 1] = static_cast<std::uint8_t>(bits >> 8);
}

}  // namespace

std::vector<std::uint8_t> partial_tiles(const Partials& partials, std::size_t device,
                                        std::size_t worker) {
  const Shape& shape = partials.shape;
  std::vector<std::uint8_t> bytes(partial_bytes(shape), 0);
  const std::size_t sums = numerator_tiles(shape) * kTileBytes;
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::size_t at = partials.row(device, worker, r);
    for (std::size_t d = 0; d < shape.head_dim; ++d)
      put(bytes, offset_of(r, d), partials.numerator[at * shape.head_dim + d]);
    put(bytes, sums + offset_of(r, 0), partials.sum[at]);
    put(bytes, sums + kTileBytes + offset_of(r, 0), partials.max[at]);
  }
  return bytes;
}

void read_output_tiles(const Shape& shape, const std::vector<std::uint8_t>& tiles,
                       std::size_t worker, std::vector<float>& output) {
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t d = 0; d < shape.head_dim; ++d) {
      const std::size_t at = offset_of(r, d);
      const auto bits = static_cast<std::uint16_t>(tiles[at] | tiles[at + 1] << 8);
      output[(worker * kRows + r) * shape.head_dim + d] = from_bf16(bits);
    }
  }
}

}  // namespace tvp::workloads::sdpa
