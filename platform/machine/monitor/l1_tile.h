#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::platform {

/// Formats of datums in L1 (ISA TensixCoprocessor/FloatBitPatterns.md), by their names in
/// foundation/contract/data_format.h.
enum class DatumFormat : std::uint8_t {
  kFp32,
  kFp16,
  kBf16,
  kBfp8b,
  kBfp4b,
  kBfp2b,
  kInt32,
  kUint16,
  kInt8,
  kUint8,
};

/// bf16, fp32, …
std::optional<DatumFormat> datum_format_named(std::string_view name);
/// The format with this number in foundation/contract/data_format.h.
std::optional<DatumFormat> datum_format_numbered(std::uint32_t number);
const char* name_of(DatumFormat format);
/// All names, for messages.
std::string datum_format_names();

/// A tile of 32 x 32 datums in L1: four faces of 16 x 16, row by row. Block floats have their
/// exponents, one for each row of a face, before the datums.
class L1Tile {
 public:
  static constexpr unsigned kSide = 32;

  static std::uint32_t bytes(DatumFormat format);
  /// `data` holds bytes(format).
  L1Tile(DatumFormat format, std::span<const std::uint8_t> data) : format_(format), data_(data) {}

  double at(unsigned row, unsigned column) const;

 private:
  const DatumFormat format_;
  const std::span<const std::uint8_t> data_;
};

/// Rows of numbers in columns of equal width.
std::string matrix_text(unsigned rows, unsigned columns,
                        const std::function<std::string(unsigned row, unsigned column)>& at);
/// Four digits.
std::string number_text(double value);

}  // namespace tvp::platform
