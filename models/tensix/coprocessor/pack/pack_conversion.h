#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/unpack/unpack_conversion.h"

namespace tvp::tensix::coprocessor {

/// The containers in which a packer holds datums between its two conversions. Floating point with 8
/// exponent bits is stored as FP32 bits, with 5 exponent bits as FP16 bits (exponent 31 is an
/// ordinary one). Integers are stored as their own bits with the sign on top. Narrower types have
/// zeros in their low mantissa bits.
enum class PackContainer : std::uint8_t { kE8, kE5, kInt32, kInt16, kInt8 };

struct PackType {
  PackContainer container = PackContainer::kE8;
  std::uint8_t mantissa_bits = 23;  ///< for floating-point types
  bool is_signed = true;
};

/// The configuration fields that select both conversions (ISA Packers/FormatConversion.md).
struct PackFormats {
  bool read_32b = false;
  bool read_raw = false;
  bool read_unsigned = false;
  bool round_10b_mantissa = false;
  unsigned shift_amount = 0;  ///< INT_DESCALE
  DataFormat intermediate = DataFormat::kFp32;
  DataFormat late_from = DataFormat::kFp32;
  DataFormat late_to = DataFormat::kFp32;
};

/// Conversion from Dst to the intermediate type.
class EarlyConversion {
 public:
  explicit EarlyConversion(const PackFormats& formats);
  bool supported() const { return convert_ != nullptr; }
  PackType type() const { return type_; }
  /// `raw` holds the bits of Dst: 32 with Read_32b_data, else 16.
  void apply(const std::uint32_t* raw, unsigned count, std::uint32_t* result) const {
    convert_(raw, count, result, shift_amount_);
  }

 private:
  using Convert = void (*)(const std::uint32_t* raw, unsigned count, std::uint32_t* result,
                           unsigned shift_amount);
  void select_32b(const PackFormats& formats);
  void select_16b(const PackFormats& formats);
  void use(Convert convert, PackContainer container, unsigned mantissa_bits = 0) {
    convert_ = convert;
    type_ = {container, static_cast<std::uint8_t>(mantissa_bits)};
  }

  Convert convert_ = nullptr;
  PackType type_;
  unsigned shift_amount_ = 0;
};

/// Conversion from the intermediate type to the type in L1.
class LateConversion {
 public:
  static constexpr unsigned kBlock = 16;  ///< datums that share an exponent

  /// For a type that the early conversion delivers, see accepts().
  LateConversion(DataFormat from, DataFormat to);
  bool supported() const { return supported_; }
  /// True if a datum of type `early` is a value of LateFromFormat.
  bool accepts(PackType early) const;
  bool is_block() const { return is_block_float(to_); }
  unsigned bits() const { return datum_bits(to_); }

  /// Converts single datums to their bits; not for block formats. `values` may be `result`.
  void apply(const std::uint32_t* values, unsigned count, std::uint32_t* result) const;
  /// Converts a block of datums to their bits and their shared exponent.
  std::uint8_t apply_block(const std::uint32_t* values, std::uint32_t* result) const;

 private:
  std::uint32_t to_e8(std::uint32_t value, unsigned mantissa_bits) const;
  std::uint32_t to_e5(std::uint32_t value, unsigned mantissa_bits) const;

  PackType from_;
  DataFormat to_;
  bool supported_ = false;
};

/// STACC_RELU (ISA Packers/ReLU.md) on values of one container.
class Relu {
 public:
  enum class Mode : std::uint8_t { kNone, kZero, kMinThreshold, kMaxThreshold };

  Relu(std::uint32_t apply, std::uint32_t threshold, DataFormat intermediate, PackType type);
  bool active() const { return mode_ != Mode::kNone; }
  /// True if mode and threshold have a defined meaning for this type.
  bool defined() const { return defined_; }
  std::uint32_t apply(std::uint32_t value) const;

 private:
  Mode mode_;
  PackType type_;
  std::uint32_t threshold_ = 0;  ///< in the container
  bool defined_ = true;
};

/// Raw exponent of a value, for histogram and thresholding.
struct ExponentField {
  unsigned shift;
  std::uint32_t mask;
};
constexpr ExponentField exponent_field(PackContainer container) {
  switch (container) {
    case PackContainer::kE5:
      return {10, 0x1F};
    case PackContainer::kE8:
    case PackContainer::kInt32:
      return {23, 0xFF};
    default:
      return {0, 0xFF};
  }
}
constexpr std::uint32_t exponent_of(std::uint32_t value, PackContainer container) {
  const ExponentField field = exponent_field(container);
  return value >> field.shift & field.mask;
}

}  // namespace tvp::tensix::coprocessor
