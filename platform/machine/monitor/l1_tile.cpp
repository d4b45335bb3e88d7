#include "platform/machine/monitor/l1_tile.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "foundation/contract/data_format.h"

namespace tvp::platform {

namespace {

struct Format {
  DatumFormat format;
  const char* name;
  DataFormat number;
  unsigned bits;      ///< bits of a datum
  bool has_exponent;  ///< a byte for each row of a face
};

constexpr std::array<Format, 10> kFormats = {{
    {DatumFormat::kFp32, "fp32", DataFormat::Float32, 32, false},
    {DatumFormat::kFp16, "fp16", DataFormat::Float16, 16, false},
    {DatumFormat::kBf16, "bf16", DataFormat::Float16_b, 16, false},
    {DatumFormat::kBfp8b, "bfp8_b", DataFormat::Bfp8_b, 8, true},
    {DatumFormat::kBfp4b, "bfp4_b", DataFormat::Bfp4_b, 4, true},
    {DatumFormat::kBfp2b, "bfp2_b", DataFormat::Bfp2_b, 2, true},
    {DatumFormat::kInt32, "int32", DataFormat::Int32, 32, false},
    {DatumFormat::kUint16, "uint16", DataFormat::UInt16, 16, false},
    {DatumFormat::kInt8, "int8", DataFormat::Int8, 8, false},
    {DatumFormat::kUint8, "uint8", DataFormat::UInt8, 8, false},
}};

constexpr unsigned kFace = 16;
constexpr unsigned kExponents = 4 * kFace;  ///< bytes

const Format& row(DatumFormat format) {
  return *std::ranges::find(kFormats, format, &Format::format);
}

template <typename T>
T load(std::span<const std::uint8_t> data, unsigned index) {
  T value;
  std::memcpy(&value, data.data() + std::size_t{index} * sizeof value, sizeof value);
  return value;
}

double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const double fraction = (bits & 0x3FF) / 1024.0;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace

std::optional<DatumFormat> datum_format_named(std::string_view name) {
  for (const Format& each : kFormats)
    if (name == each.name) return each.format;
  return std::nullopt;
}

std::optional<DatumFormat> datum_format_numbered(std::uint32_t number) {
  if (number == static_cast<std::uint32_t>(DataFormat::Tf32)) return DatumFormat::kFp32;
  if (number == static_cast<std::uint32_t>(DataFormat::UInt32)) return DatumFormat::kInt32;
  for (const Format& each : kFormats)
    if (number == static_cast<std::uint32_t>(each.number)) return each.format;
  return std::nullopt;
}

const char* name_of(DatumFormat format) { return row(format).name; }

std::string datum_format_names() {
  std::string names;
  for (const Format& each : kFormats) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

std::uint32_t L1Tile::bytes(DatumFormat format) {
  const Format& of = row(format);
  return (of.has_exponent ? kExponents : 0) + kSide * kSide * of.bits / 8;
}

double L1Tile::at(unsigned row_number, unsigned column) const {
  const unsigned face = 2 * (row_number / kFace) + column / kFace;
  const unsigned line = kFace * face + row_number % kFace;
  const unsigned index = kFace * line + column % kFace;
  switch (format_) {
    case DatumFormat::kFp32:
      return load<float>(data_, index);
    case DatumFormat::kFp16:
      return half(load<std::uint16_t>(data_, index));
    case DatumFormat::kBf16:
      return std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(data_, index)} << 16);
    case DatumFormat::kInt32:
      return load<std::int32_t>(data_, index);
    case DatumFormat::kUint16:
      return load<std::uint16_t>(data_, index);
    case DatumFormat::kUint8:
      return data_[index];
    case DatumFormat::kInt8: {  // sign and magnitude
      const double size = data_[index] & 0x7F;
      return (data_[index] & 0x80) != 0 ? -size : size;
    }
    case DatumFormat::kBfp8b:
    case DatumFormat::kBfp4b:
    case DatumFormat::kBfp2b:
      break;
  }
  // Sign and magnitude. The magnitude's highest bit has the weight of the exponent.
  const unsigned bits = row(format_).bits;
  const unsigned datum =
      data_[kExponents + index * bits / 8] >> index * bits % 8 & ((1U << bits) - 1);
  const unsigned magnitude = datum & ((1U << (bits - 1)) - 1);
  const double size = std::ldexp(magnitude, data_[line] - 127 - static_cast<int>(bits - 2));
  return datum >> (bits - 1) != 0 ? -size : size;
}

std::string matrix_text(unsigned rows, unsigned columns,
                        const std::function<std::string(unsigned row, unsigned column)>& at) {
  std::vector<std::string> texts;
  std::size_t width = 0;
  for (unsigned row_number = 0; row_number < rows; ++row_number)
    for (unsigned column = 0; column < columns; ++column) {
      texts.push_back(at(row_number, column));
      width = std::max(width, texts.back().size());
    }
  std::string text;
  for (unsigned row_number = 0; row_number < rows; ++row_number) {
    const std::string number = std::to_string(row_number);
    text += std::string(number.size() < 4 ? 4 - number.size() : 0, ' ') + number + " |";
    for (unsigned column = 0; column < columns; ++column) {
      const std::string& each = texts[row_number * columns + column];
      text += std::string(width + 1 - each.size(), ' ') + each;
    }
    text += "\n";
  }
  return text;
}

std::string number_text(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace tvp::platform
