#include "sw/runtime/block_float.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/tilize_utils.h"

namespace tvp::runtime {
namespace {

constexpr std::size_t kGroup = 16;  // numbers that share an exponent
constexpr int kMantissaBits = 24;   // bits of a float with the hidden one

struct BlockFormat {
  unsigned bits;  ///< bits of a number, including its sign
  bool short_exponent;

  unsigned magnitude_bits() const { return bits - 1; }
  std::uint32_t largest() const { return (1U << magnitude_bits()) - 1; }
  int bias() const { return short_exponent ? 15 : 127; }
  int largest_exponent() const { return short_exponent ? 31 : 255; }
  DataFormat data_format() const {
    if (bits == 8) return short_exponent ? DataFormat::Bfp8 : DataFormat::Bfp8_b;
    return short_exponent ? DataFormat::Bfp4 : DataFormat::Bfp4_b;
  }
};

bool is_zero(std::uint32_t bits) { return (bits >> 23 & 0xFF) == 0; }

/// Exponent of a float with the bias of the format, not yet within its bounds.
int exponent_of(std::uint32_t bits, const BlockFormat& format) {
  return static_cast<int>(bits >> 23 & 0xFF) - 127 + format.bias();
}

/// As in tt-metal (tt_metal/impl/data_format/blockfloat_common.cpp), bit by bit. Bits that the
/// shared exponent shifts out of a float's 24 bits are lost before the rest is rounded. With 5-bit
/// exponents any number below 2^-15 counts as 2^-15.
std::uint32_t magnitude_of(std::uint32_t bits, int shared, const BlockFormat& format) {
  if (is_zero(bits)) return 0;
  int exponent = exponent_of(bits, format);
  std::uint32_t mantissa = (bits & 0x7FFFFF) | 1U << 23;
  if (exponent > shared) return format.largest();
  if (exponent < 0) {
    exponent = 0;
    mantissa = 1U << 23;
  }
  mantissa >>= std::min(shared - exponent, kMantissaBits);
  const int shift = kMantissaBits - static_cast<int>(format.magnitude_bits());
  const std::uint32_t rest = mantissa & ((1U << shift) - 1);
  const std::uint32_t half = 1U << (shift - 1);
  std::uint32_t magnitude = mantissa >> shift;
  if (rest > half || (rest == half && (magnitude & 1) != 0)) ++magnitude;
  return std::min(magnitude, format.largest());
}

/// The same back (bfloat8.cpp, bfloat4.cpp there): the leading one leaves the magnitude, and what
/// would need an exponent below 0 is +0.
float value_of(std::uint32_t number, std::uint32_t shared, const BlockFormat& format) {
  const std::uint32_t sign = (number >> format.magnitude_bits() & 1) << 31;
  const std::uint32_t magnitude = number & format.largest();
  if (magnitude == 0) return std::bit_cast<float>(sign);
  const auto places = format.magnitude_bits() - static_cast<unsigned>(std::bit_width(magnitude));
  if (places > shared) return 0;
  const std::uint32_t exponent = shared - places + static_cast<std::uint32_t>(127 - format.bias());
  const std::uint32_t mantissa = magnitude << (places + 1) & format.largest();
  return std::bit_cast<float>(sign | exponent << 23 | mantissa << (23 - format.magnitude_bits()));
}

/// In bytes: of a whole tile, and of its exponents.
std::size_t tile_bytes(const Tile& tile, const BlockFormat& format) {
  return tile.bytes(format.data_format());
}
std::size_t exponent_bytes(const Tile& tile) {
  return (tile.height * tile.width / kGroup + 15) / 16 * 16;  // in units of 16 bytes
}

/// Other order within each tile.
std::vector<float> reordered(std::span<const float> numbers, const Tile& tile,
                             TensorLayoutType from, TensorLayoutType to) {
  // Tiles one below the other: their order is the same, whether matrix or not.
  const auto rows = static_cast<std::uint32_t>(numbers.size() / tile.width);
  return convert_layout(
      numbers,
      {{rows, tile.width}, {tile.height, tile.width}, {tile.face_height(), tile.face_width()}},
      from, to);
}

void check_tile(const Tile& tile, std::size_t size, std::size_t of_a_tile, const char* what) {
  if (tile.width % kGroup != 0)
    bad_use("block format", "a tile " + std::to_string(tile.width) +
                                " wide; numbers share exponents in groups of 16");
  if (size == 0 || size % of_a_tile != 0)
    bad_use("block format",
            std::to_string(size) + what + ", a tile has " + std::to_string(of_a_tile));
}

std::vector<std::uint32_t> pack(std::span<const float> numbers, bool row_major, const Tile& tile,
                                const BlockFormat& format) {
  const std::size_t of_a_tile = std::size_t{tile.height} * tile.width;
  check_tile(tile, numbers.size(), of_a_tile, " numbers");
  const std::vector<float> faces = reordered(
      numbers, tile, row_major ? TensorLayoutType::TILED_SWIZZLED : TensorLayoutType::TILED_NFACES,
      TensorLayoutType::TILED_NFACES);
  const std::size_t bytes = tile_bytes(tile, format);
  std::vector<std::uint32_t> words(numbers.size() / of_a_tile * bytes / 4);
  auto* const out = reinterpret_cast<std::uint8_t*>(words.data());
  for (std::size_t first = 0; first < faces.size(); first += kGroup) {
    std::uint8_t* const to = out + first / of_a_tile * bytes;
    const std::size_t at = first % of_a_tile;
    int shared = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(faces[first + i]);
      if (!is_zero(bits)) shared = std::max(shared, exponent_of(bits, format));
    }
    shared = std::min(shared, format.largest_exponent());
    to[at / kGroup] = static_cast<std::uint8_t>(shared);
    for (std::size_t i = 0; i < kGroup; ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(faces[first + i]);
      std::uint32_t number = magnitude_of(bits, shared, format);
      if (number != 0) number |= bits >> 31 << format.magnitude_bits();
      const std::size_t bit = (at + i) * format.bits;
      to[exponent_bytes(tile) + bit / 8] |= static_cast<std::uint8_t>(number << bit % 8);
    }
  }
  return words;
}

std::vector<float> unpack(std::span<const std::uint32_t> words, bool row_major, const Tile& tile,
                          const BlockFormat& format) {
  const std::size_t of_a_tile = std::size_t{tile.height} * tile.width;
  const std::size_t bytes = tile_bytes(tile, format);
  check_tile(tile, words.size() * 4, bytes, " bytes");
  const auto* const in = reinterpret_cast<const std::uint8_t*>(words.data());
  std::vector<float> faces(words.size() * 4 / bytes * of_a_tile);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::uint8_t* const from = in + i / of_a_tile * bytes;
    const std::size_t at = i % of_a_tile;
    const std::size_t bit = at * format.bits;
    const std::uint32_t number = from[exponent_bytes(tile) + bit / 8] >> bit % 8;
    faces[i] = value_of(number, from[at / kGroup], format);
  }
  return reordered(faces, tile, TensorLayoutType::TILED_NFACES,
                   row_major ? TensorLayoutType::TILED_SWIZZLED : TensorLayoutType::TILED_NFACES);
}

}  // namespace

std::vector<std::uint32_t> pack_as_bfp8_tiles(std::span<const float> numbers, bool row_major_input,
                                              bool is_exp_a, const Tile& tile) {
  return pack(numbers, row_major_input, tile, {8, is_exp_a});
}

std::vector<std::uint32_t> pack_as_bfp4_tiles(std::span<const float> numbers, bool row_major_input,
                                              bool is_exp_a, const Tile& tile) {
  return pack(numbers, row_major_input, tile, {4, is_exp_a});
}

std::vector<float> unpack_bfp8_tiles_into_float_vec(std::span<const std::uint32_t> tiles,
                                                    bool row_major_output, bool is_exp_a,
                                                    const Tile& tile) {
  return unpack(tiles, row_major_output, tile, {8, is_exp_a});
}

std::vector<float> unpack_bfp4_tiles_into_float_vec(std::span<const std::uint32_t> tiles,
                                                    bool row_major_output, bool is_exp_a,
                                                    const Tile& tile) {
  return unpack(tiles, row_major_output, tile, {4, is_exp_a});
}

}  // namespace tvp::runtime
