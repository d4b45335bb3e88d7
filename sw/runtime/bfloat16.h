#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <vector>

namespace tvp::runtime {

/// The upper half of a float, by tt-metal's name (tt-metalium/bfloat16.hpp).
class bfloat16 {
 public:
  constexpr bfloat16() = default;
  /// Rounds to nearest, ties to even. NaN becomes tt-metal's NaN.
  constexpr bfloat16(float value)
      : bits_(rounded(std::bit_cast<std::uint32_t>(value))) {}  // NOLINT
#ifdef TENSIX_VP_BFLOAT16_OF_BITS
  /// Bits, for programs for releases before 0.63 (TENSIX_VP_METALIUM_RELEASE).
  template <std::same_as<std::uint16_t> Bits>
  constexpr bfloat16(Bits bits) : bits_(bits) {}  // NOLINT
#else
  /// The number. Compilers warn, because this constructor took bits until release 0.62.
  template <std::same_as<std::uint16_t> Number>
  [[deprecated(
      "bfloat16(std::uint16_t) takes a number as since tt-metal 0.63; "
      "bfloat16::from_bits takes bits")]] constexpr bfloat16(Number value)  // NOLINT
      : bfloat16(static_cast<float>(value)) {}
#endif
  /// Towards zero.
  static constexpr bfloat16 truncate(float value) {
    return from_bits(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
  }
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 number;
    number.bits_ = bits;
    return number;
  }

  constexpr std::uint16_t bits() const { return bits_; }
  // For tt-metal's releases of 2025 and before.
  constexpr std::uint16_t to_uint16() const { return bits_; }
  constexpr std::uint16_t to_packed() const { return bits_; }
  constexpr float to_float() const { return *this; }

  constexpr bfloat16& operator+=(bfloat16 other) { return *this = to_float() + other.to_float(); }
  constexpr bfloat16& operator-=(bfloat16 other) { return *this = to_float() - other.to_float(); }
  constexpr bfloat16& operator*=(bfloat16 other) { return *this = to_float() * other.to_float(); }
  constexpr bfloat16& operator/=(bfloat16 other) { return *this = to_float() / other.to_float(); }
  constexpr operator float() const {  // NOLINT: every one is a float
    return std::bit_cast<float>(std::uint32_t{bits_} << 16);
  }

 private:
  static constexpr std::uint16_t rounded(std::uint32_t bits) {
    if ((bits & 0x7FFFFFFF) > 0x7F800000) return 0x7FC0;
    return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(bfloat16) == 2);

/// Two a word, the first in its lower half. An odd last one is alone in its word.
inline std::vector<std::uint32_t> pack_bfloat16_vec_into_uint32_vec(
    const std::vector<bfloat16>& numbers) {
  std::vector<std::uint32_t> words((numbers.size() + 1) / 2);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    words[i / 2] |= std::uint32_t{numbers[i].bits()} << (i % 2 * 16);
  return words;
}

inline std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<std::uint32_t>& words) {
  std::vector<bfloat16> numbers;
  for (const std::uint32_t word : words) {
    numbers.push_back(bfloat16::from_bits(static_cast<std::uint16_t>(word)));
    numbers.push_back(bfloat16::from_bits(static_cast<std::uint16_t>(word >> 16)));
  }
  return numbers;
}

}  // namespace tvp::runtime
