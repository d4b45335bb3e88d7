#include "tests/compare/data.h"

#include <bit>

namespace tvp::compare {

using runtime::DataFormat;

namespace {

constexpr unsigned kDatums = 32 * 32;
constexpr unsigned kRun = 16;  // datums that share an exponent in a block format

unsigned below(Random& random, unsigned bound) { return static_cast<unsigned>(random() % bound); }

std::uint32_t number(Random& random, unsigned lowest, unsigned highest, std::uint32_t mantissa) {
  const std::uint32_t exponent = lowest + below(random, highest - lowest + 1);
  return static_cast<std::uint32_t>(random() & 1) << 31 | exponent << 23 | (mantissa & 0x7FFFFF);
}

std::uint32_t to_fp16(std::uint32_t x) {
  const std::uint32_t sign = x >> 31 << 15;
  const int exponent = static_cast<int>(x >> 23 & 0xFF) - 112;
  if (exponent <= 0) return sign | (x >> 13 & 0x3FF & (0u - (x & 1)));
  if (exponent > 31) return sign | 31 << 10 | (x >> 13 & 0x3FF);
  return sign | static_cast<std::uint32_t>(exponent) << 10 | (x >> 13 & 0x3FF);
}

/// Bits of the mantissas of a block format; 0 for others.
unsigned block_bits(DataFormat format) {
  switch (format) {
    case DataFormat::Bfp8:
    case DataFormat::Bfp8_b:
      return 8;
    case DataFormat::Bfp4:
    case DataFormat::Bfp4_b:
      return 4;
    case DataFormat::Bfp2:
    case DataFormat::Bfp2_b:
      return 2;
    default:
      return 0;
  }
}
bool five_bit_exponents(DataFormat format) {
  return format == DataFormat::Bfp8 || format == DataFormat::Bfp4 || format == DataFormat::Bfp2;
}

/// Exponents followed by mantissas. Five-bit exponents are large enough for any mantissa.
Bytes block_tile(DataFormat format, Data data, Random& random) {
  const unsigned bits = block_bits(format);
  Bytes tile;
  for (unsigned i = 0; i < kDatums / kRun; ++i) {
    const unsigned exponent = draw(data, random) >> 23 & 0xFF;
    tile.push_back(
        static_cast<std::uint8_t>(five_bit_exponents(format) ? 8 + exponent % 24 : exponent));
  }
  for (unsigned i = 0; i < kDatums * bits / 8; ++i) {
    // Magnitude 0 with a sign encodes infinity, so allow it rarely.
    const auto byte = static_cast<std::uint8_t>(random());
    tile.push_back(data == Data::kTies ? byte & 0xCC : byte);
  }
  return tile;
}

}  // namespace

const char* name_of(Data data) {
  constexpr const char* kNames[] = {"near", "any", "ties", "huge", "tiny", "special", "integers"};
  return kNames[static_cast<unsigned>(data)];
}

std::uint32_t draw(Data data, Random& random) {
  constexpr std::uint32_t kSpecial[] = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                        0xFFC00000, 0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x00000001,
                                        0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00400000, 0x80010000,
                                        0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000,
                                        0xBF800000, 0x3F7FFFFF, 0x477FE000, 0x47800000, 0x38800000};
  const auto bits = static_cast<std::uint32_t>(random());
  switch (data) {
    case Data::kNear:
      return number(random, 124, 130, bits);
    case Data::kAny:
      return number(random, 0, 255, bits);
    case Data::kTies:
      return number(random, 118, 134, 1u << (10 + below(random, 13)) | 1u << below(random, 23));
    case Data::kHuge:
      return number(random, 235, 255, bits);
    case Data::kTiny:
      return number(random, 0, 24, bits);
    case Data::kSpecial:
      return below(random, 4) == 0 ? bits : kSpecial[below(random, std::size(kSpecial))];
    default:
      return std::bit_cast<std::uint32_t>(static_cast<float>(below(random, 513)) - 256.F);
  }
}

Bytes draw_tile(DataFormat format, Data data, Random& random) {
  if (block_bits(format) != 0) return block_tile(format, data, random);
  Bytes tile;
  for (unsigned i = 0; i < kDatums; ++i) {
    std::uint32_t x = draw(data, random);
    unsigned bytes = 4;
    switch (format) {
      case DataFormat::Float16_b:
        x >>= 16;
        bytes = 2;
        break;
      case DataFormat::Float16:
        x = to_fp16(x);
        bytes = 2;
        break;
      case DataFormat::UInt16:
        x = data == Data::kSpecial ? x >> 24 << 8 : x ^ x >> 16;
        bytes = 2;
        break;
      case DataFormat::Int8:
      case DataFormat::UInt8:
      case DataFormat::Lf8:
        x >>= 20;
        bytes = 1;
        break;
      default:
        break;
    }
    for (unsigned k = 0; k < bytes; ++k) tile.push_back(static_cast<std::uint8_t>(x >> 8 * k));
  }
  return tile;
}

Bytes tile_of_ones(DataFormat format) {
  Bytes tile;
  for (unsigned i = 0; i < kDatums; ++i) {
    if (format == DataFormat::Float32) tile.insert(tile.end(), {0, 0});
    tile.insert(tile.end(), {0x80, 0x3F});
  }
  return tile;
}

const char* name_of(DataFormat format) {
  switch (format) {
    case DataFormat::Float32:
      return "fp32";
    case DataFormat::Float16:
      return "fp16";
    case DataFormat::Float16_b:
      return "bf16";
    case DataFormat::Bfp8:
      return "bfp8";
    case DataFormat::Bfp4:
      return "bfp4";
    case DataFormat::Bfp2:
      return "bfp2";
    case DataFormat::Bfp8_b:
      return "bfp8_b";
    case DataFormat::Bfp4_b:
      return "bfp4_b";
    case DataFormat::Bfp2_b:
      return "bfp2_b";
    case DataFormat::Int32:
      return "int32";
    case DataFormat::UInt32:
      return "uint32";
    case DataFormat::UInt16:
      return "uint16";
    case DataFormat::Int8:
      return "int8";
    case DataFormat::UInt8:
      return "uint8";
    default:
      return "other";
  }
}

}  // namespace tvp::compare
