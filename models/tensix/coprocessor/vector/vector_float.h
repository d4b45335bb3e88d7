#pragma once

#include <bit>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// Sign bit of FP32 and of sign-magnitude integers.
inline constexpr std::uint32_t kSign = 0x80000000;

/// Total order of sign-magnitude integers and FP32, -0 below +0.
constexpr bool sign_magnitude_smaller(std::uint32_t c, std::uint32_t d) {
  const auto ordered = [](std::uint32_t x) {
    const auto twos = static_cast<std::int32_t>(x);
    return static_cast<std::int32_t>(x ^ (static_cast<std::uint32_t>(twos >> 30) >> 1));
  };
  return ordered(c) < ordered(d);
}

/// FP32 x * y + z as SFPMAD and its relatives compute it on Wormhole (ISA SFPMAD.md, and
/// Miscellaneous/FMA, which describes it bit by bit). The product keeps three bits below FP32, the
/// last of which is sticky. Bits shifted out in alignment are sticky unless all are shifted out.
/// Denormals are zero on both sides, every zero is +0, and NaNs carry some bits of the operands.
inline std::uint32_t vector_multiply_add(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  constexpr std::uint32_t kOne = 0x800000;  // implicit bit of a significand
  const auto exponent_of = [](std::uint32_t v) { return static_cast<std::int32_t>(v >> 23 & 255); };
  const auto significand_of = [](std::uint32_t v) -> std::uint32_t {
    return (v & kInfinity) == 0 ? 0 : (v & 0x7FFFFF) | kOne;
  };
  const auto is_nan = [](std::uint32_t v) { return (v & ~kSign) > kInfinity; };

  const std::int32_t x_exponent = exponent_of(x);
  const std::int32_t y_exponent = exponent_of(y);
  const std::int32_t z_exponent = exponent_of(z);
  const std::uint32_t product_sign = (x ^ y) & kSign;
  const std::uint32_t z_sign = z & kSign;

  // The 48-bit product loses 20 bits, which leaves three below the 24 of FP32 and one above.
  const std::uint64_t exact = std::uint64_t{significand_of(x)} * significand_of(y);
  std::uint32_t product =
      static_cast<std::uint32_t>(exact >> 20) | static_cast<std::uint32_t>((exact & 0xFFFFF) != 0);
  std::int32_t product_exponent = x_exponent + y_exponent - 127;
  std::uint32_t addend = significand_of(z) << 3;

  std::uint32_t nan = 0;
  const bool product_infinite = x_exponent == 255 || y_exponent == 255 || product_exponent >= 255;
  if (product_infinite || z_exponent == 255) {
    const bool z_infinite = (z & ~kSign) == kInfinity;
    const bool invalid = is_nan(x) || is_nan(y) || (x_exponent == 255 && significand_of(y) == 0) ||
                         (y_exponent == 255 && significand_of(x) == 0) ||
                         (z_infinite && product_infinite && z_sign != product_sign);
    if (invalid) {
      nan = product_sign | kInfinity | 1;
    } else if (is_nan(z)) {
      nan = z_sign | kInfinity | 1;
    } else if (z_infinite) {
      return z;
    } else {
      return product_sign | kInfinity;
    }
    if (product_exponent > 255) product_exponent = 255;
  }
  if (product == 0 || product_exponent < 0) {
    if (nan == 0) return addend != 0 ? z : 0;
    product = 0;
    product_exponent = 0;
  }

  const auto align = [](std::uint32_t value, std::int32_t places) -> std::uint32_t {
    if (places >= 32) return 0;
    const std::uint32_t kept = value >> places;
    return kept != 0 && (kept << places) != value ? kept | 1 : kept;
  };
  std::int32_t exponent = z_exponent;
  if (product_exponent > z_exponent) {
    exponent = product_exponent;
    addend = align(addend, product_exponent - z_exponent);
  } else {
    product = align(product, z_exponent - product_exponent);
  }
  const std::uint32_t sign = product >= addend ? product_sign : z_sign;
  std::uint32_t sum = product_sign == z_sign ? product + addend
                      : product >= addend    ? product - addend
                                             : addend - product;
  if (sum == 0) return nan;

  const std::int32_t places = 5 - std::countl_zero(sum);  // moves the leading one to bit 26
  exponent += places;
  if (exponent >= 255) return nan != 0 ? nan : sign | kInfinity;
  if (exponent < 0) return nan;
  // Two places drop a bit that should be sticky, as the silicon does.
  sum = places <= 0 ? sum << -places : (sum >> places) | (sum & 1);

  std::uint32_t result = (static_cast<std::uint32_t>(exponent) << 23) + (sum >> 3 & 0x7FFFFF);
  result += static_cast<std::uint32_t>((sum & 7) + (result & 1) > 4);
  if (result < kOne) return nan;
  return (nan != 0 ? nan : sign) | result;
}

}  // namespace tvp::tensix::coprocessor
