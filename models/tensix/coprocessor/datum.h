#pragma once

#include <bit>
#include <cstdint>

namespace tvp::tensix::coprocessor::datum {

// Conversions between values and the bit patterns of SrcA, SrcB and Dst (ISA
// TensixCoprocessor/SrcASrcB.md, Dst.md and FloatBitPatterns.md). Everything is branch-free, so
// that the loops over 16 columns vectorize.
//
// The matrix unit has no denormals, NaN or infinity: exponent 0 is zero, and the largest exponent
// is an ordinary one. A double holds every such value exactly, and never becomes denormal or
// infinite in the operations of an instruction.

/// Interpretation of SrcA and SrcB by the matrix unit.
enum class SrcStyle : std::uint8_t { kBf16, kFp16, kTf32, kInt8 };

// ---- Between Src and Dst: fields move, values do not change -------------------------------------

/// Sign, mantissa (10), exponent (8) without the three low bits of mantissa.
constexpr std::uint16_t src_to_dst_bf16(std::uint32_t x) {
  return static_cast<std::uint16_t>(((x & 0x7F800) >> 3) | (x & 0xFF));
}
/// Sign, mantissa (10), exponent (8) without the three high bits of exponent.
constexpr std::uint16_t src_to_dst_fp16(std::uint32_t x) {
  return static_cast<std::uint16_t>(((x & 0x7FF00) >> 3) | (x & 0x1F));
}
constexpr std::uint32_t dst_bf16_to_src(std::uint32_t x) {
  return ((x & 0xFF00) << 3) | (x & 0xFF);
}
constexpr std::uint32_t dst_fp16_to_src(std::uint32_t x) {
  return ((x & 0xFFE0) << 3) | (x & 0x1F);
}
/// From the high 19 bits of a 32-bit datum: sign, high mantissa (7), exponent (8), low mantissa
/// (3).
constexpr std::uint32_t dst_tf32_to_src(std::uint32_t x) {
  return (x & 0x7F800) | ((x & 7) << 8) | ((x >> 3) & 0xFF);
}

/// Dst has the exponent below the high seven mantissa bits; the result has the usual FP32 order.
constexpr std::uint32_t dst_to_ieee16(std::uint32_t x) {
  return (x & 0x8000) | ((x & 0xFF) << 7) | ((x >> 8) & 0x7F);
}
constexpr std::uint32_t ieee16_to_dst(std::uint32_t x) {
  return (x & 0x8000) | ((x & 0x7F) << 8) | ((x >> 7) & 0xFF);
}
constexpr std::uint32_t dst_to_ieee32(std::uint32_t x) {
  return (dst_to_ieee16(x >> 16) << 16) | (x & 0xFFFF);
}
constexpr std::uint32_t ieee32_to_dst(std::uint32_t x) {
  return (ieee16_to_dst(x >> 16) << 16) | (x & 0xFFFF);
}

// ---- Values of Src ------------------------------------------------------------------------------

/// The mantissa bits that an operation uses.
struct MantissaPart {
  std::uint32_t mask;  ///< ten bits
  bool hidden;         ///< true if the implicit one is used
};

/// High 32 bits of the double with the value of a datum. `kBias` converts its exponent to that of a
/// double. The type has 32 bits because that vectorizes everywhere.
template <std::uint32_t kExponentMask, std::uint32_t kBias>
constexpr std::uint32_t src_high(std::uint32_t x, std::uint32_t mantissa_mask) {
  const std::uint32_t exponent = x & kExponentMask;
  const std::uint32_t nonzero = 0u - static_cast<std::uint32_t>(exponent != 0);
  return (((x >> 18) << 31) | ((exponent + kBias) << 20) | (((x >> 8) & mantissa_mask) << 10)) &
         nonzero;
}
constexpr std::uint32_t src_bf16_high(std::uint32_t x, std::uint32_t mask) {
  return src_high<0xFF, 896>(x, mask & 0x3F8);
}
constexpr std::uint32_t src_tf32_high(std::uint32_t x, std::uint32_t mask) {
  return src_high<0xFF, 896>(x, mask);
}
constexpr std::uint32_t src_fp16_high(std::uint32_t x, std::uint32_t mask) {
  return src_high<0x1F, 1008>(x, mask);
}
inline double from_high_word(std::uint32_t high) {
  return std::bit_cast<double>(std::uint64_t{high} << 32);
}
/// The same number without the implicit one.
inline double without_hidden(std::uint32_t high) {
  return from_high_word(high) - from_high_word(high & 0xFFF00000);
}
/// Integer "8": sign and ten bits of magnitude; `mask` selects the used bits. `flush`: an exponent
/// of 0 means zero.
constexpr std::int32_t src_int8(std::uint32_t x, std::uint32_t mask, bool flush) {
  const bool zero = flush & ((x & 0x1F) == 0);
  const auto magnitude = static_cast<std::int32_t>(zero ? 0 : (x >> 8) & mask);
  return (x & 0x40000) != 0 ? -magnitude : magnitude;
}

// ---- Values of Dst ------------------------------------------------------------------------------

constexpr std::uint32_t dst_bf16_high(std::uint32_t x) {
  const std::uint32_t exponent = x & 0xFF;
  const std::uint32_t nonzero = 0u - static_cast<std::uint32_t>(exponent != 0);
  return (((x >> 15) << 31) | ((exponent + 896) << 20) | ((x & 0x7F00) << 5)) & nonzero;
}
constexpr std::uint32_t dst_fp16_high(std::uint32_t x) {
  const std::uint32_t exponent = x & 0x1F;
  const std::uint32_t nonzero = 0u - static_cast<std::uint32_t>(exponent != 0);
  return (((x >> 15) << 31) | ((exponent + 1008) << 20) | ((x & 0x7FE0) << 5)) & nonzero;
}
inline double dst_fp32(std::uint32_t x) {
  const std::uint64_t exponent = (x >> 16) & 0xFF;
  const std::uint64_t nonzero = 0u - static_cast<std::uint64_t>(exponent != 0);
  const std::uint64_t mantissa = ((x >> 24 & 0x7F) << 16) | (x & 0xFFFF);
  return std::bit_cast<double>(
      ((std::uint64_t{x >> 31} << 63) | ((exponent + 896) << 52) | (mantissa << 29)) & nonzero);
}
/// Integer "32" in sign-magnitude form. Its bits 30:23 and 22:16 have the places of FP32.
constexpr std::int64_t dst_int32(std::uint32_t x) {
  const auto magnitude = static_cast<std::int64_t>(dst_to_ieee32(x) & 0x7FFFFFFF);
  return (x >> 31) != 0 ? -magnitude : magnitude;
}

// For sums without earlier losses: one rounding to the format of Dst, to nearest, ties to even.
// Underflow gives +0, overflow the pattern that stands for infinity.

/// High word of a double whose lowest bit is sticky for everything below it. This suffices for
/// rounding to at most ten bits.
inline std::uint32_t sticky_high_word(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint32_t>(bits >> 32) |
         static_cast<std::uint32_t>(static_cast<std::uint32_t>(bits) != 0);
}
constexpr std::uint16_t to_dst_bf16(std::uint32_t high) {
  const std::uint32_t rounded = high + 0xFFF + ((high >> 13) & 1);
  const auto exponent = static_cast<std::int32_t>((rounded >> 20) & 0x7FF) - 896;
  const std::uint32_t sign = (high >> 31) << 15;
  const std::uint32_t mantissa = (rounded >> 13) & 0x7F;
  const std::uint32_t normal =
      sign | (mantissa << 8) | (static_cast<std::uint32_t>(exponent) & 0xFF);
  const std::uint32_t finite = exponent >= 255 ? sign | 0xFF : normal;
  return static_cast<std::uint16_t>(exponent <= 0 ? 0 : finite);
}
constexpr std::uint16_t to_dst_fp16(std::uint32_t high) {
  const std::uint32_t rounded = high + 0x1FF + ((high >> 10) & 1);
  const auto exponent = static_cast<std::int32_t>((rounded >> 20) & 0x7FF) - 1008;
  const std::uint32_t sign = (high >> 31) << 15;
  const std::uint32_t mantissa = (rounded >> 10) & 0x3FF;
  const std::uint32_t normal =
      sign | (mantissa << 5) | (static_cast<std::uint32_t>(exponent) & 0x1F);
  const std::uint32_t finite = exponent > 31 ? sign | 0x7FFF : normal;
  return static_cast<std::uint16_t>(exponent <= 0 ? 0 : finite);
}
inline std::uint32_t to_dst_fp32(double value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return (bits & 0x7F800000) != 0 ? ieee32_to_dst(bits) : 0;
}
constexpr std::uint32_t to_dst_int32(std::int64_t value) {
  constexpr std::int64_t kLargest = 0x7FFFFFFF;
  const std::int64_t limited = value > kLargest ? kLargest : value < -kLargest ? -kLargest : value;
  const auto magnitude = static_cast<std::uint32_t>(limited < 0 ? -limited : limited);
  return ieee32_to_dst(magnitude | (limited < 0 ? 0x80000000u : 0u));
}

}  // namespace tvp::tensix::coprocessor::datum
