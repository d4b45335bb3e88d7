#pragma once

// Comparisons, and blocks that are executed in some lanes only.
//
// A comparison has an effect only in v_if and similar macros, which let it narrow the enabled lanes
// (ISA VectorUnit.md, lane predication masks). "a and b" narrows twice. "a or b" narrows by the
// opposites and takes the other lanes of the enclosing level, which requires an untouched level.
// Otherwise the condition first becomes a vector of 0 and 1.

#include "api/sfpi/types.h"

namespace sfpi {

class vBool;

namespace impl_ {

enum class Order { kLess, kGreaterEqual, kEqual, kNotEqual, kGreater, kLessEqual };

constexpr Order opposite(Order order) {
  switch (order) {
    case Order::kLess:
      return Order::kGreaterEqual;
    case Order::kGreaterEqual:
      return Order::kLess;
    case Order::kEqual:
      return Order::kNotEqual;
    case Order::kNotEqual:
      return Order::kEqual;
    case Order::kGreater:
      return Order::kLessEqual;
    default:
      return Order::kGreater;
  }
}

/// 1 in the enabled lanes in which it is true, 0 in the other enabled lanes.
template <IsCondition C>
sfpi_inline sfpu_t truth(C condition) {
  sfpu_t result = load_immediate(kUnsigned16, 0);
  push_lanes();
  condition.narrow(true);
  assign(result, load_immediate(kUnsigned16, 1));
  pop_lanes();
  return result;
}

/// Compares with zero. Zero of floats is +0: the sign bit decides.
template <Order kOrder>
sfpi_inline void narrow_by_zero(sfpu_t v, bool untouched) {
  switch (kOrder) {
    case Order::kLess:
      return narrow_by_sign(v, kLess);
    case Order::kGreaterEqual:
      return narrow_by_sign(v, kGreaterEqual);
    case Order::kEqual:
      return narrow_by_sign(v, kEqual);
    case Order::kNotEqual:
      return narrow_by_sign(v, kNotEqual);
    case Order::kGreater:
      narrow_by_sign(v, kGreaterEqual);
      return narrow_by_sign(v, kNotEqual);
    case Order::kLessEqual:
      if (untouched) {
        narrow_by_sign(v, kGreaterEqual);
        narrow_by_sign(v, kNotEqual);
        other_lanes();
      } else {  // -v >= 0, and the sum of zeros is +0
        narrow_by_sign(subtract(constant<kZero>(), v), kGreaterEqual);
      }
  }
}
/// Compares two floats by the sign of their difference, so that no lane needs two tests.
template <Order kOrder>
sfpi_inline void narrow_by_floats(sfpu_t a, sfpu_t b) {
  if constexpr (kOrder == Order::kGreater || kOrder == Order::kLessEqual) {
    narrow_by_floats<kOrder == Order::kGreater ? Order::kLess : Order::kGreaterEqual>(b, a);
  } else {
    narrow_by_zero<kOrder>(subtract(a, b), false);
  }
}
/// Compares two integers whose difference fits into 32 bits.
template <Order kOrder>
sfpi_inline void narrow_by_integers(sfpu_t a, sfpu_t b) {
  if constexpr (kOrder == Order::kGreater || kOrder == Order::kLessEqual) {
    narrow_by_integers<kOrder == Order::kGreater ? Order::kLess : Order::kGreaterEqual>(b, a);
  } else if constexpr (kOrder == Order::kLess) {
    integer_subtract(a, b, kFlagsLess);
  } else if constexpr (kOrder == Order::kGreaterEqual) {
    integer_subtract(a, b, kFlagsNot);
  } else {
    narrow_by_zero<kOrder>(integer_subtract(a, b), false);
  }
}

template <Order kOrder>
struct FloatComparison : Condition {
  sfpu_t a, b;
  sfpi_inline FloatComparison(vFloat x, vFloat y) : a(x.get()), b(y.get()) {}
  sfpi_inline void narrow(bool) const { narrow_by_floats<kOrder>(a, b); }
  sfpi_inline auto inverse() const {
    return FloatComparison<opposite(kOrder)>(vFloat(a), vFloat(b));
  }
};

template <Order kOrder>
struct FloatScalarComparison : Condition {
  sfpu_t a;
  float b;
  sfpi_inline FloatScalarComparison(vFloat x, float y) : a(x.get()), b(y) {}
  sfpi_inline void narrow(bool untouched) const {
    const uint32_t bits = s2vFloat16::as_bits(b);
    if (__builtin_constant_p(bits) && bits << 1 == 0) {
      narrow_by_zero<kOrder>(a, untouched);
    } else if (kOrder == Order::kEqual || kOrder == Order::kNotEqual) {
      // Tests for the same bits: exact, infinity included.
      narrow_by_zero<kOrder>(integer_subtract(a, load_bits(bits)), false);
    } else if (kOrder == Order::kLess || kOrder == Order::kGreaterEqual) {
      narrow_by_zero<kOrder>(add(a, load_bits(bits ^ 0x80000000)), false);
    } else {
      narrow_by_floats<kOrder>(a, load_bits(bits));
    }
  }
  sfpi_inline auto inverse() const { return FloatScalarComparison<opposite(kOrder)>(vFloat(a), b); }
};

template <Order kOrder>
struct IntegerComparison : Condition {
  sfpu_t a, b;
  sfpi_inline IntegerComparison(sfpu_t x, sfpu_t y) : a(x), b(y) {}
  sfpi_inline void narrow(bool) const { narrow_by_integers<kOrder>(a, b); }
  sfpi_inline auto inverse() const { return IntegerComparison<opposite(kOrder)>(a, b); }
};

template <Order kOrder>
struct IntegerScalarComparison : Condition {
  sfpu_t a;
  int32_t b;
  sfpi_inline IntegerScalarComparison(sfpu_t x, int32_t y) : a(x), b(y) {}
  sfpi_inline void narrow(bool untouched) const {
    if (__builtin_constant_p(b) && b == 0 && kOrder != Order::kLessEqual) {
      narrow_by_zero<kOrder>(a, untouched);
    } else if (__builtin_constant_p(b) && fits_12(-b) && fits_12(-1 - b)) {
      // "Greater" is "at least one more", and "not at most" likewise.
      if (kOrder == Order::kLess) integer_add(a, -b, kFlagsLess);
      if (kOrder == Order::kGreaterEqual) integer_add(a, -b, kFlagsNot);
      if (kOrder == Order::kLessEqual) integer_add(a, -1 - b, kFlagsLess);
      if (kOrder == Order::kGreater) integer_add(a, -1 - b, kFlagsNot);
      if (kOrder == Order::kEqual) narrow_by_sign(integer_add(a, -b), kEqual);
      if (kOrder == Order::kNotEqual) narrow_by_sign(integer_add(a, -b), kNotEqual);
    } else {
      narrow_by_integers<kOrder>(a, load_bits(static_cast<uint32_t>(b)));
    }
  }
  sfpi_inline auto inverse() const { return IntegerScalarComparison<opposite(kOrder)>(a, b); }
};

template <typename A, typename B>
struct Or;

template <typename C>
inline constexpr bool needs_untouched = false;
template <typename A, typename B>
inline constexpr bool needs_untouched<Or<A, B>> = true;

template <typename C>
sfpi_inline void narrow_touched(const C& condition) {
  if constexpr (needs_untouched<C>) {
    narrow_by_sign(truth(condition), kNotEqual);
  } else {
    condition.narrow(false);
  }
}

template <typename A, typename B>
struct And : Condition {
  A a;
  B b;
  sfpi_inline And(const A& x, const B& y) : a(x), b(y) {}
  sfpi_inline void narrow(bool untouched) const {
    if constexpr (needs_untouched<B> && !needs_untouched<A>) {
      And<B, A>(b, a).narrow(untouched);
    } else {
      if (untouched) {
        a.narrow(true);
      } else {
        narrow_touched(a);
      }
      narrow_touched(b);
    }
  }
  sfpi_inline auto inverse() const {
    return Or<decltype(a.inverse()), decltype(b.inverse())>(a.inverse(), b.inverse());
  }
};

template <typename A, typename B>
struct Or : Condition {
  A a;
  B b;
  sfpi_inline Or(const A& x, const B& y) : a(x), b(y) {}
  sfpi_inline void narrow(bool) const {  // requires an untouched level
    inverse().narrow(true);
    other_lanes();
  }
  sfpi_inline auto inverse() const {
    return And<decltype(a.inverse()), decltype(b.inverse())>(a.inverse(), b.inverse());
  }
};
template <typename A, typename B>
requires(needs_untouched<A> ||
         needs_untouched<B>) inline constexpr bool needs_untouched<And<A, B>> =
    false;  // narrow() ensures it

/// True where a bit pattern is not zero, or where it is.
template <Sign kSign>
struct PatternTest : Condition {
  sfpu_t a;
  sfpi_inline PatternTest(sfpu_t x) : a(x) {}
  sfpi_inline void narrow(bool) const { narrow_by_sign(a, kSign); }
  sfpi_inline auto inverse() const {
    return PatternTest < kSign == kNotEqual ? kEqual : kNotEqual > (a);
  }
};

template <typename T>
sfpi_inline auto as_condition(const T& value) {
  if constexpr (IsCondition<T>) {
    return value;
  } else {
    return PatternTest<kNotEqual>(value.get());
  }
}

template <typename T>
concept Testable = IsCondition<T> || std::is_same_v<T, vBool>;

}  // namespace impl_

/// A condition of any kind, as a vector of 0 and 1.
class vBool : public vVal {
 public:
  template <impl_::IsCondition C>
  sfpi_inline vBool(const C& condition) : vVal(impl_::truth(condition)) {}
  sfpi_inline vBool(vInt value) : vVal(value.get()) {}
  sfpi_inline operator vInt() const { return get(); }
};
using __vCond = vBool;

template <impl_::Testable A, impl_::Testable B>
sfpi_inline auto operator&&(const A& a, const B& b) {
  const auto x = impl_::as_condition(a);
  const auto y = impl_::as_condition(b);
  return impl_::And<std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>>(x, y);
}
template <impl_::Testable A, impl_::Testable B>
sfpi_inline auto operator||(const A& a, const B& b) {
  const auto x = impl_::as_condition(a);
  const auto y = impl_::as_condition(b);
  return impl_::Or<std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>>(x, y);
}
template <impl_::Testable A>
sfpi_inline auto operator!(const A& a) {
  return impl_::as_condition(a).inverse();
}

#define TVP_SFPI_COMPARISON(op, order, mirrored)                                                  \
  sfpi_inline auto operator op(vFloat a, vFloat b) {                                              \
    return impl_::FloatComparison<impl_::Order::order>(a, b);                                     \
  }                                                                                               \
  sfpi_inline auto operator op(vFloat a, float b) {                                               \
    return impl_::FloatScalarComparison<impl_::Order::order>(a, b);                               \
  }                                                                                               \
  sfpi_inline auto operator op(float a, vFloat b) {                                               \
    return impl_::FloatScalarComparison<impl_::Order::mirrored>(b, a);                            \
  }                                                                                               \
  sfpi_inline auto operator op(vFloat a, s2vFloat16 b) {                                          \
    return impl_::FloatComparison<impl_::Order::order>(a, vFloat(b));                             \
  }                                                                                               \
  template <impl_::IntegerVector A, impl_::IntegerVector B>                                       \
  sfpi_inline auto operator op(A a, B b) {                                                        \
    return impl_::IntegerComparison<impl_::Order::order>(a.get(), b.get());                       \
  }                                                                                               \
  template <impl_::IntegerVector A, Integral B>                                                   \
  sfpi_inline auto operator op(A a, B b) {                                                        \
    return impl_::IntegerScalarComparison<impl_::Order::order>(a.get(), static_cast<int32_t>(b)); \
  }                                                                                               \
  template <Integral A, impl_::IntegerVector B>                                                   \
  sfpi_inline auto operator op(A a, B b) {                                                        \
    return impl_::IntegerScalarComparison<impl_::Order::mirrored>(b.get(),                        \
                                                                  static_cast<int32_t>(a));       \
  }
TVP_SFPI_COMPARISON(<, kLess, kGreater)
TVP_SFPI_COMPARISON(>=, kGreaterEqual, kLessEqual)
TVP_SFPI_COMPARISON(==, kEqual, kEqual)
TVP_SFPI_COMPARISON(!=, kNotEqual, kNotEqual)
TVP_SFPI_COMPARISON(>, kGreater, kLess)
TVP_SFPI_COMPARISON(<=, kLessEqual, kGreaterEqual)
#undef TVP_SFPI_COMPARISON

namespace impl_ {

/// The levels of the flag stack that v_if or v_block pushes. Its end pops them.
class Lanes {
 public:
  sfpi_inline Lanes() = default;
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  sfpi_inline ~Lanes() {
    for (unsigned i = 0; i < levels_; ++i) pop_lanes();
  }
  sfpi_inline void open() {
    push_lanes();
    ++levels_;
    untouched_ = true;
  }
  template <typename T>
  sfpi_inline void narrow(const T& value) {
    const auto condition = as_condition(value);
    if (untouched_) {
      condition.narrow(true);
    } else {
      narrow_touched(condition);
    }
    untouched_ = false;
  }
  sfpi_inline void others() { other_lanes(); }

 private:
  unsigned levels_ = 0;
  bool untouched_ = false;
};

}  // namespace impl_
}  // namespace sfpi

#define v_if(condition)           \
  {                               \
    sfpi::impl_::Lanes tvp_lanes; \
    tvp_lanes.open();             \
    tvp_lanes.narrow(condition);  \
    {
#define v_elseif(condition)    \
  }                            \
  tvp_lanes.others();          \
  tvp_lanes.open();            \
  tvp_lanes.narrow(condition); \
  {
#define v_else        \
  }                   \
  tvp_lanes.others(); \
  {
#define v_endif \
  }             \
  }
#define v_block                   \
  {                               \
    sfpi::impl_::Lanes tvp_lanes; \
    tvp_lanes.open();
#define v_and(condition) tvp_lanes.narrow(condition)
#define v_endblock }
