#pragma once

#include <cstddef>
#include <cstdint>

#include "foundation/regs/tensix_config.h"

namespace tvp::tensix::coprocessor {

using regs::config::DataFormat;

constexpr bool is_block_float(DataFormat format) {
  return format == DataFormat::kBfp8 || format == DataFormat::kBfp8a ||
         format == DataFormat::kBfp4 || format == DataFormat::kBfp4a ||
         format == DataFormat::kBfp2 || format == DataFormat::kBfp2a;
}

/// Bits of a datum in L1; 0 for an encoding without a meaning.
constexpr unsigned datum_bits(DataFormat format) {
  switch (format) {
    case DataFormat::kBfp2:
    case DataFormat::kBfp2a:
      return 2;
    case DataFormat::kBfp4:
    case DataFormat::kBfp4a:
      return 4;
    case DataFormat::kBfp8:
    case DataFormat::kBfp8a:
    case DataFormat::kFp8:
    case DataFormat::kInt8:
      return 8;
    case DataFormat::kFp16:
    case DataFormat::kBf16:
    case DataFormat::kInt16:
      return 16;
    case DataFormat::kFp32:
    case DataFormat::kTf32:
    case DataFormat::kInt32:
      return 32;
  }
  return 0;
}

/// Name for messages.
const char* format_name(DataFormat format);

/// Field orders of the register files: from (sign, exponent, mantissa) to SrcA, SrcB and Dst (ISA
/// TensixCoprocessor/SrcASrcB.md, Dst.md, data type bit layout).
namespace layout {

constexpr std::uint16_t dst_bf16(std::uint32_t x) {
  return static_cast<std::uint16_t>((x & 0x8000) | ((x & 0x7F) << 8) | ((x >> 7) & 0xFF));
}
constexpr std::uint16_t dst_fp16(std::uint32_t x) {
  return static_cast<std::uint16_t>((x & 0x8000) | ((x & 0x3FF) << 5) | ((x >> 10) & 0x1F));
}
/// Also for INT32.
constexpr std::uint32_t dst_fp32(std::uint32_t x) {
  return (std::uint32_t{dst_bf16(x >> 16)} << 16) | (x & 0xFFFF);
}
constexpr std::uint16_t from_dst_bf16(std::uint32_t x) {
  return static_cast<std::uint16_t>((x & 0x8000) | ((x & 0xFF) << 7) | ((x >> 8) & 0x7F));
}
constexpr std::uint16_t from_dst_fp16(std::uint32_t x) {
  return static_cast<std::uint16_t>((x & 0x8000) | ((x & 0x1F) << 10) | ((x >> 5) & 0x3FF));
}
constexpr std::uint32_t from_dst_fp32(std::uint32_t x) {
  return (std::uint32_t{from_dst_bf16(x >> 16)} << 16) | (x & 0xFFFF);
}
/// From the 19 bits sign, 8 exponent, 10 mantissa.
constexpr std::uint32_t src_tf32(std::uint32_t x) {
  return (x & 0x40000) | ((x & 0x3FF) << 8) | ((x >> 10) & 0xFF);
}
constexpr std::uint32_t src_bf16(std::uint32_t x) { return src_tf32(x << 3); }
constexpr std::uint32_t src_fp16(std::uint32_t x) {
  return src_tf32(((x & 0x8000) << 3) | (x & 0x7FFF));
}
constexpr std::uint32_t src_int16(std::uint32_t x) { return ((x & 0xFF00) << 3) | (x & 0xFF); }

}  // namespace layout

/// A BFP8 datum and its exponent as BF16. BFP4 and BFP2 must be shifted to the top of the byte. The
/// exponent wraps as a byte; a negative zero is minus infinity (ISA FloatBitPatterns.md).
constexpr std::uint16_t bfp8_to_bf16(std::uint32_t datum, std::uint32_t exponent) {
  const std::uint32_t sign = (datum >> 7) & 1;
  std::uint32_t magnitude = (datum & 0x7F) << 1;
  if (magnitude == 0) return sign != 0 ? 0xFF80 : 0;
  while ((magnitude & 0x80) == 0) {
    magnitude <<= 1;
    --exponent;
  }
  return static_cast<std::uint16_t>((sign << 15) | ((exponent & 0xFF) << 7) | (magnitude & 0x7E));
}

/// The same for BFP8a, BFP4a, BFP2a. Clears `valid` if the exponent exceeds five bits.
constexpr std::uint16_t bfp8a_to_fp16(std::uint32_t datum, std::uint32_t exponent, bool& valid) {
  const std::uint32_t sign = (datum >> 7) & 1;
  std::uint32_t magnitude = (datum & 0x7F) << 1;
  if (magnitude == 0) return sign != 0 ? 0xFC00 : 0;
  while ((magnitude & 0x80) == 0) {
    magnitude <<= 1;
    --exponent;
  }
  if ((exponent & 0xE0) != 0) valid = false;
  return static_cast<std::uint16_t>((sign << 15) | ((exponent & 0x1F) << 10) |
                                    ((magnitude & 0x7E) << 3));
}

/// The conversion of each datum by an UNPACR (ISA Unpackers/FormatConversion.md). It is selected
/// once for each instruction and applied to up to 16 consecutive datums at a time.
class UnpackConversion {
 public:
  enum class Support : std::uint8_t {
    kYes,
    kUndefined,   ///< the page says that the combination has no defined result
    kUnmodelled,  ///< FP32 to FP16: the page does not describe the rounding
  };
  static constexpr unsigned kMaxDatums = 16;
  using Convert = bool (*)(const std::uint8_t*, unsigned, const std::uint8_t*, unsigned,
                           std::uint32_t*);
  using ConvertRows = void (*)(const std::uint8_t*, std::size_t, unsigned, std::uint32_t*);
  struct Converters {
    Convert some = nullptr;
    ConvertRows rows = nullptr;  ///< null for block formats
  };

  /// Support for a pair of InDataFormat and OutDataFormat.
  static Support supported(DataFormat in, DataFormat out, bool to_dst);
  UnpackConversion(DataFormat in, DataFormat out, bool to_dst, bool int8_unsigned);

  /// Converts `count` datums. `bytes` is the byte that holds the first one, which starts
  /// `bit_offset` bits in. `exponents` holds one for each datum and is read for block formats only.
  /// False if a result is undefined (BFP exponent out of range).
  bool apply(const std::uint8_t* bytes, unsigned bit_offset, const std::uint8_t* exponents,
             unsigned count, std::uint32_t* result) const {
    return convert_.some(bytes, bit_offset, exponents, count, result);
  }
  /// Converts `rows` rows of kMaxDatums to contiguous rows. They begin `stride` bytes apart, and
  /// their datums fill bytes (not for block formats).
  void apply_rows(const std::uint8_t* bytes, std::size_t stride, unsigned rows,
                  std::uint32_t* result) const {
    convert_.rows(bytes, stride, rows, result);
  }
  /// True if results are 32-bit datums of Dst (else 16-bit, or 19-bit of Src).
  bool is_32_bit() const { return is_32_bit_; }

 private:
  Converters convert_;
  bool is_32_bit_ = false;
};

}  // namespace tvp::tensix::coprocessor
