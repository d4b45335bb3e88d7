#pragma once

// Vectors of 32 lanes of 32 bits, with one type for each interpretation.

#include <type_traits>

#include "api/sfpi/operations.h"

namespace sfpi {

class vInt;
class vUInt;
class vFloat;

/// Scalars that fill a vector with one SFPLOADI: the bits of an FP16 or BF16. Floats are truncated.
class s2vFloat16 {
 public:
  enum Format { fp16a = 1, fp16b = 0 };
  sfpi_inline s2vFloat16(float value, Format format = fp16b)
      : bits_(format == fp16b ? as_bits(value) >> 16 : half_of(as_bits(value))), format_(format) {}
  sfpi_inline s2vFloat16(int32_t bits, Format format = fp16b)
      : bits_(static_cast<uint32_t>(bits)), format_(format) {}
  sfpi_inline s2vFloat16(uint32_t bits, Format format = fp16b) : bits_(bits), format_(format) {}
  sfpi_inline s2vFloat16(int bits, Format format = fp16b)
      : s2vFloat16(static_cast<uint32_t>(bits), format) {}
  sfpi_inline s2vFloat16(unsigned bits, Format format = fp16b)
      : s2vFloat16(static_cast<uint32_t>(bits), format) {}

  sfpi_inline s2vFloat16 negate() const { return {bits_ ^ 0x8000, format_}; }
  sfpi_inline uint32_t get() const { return bits_; }
  sfpi_inline uint32_t get_format() const { return format_; }
  static sfpi_inline uint32_t as_bits(float value) { return __builtin_bit_cast(uint32_t, value); }

 private:
  static sfpi_inline uint32_t half_of(uint32_t bits) {
    const int32_t exponent = static_cast<int32_t>(bits >> 23 & 0xFF) - 112;
    if (exponent < 0) return bits >> 16 & 0x8000;
    if (exponent > 31) return (bits >> 16 & 0x8000) | 0x7FFF;
    return (bits >> 16 & 0x8000) | static_cast<uint32_t>(exponent) << 10 | (bits >> 13 & 0x3FF);
  }
  uint32_t bits_;
  Format format_;
};
template <s2vFloat16::Format kFormat>
class ScalarHalf : public s2vFloat16 {
 public:
  sfpi_inline ScalarHalf(double value) : s2vFloat16(static_cast<float>(value), kFormat) {}
  sfpi_inline ScalarHalf(float value) : s2vFloat16(value, kFormat) {}
  template <typename Integer>
  requires std::is_integral_v<Integer> sfpi_inline ScalarHalf(Integer bits)
      : s2vFloat16(static_cast<uint32_t>(bits), kFormat) {}
};
using s2vFloat16a = ScalarHalf<s2vFloat16::fp16a>;
using s2vFloat16b = ScalarHalf<s2vFloat16::fp16b>;
using sFloat16a = s2vFloat16a;
using sFloat16b = s2vFloat16b;

namespace impl_ {

/// The result of the operators of conditions.h.
struct Condition {};
template <typename T>
concept IsCondition = std::is_base_of_v<Condition, T>;

class vVal {
 public:
  sfpi_inline vVal() : value_(undefined()) {}
  sfpi_inline vVal(sfpu_t value) : value_(value) {}
  sfpi_inline vVal(const vVal&) = default;
  /// Keeps the lanes that are not enabled.
  sfpi_inline vVal& operator=(const vVal& other) {
    assign(value_, other.value_);
    return *this;
  }
  sfpi_inline sfpu_t get() const { return value_; }
  sfpi_inline sfpu_t& ref() { return value_; }

 private:
  sfpu_t value_;
};

template <typename T>
concept Vector = std::is_base_of_v<vVal, T>;

/// A type with a smaller range of values than its base.
template <typename Base>
class vNarrow : public Base {
 public:
  sfpi_inline vNarrow() = default;
  sfpi_inline vNarrow(const vNarrow&) = default;
  sfpi_inline vNarrow& operator=(const vNarrow&) = default;
  sfpi_inline explicit vNarrow(sfpu_t value) : Base(value) {}
  template <typename Scalar>
  requires std::is_arithmetic_v<Scalar> sfpi_inline explicit vNarrow(Scalar value) : Base(value) {}
};

}  // namespace impl_

using impl_::sfpu_t;
using impl_::vVal;
using __vBase = vVal;

/// Types that can fill a vector of integers.
template <typename T>
concept Integral = std::is_integral_v<T> && !std::is_same_v<T, bool>;

class vFloat : public vVal {
 public:
  sfpi_inline vFloat() = default;
  sfpi_inline vFloat(const vFloat&) = default;
  sfpi_inline vFloat& operator=(const vFloat&) = default;
  sfpi_inline vFloat(sfpu_t value) : vVal(value) {}
  sfpi_inline vFloat(float value) : vVal(impl_::load_bits(s2vFloat16::as_bits(value))) {}
  sfpi_inline vFloat(s2vFloat16 value)
      : vVal(impl_::load_immediate(
            value.get_format() == s2vFloat16::fp16a ? impl_::kFp16 : impl_::kBf16,
            value.get() & 0xFFFF)) {}
};

sfpi_inline vFloat operator+(vFloat a) { return a; }
sfpi_inline vFloat operator-(vFloat a) { return impl_::negate(a.get()); }
sfpi_inline vFloat operator+(vFloat a, vFloat b) { return impl_::add(a.get(), b.get()); }
sfpi_inline vFloat operator-(vFloat a, vFloat b) { return impl_::subtract(a.get(), b.get()); }
sfpi_inline vFloat operator*(vFloat a, vFloat b) { return impl_::multiply(a.get(), b.get()); }
sfpi_inline vFloat operator+(vFloat a, float b) { return a + vFloat(b); }
sfpi_inline vFloat operator+(float a, vFloat b) { return b + vFloat(a); }
sfpi_inline vFloat operator-(vFloat a, float b) {
  return a + vFloat(impl_::load_bits(s2vFloat16::as_bits(b) ^ 0x80000000));
}
sfpi_inline vFloat operator-(float a, vFloat b) { return vFloat(a) - b; }
sfpi_inline vFloat operator*(vFloat a, float b) { return a * vFloat(b); }
sfpi_inline vFloat operator*(float a, vFloat b) { return b * vFloat(a); }
sfpi_inline vFloat operator-(vFloat a, s2vFloat16 b) { return a + vFloat(b.negate()); }
template <typename T>
sfpi_inline vFloat& operator+=(vFloat& a, T b) {
  return a = a + b;
}
template <typename T>
sfpi_inline vFloat& operator-=(vFloat& a, T b) {
  return a = a - b;
}
template <typename T>
sfpi_inline vFloat& operator*=(vFloat& a, T b) {
  return a = a * b;
}

/// Two's complement.
class vInt : public vVal {
 public:
  sfpi_inline vInt() = default;
  sfpi_inline vInt(const vInt&) = default;
  sfpi_inline vInt& operator=(const vInt&) = default;
  sfpi_inline vInt(sfpu_t value) : vVal(value) {}
  template <Integral T>
  sfpi_inline vInt(T value) : vVal(impl_::load_bits(static_cast<uint32_t>(value))) {}
  /// 1 where it is true, else 0.
  template <impl_::IsCondition C>
  sfpi_inline vInt(const C& condition) : vVal(truth(condition)) {}
  sfpi_inline vInt(const vUInt& value);
};

class vUInt : public vVal {
 public:
  sfpi_inline vUInt() = default;
  sfpi_inline vUInt(const vUInt&) = default;
  sfpi_inline vUInt& operator=(const vUInt&) = default;
  sfpi_inline vUInt(sfpu_t value) : vVal(value) {}
  template <Integral T>
  sfpi_inline vUInt(T value) : vVal(impl_::load_bits(static_cast<uint32_t>(value))) {}
  /// 1 where it is true, else 0.
  template <impl_::IsCondition C>
  sfpi_inline vUInt(const C& condition) : vVal(truth(condition)) {}
  sfpi_inline vUInt(const vInt& value) : vVal(value.get()) {}
};
sfpi_inline vInt::vInt(const vUInt& value) : vVal(value.get()) {}

/// Sign and magnitude.
class vSMag : public vVal {
 public:
  sfpi_inline vSMag() = default;
  sfpi_inline vSMag(const vSMag&) = default;
  sfpi_inline vSMag& operator=(const vSMag&) = default;
  sfpi_inline explicit vSMag(sfpu_t value) : vVal(value) {}
  sfpi_inline explicit vSMag(uint32_t value) : vVal(impl_::load_bits(value)) {}
};

using vFloat16a = impl_::vNarrow<vFloat>;
class vFloat16b : public impl_::vNarrow<vFloat> {
  using vNarrow::vNarrow;
};
using vMag = impl_::vNarrow<vUInt>;
using vUInt16 = impl_::vNarrow<vMag>;
using vUInt8 = impl_::vNarrow<vUInt16>;
class vSMag16 : public vSMag {
  using vSMag::vSMag;
};
class vSMag8 : public vSMag16 {
  using vSMag16::vSMag16;
};

namespace impl_ {

template <typename T>
inline constexpr bool is_integer = std::is_base_of_v<vInt, T> || std::is_base_of_v<vUInt, T>;
template <typename T>
inline constexpr bool is_signed = std::is_base_of_v<vInt, T>;
template <typename T>
concept IntegerVector = is_integer<T>;
/// The common type of two integer types: unsigned if one of them is.
template <typename A, typename B>
using Both = std::conditional_t<is_signed<A> && is_signed<B>, vInt, vUInt>;
template <typename A>
using Alone = std::conditional_t<is_signed<A>, vInt, vUInt>;

}  // namespace impl_

#define TVP_SFPI_INTEGER(op, function)                                           \
  template <impl_::IntegerVector A, impl_::IntegerVector B>                      \
  sfpi_inline impl_::Both<A, B> operator op(A a, B b) {                          \
    return impl_::function(a.get(), b.get());                                    \
  }                                                                              \
  template <impl_::IntegerVector A, Integral B>                                  \
  sfpi_inline impl_::Alone<A> operator op(A a, B b) {                            \
    return impl_::function(a.get(), impl_::load_bits(static_cast<uint32_t>(b))); \
  }                                                                              \
  template <Integral A, impl_::IntegerVector B>                                  \
  sfpi_inline impl_::Alone<B> operator op(A a, B b) {                            \
    return impl_::function(b.get(), impl_::load_bits(static_cast<uint32_t>(a))); \
  }
TVP_SFPI_INTEGER(&, bitwise_and)
TVP_SFPI_INTEGER(|, bitwise_or)
TVP_SFPI_INTEGER(^, bitwise_xor)
#undef TVP_SFPI_INTEGER

template <impl_::IntegerVector A>
sfpi_inline impl_::Alone<A> operator~(A a) {
  return impl_::bitwise_not(a.get());
}
template <impl_::IntegerVector A, impl_::IntegerVector B>
sfpi_inline impl_::Both<A, B> operator+(A a, B b) {
  return impl_::integer_add(a.get(), b.get());
}
template <impl_::IntegerVector A, Integral B>
sfpi_inline impl_::Alone<A> operator+(A a, B b) {
  return impl_::integer_add_any(a.get(), static_cast<int32_t>(b));
}
template <Integral A, impl_::IntegerVector B>
sfpi_inline impl_::Alone<B> operator+(A a, B b) {
  return b + a;
}
template <impl_::IntegerVector A, impl_::IntegerVector B>
sfpi_inline impl_::Both<A, B> operator-(A a, B b) {
  return impl_::integer_subtract(a.get(), b.get());
}
template <impl_::IntegerVector A, Integral B>
sfpi_inline impl_::Alone<A> operator-(A a, B b) {
  return impl_::integer_add_any(a.get(), -static_cast<int32_t>(b));
}
template <Integral A, impl_::IntegerVector B>
sfpi_inline impl_::Alone<B> operator-(A a, B b) {
  return impl_::integer_subtract(impl_::load_bits(static_cast<uint32_t>(a)), b.get());
}
template <impl_::IntegerVector A>
sfpi_inline impl_::Alone<A> operator+(A a) {
  return a.get();
}
template <impl_::IntegerVector A>
sfpi_inline impl_::Alone<A> operator-(A a) {
  return 0 - a;
}
template <impl_::IntegerVector A, Integral B>
sfpi_inline impl_::Alone<A> operator<<(A a, B amount) {
  return impl_::shift(a.get(), static_cast<int32_t>(amount));
}
template <impl_::IntegerVector A, impl_::IntegerVector B>
sfpi_inline impl_::Alone<A> operator<<(A a, B amount) {
  return impl_::shift(a.get(), amount.get());
}
/// Shifts in zeros: the vector unit of Wormhole has no arithmetic shift.
template <impl_::IntegerVector A, Integral B>
sfpi_inline impl_::Alone<A> operator>>(A a, B amount) {
  static_assert(!impl_::is_signed<A>, "Wormhole has no arithmetic shift: shift a vUInt");
  return impl_::shift(a.get(), -static_cast<int32_t>(amount));
}
template <impl_::IntegerVector A, impl_::IntegerVector B>
sfpi_inline impl_::Alone<A> operator>>(A a, B amount) {
  static_assert(!impl_::is_signed<A>, "Wormhole has no arithmetic shift: shift a vUInt");
  return impl_::shift(a.get(), (0 - amount).get());
}

#define TVP_SFPI_COMPOUND(op)                   \
  template <impl_::IntegerVector A, typename B> \
  sfpi_inline A& operator op##=(A& a, B b) {    \
    return a = A((a op b).get());               \
  }
TVP_SFPI_COMPOUND(&)
TVP_SFPI_COMPOUND(|)
TVP_SFPI_COMPOUND(^)
TVP_SFPI_COMPOUND(+)
TVP_SFPI_COMPOUND(-)
TVP_SFPI_COMPOUND(<<)
TVP_SFPI_COMPOUND(>>)
#undef TVP_SFPI_COMPOUND

template <impl_::Vector A>
sfpi_inline A& operator++(A& a) {
  return a += 1;
}
template <impl_::Vector A>
sfpi_inline A& operator--(A& a) {
  return a -= 1;
}
template <impl_::Vector A>
sfpi_inline A operator++(A& a, int) {
  A before = a;
  a += 1;
  return before;
}
template <impl_::Vector A>
sfpi_inline A operator--(A& a, int) {
  A before = a;
  a -= 1;
  return before;
}

}  // namespace sfpi
