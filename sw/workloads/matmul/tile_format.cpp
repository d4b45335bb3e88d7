#include "sw/workloads/matmul/tile_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sw/runtime/errors.h"

namespace tvp::workloads::matmul {

using runtime::DataFormat;

namespace {

constexpr unsigned kFaceSide = 16;
constexpr std::uint32_t kDatums = kTileSide * kTileSide;
constexpr std::uint32_t kExponents = kDatums / kGroup;

/// Nearest BF16, ties to even. Denormals become zero, because the coprocessor has none.
std::uint16_t to_bf16(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  return static_cast<std::uint16_t>((rounded & 0x7F80) == 0 ? 0 : rounded);
}

/// Datums of BFP8 and BFP4 after the exponents: sign above magnitude. The first of two in a byte is
/// in the lower half.
struct Block {
  explicit Block(DataFormat format) : magnitude_bits(format == DataFormat::Bfp4_b ? 3 : 7) {}
  unsigned sign() const { return 1U << magnitude_bits; }
  double most() const { return sign() - 1; }
  unsigned get(const std::uint8_t* tile, unsigned datum) const {
    if (magnitude_bits == 7) return tile[kExponents + datum];
    return tile[kExponents + datum / 2] >> (datum % 2 * 4) & 0xF;
  }
  void put(std::uint8_t* tile, unsigned datum, unsigned bits) const {
    std::uint8_t& byte = tile[kExponents + datum / (magnitude_bits == 7 ? 1 : 2)];
    if (magnitude_bits == 7) {
      byte = static_cast<std::uint8_t>(bits);
    } else if (datum % 2 == 0) {
      byte = static_cast<std::uint8_t>((byte & 0xF0) | bits);
    } else {
      byte = static_cast<std::uint8_t>((byte & 0x0F) | bits << 4);
    }
  }

  int magnitude_bits;
};

/// Calls f(first datum of the group in the tile, row, first column) for every row of every face.
template <typename Function>
void for_each_group(Function f) {
  for (unsigned face = 0; face < 4; ++face)
    for (unsigned r = 0; r < kFaceSide; ++r)
      f((face * kFaceSide + r) * kGroup, face / 2 * kFaceSide + r, face % 2 * kFaceSide);
}

void write_group(const double* values, unsigned first, std::uint8_t* tile, DataFormat format) {
  switch (format) {
    case DataFormat::Float32:
      for (unsigned i = 0; i < kGroup; ++i) {
        const auto value = static_cast<float>(values[i]);
        std::memcpy(tile + 4 * (first + i), &value, 4);
      }
      break;
    case DataFormat::Float16_b:
      for (unsigned i = 0; i < kGroup; ++i) {
        const std::uint16_t value = to_bf16(values[i]);
        std::memcpy(tile + 2 * (first + i), &value, 2);
      }
      break;
    default: {
      const Block block{format};
      double largest = 0;
      for (unsigned i = 0; i < kGroup; ++i) largest = std::max(largest, std::abs(values[i]));
      const int exponent = largest == 0 ? 0 : std::max(std::ilogb(largest) + 127, 0);
      tile[first / kGroup] = static_cast<std::uint8_t>(exponent);
      const double scale = std::ldexp(1.0, block.magnitude_bits - 1 + 127 - exponent);
      for (unsigned i = 0; i < kGroup; ++i) {
        const auto magnitude = static_cast<unsigned>(
            std::min(std::nearbyint(std::abs(values[i]) * scale), block.most()));
        const bool negative = magnitude != 0 && values[i] < 0;
        block.put(tile, first + i, magnitude | (negative ? block.sign() : 0));
      }
    }
  }
}

void read_group(double* values, unsigned first, const std::uint8_t* tile, DataFormat format) {
  for (unsigned i = 0; i < kGroup; ++i) {
    if (format == DataFormat::Float32) {
      float value;
      std::memcpy(&value, tile + 4 * (first + i), 4);
      values[i] = value;
    } else if (format == DataFormat::Float16_b) {
      std::uint16_t value;
      std::memcpy(&value, tile + 2 * (first + i), 2);
      values[i] = std::bit_cast<float>(std::uint32_t{value} << 16);
    } else {
      const Block block{format};
      const unsigned value = block.get(tile, first + i);
      const double magnitude = std::ldexp(value & (block.sign() - 1),
                                          tile[first / kGroup] - 127 - (block.magnitude_bits - 1));
      values[i] = (value & block.sign()) != 0 ? -magnitude : magnitude;
    }
  }
}

}  // namespace

std::uint32_t tile_bytes(DataFormat format) {
  switch (format) {
    case DataFormat::Float32:
      return 4 * kDatums;
    case DataFormat::Float16_b:
      return 2 * kDatums;
    case DataFormat::Bfp8_b:
      return kDatums + kExponents;
    case DataFormat::Bfp4_b:
      return kDatums / 2 + kExponents;
    default:
      runtime::bad_use("matmul", "tiles of a format that it does not know");
  }
}

std::vector<std::uint8_t> to_tiles(const Matrix& matrix, DataFormat format) {
  const std::uint32_t bytes = tile_bytes(format);
  std::vector<std::uint8_t> tiles(matrix.values.size() / kDatums * bytes);
  std::uint8_t* tile = tiles.data();
  for (unsigned down = 0; down < matrix.rows; down += kTileSide) {
    for (unsigned right = 0; right < matrix.columns; right += kTileSide, tile += bytes) {
      for_each_group([&](unsigned first, unsigned row, unsigned column) {
        write_group(matrix.row(down + row) + right + column, first, tile, format);
      });
    }
  }
  return tiles;
}

Matrix from_tiles(std::span<const std::uint8_t> tiles, unsigned rows, unsigned columns,
                  DataFormat format) {
  Matrix matrix(rows, columns);
  const std::uint8_t* tile = tiles.data();
  for (unsigned down = 0; down < rows; down += kTileSide) {
    for (unsigned right = 0; right < columns; right += kTileSide, tile += tile_bytes(format)) {
      for_each_group([&](unsigned first, unsigned row, unsigned column) {
        read_group(matrix.row(down + row) + right + column, first, tile, format);
      });
    }
  }
  return matrix;
}

}  // namespace tvp::workloads::matmul
