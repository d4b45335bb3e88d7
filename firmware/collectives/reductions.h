#pragma once
// Reductions of two vectors. Integers wrap modulo 2^32 and 2^64, as hardware adders and multipliers
// do. Floats round to nearest even after each operation, in the order of the algorithm.

#include <cstdint>
#include <type_traits>

namespace tvp::firmware::collectives {

enum class Op : std::uint32_t { kSum, kMax, kMin, kProd, kBand, kBor, kBxor };

/// Half of an fp32, rounded to nearest even after each operation in fp32. A quotient or sum of two
/// is rounded twice, which for 24 and 8 bits is the same as once.
class BFloat16 {
 public:
  BFloat16() = default;
  explicit BFloat16(float value) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, 4);
    const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    bits_ = static_cast<std::uint16_t>(
        (is_nan ? bits | 0x400000u : bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
  }
  explicit BFloat16(int value) : BFloat16(static_cast<float>(value)) {}
  operator float() const {
    const std::uint32_t bits = std::uint32_t{bits_} << 16;
    float value = 0;
    __builtin_memcpy(&value, &bits, 4);
    return value;
  }

 private:
  std::uint16_t bits_ = 0;
};

template <Op op, typename T>
inline constexpr bool kHasOp = std::is_integral_v<T> ||
                               (op != Op::kBand && op != Op::kBor && op != Op::kBxor);

template <Op op, typename T>
inline T apply(T a, T b) {
  static_assert(kHasOp<op, T>, "bitwise operations need an integer type");
  if constexpr (op == Op::kMax) {
    return b > a ? b : a;
  } else if constexpr (op == Op::kMin) {
    return b < a ? b : a;
  } else if constexpr (std::is_integral_v<T>) {
    using Wrapping = std::make_unsigned_t<T>;
    const auto x = static_cast<Wrapping>(a);
    const auto y = static_cast<Wrapping>(b);
    if constexpr (op == Op::kSum) return static_cast<T>(x + y);
    if constexpr (op == Op::kProd) return static_cast<T>(x * y);
    if constexpr (op == Op::kBand) return static_cast<T>(x & y);
    if constexpr (op == Op::kBor) return static_cast<T>(x | y);
    if constexpr (op == Op::kBxor) return static_cast<T>(x ^ y);
  } else {
    if constexpr (op == Op::kSum) return static_cast<T>(a + b);
    if constexpr (op == Op::kProd) return static_cast<T>(a * b);
  }
}

/// True if a switch between chips has the operation; numbers as in foundation/regs/pim.h.
template <Op op>
inline constexpr bool kSwitchHasOp =
    op == Op::kSum || op == Op::kMax || op == Op::kMin || op == Op::kProd;
template <typename T>
inline constexpr std::uint32_t kSwitchType = std::is_integral_v<T> ? (sizeof(T) == 8 ? 1U : 0U)
                                                                   : (sizeof(T) == 2 ? 3U : 2U);

/// mine[i] = received[i] op mine[i], so that a sum runs in the order of the ring.
template <Op operation, typename T>
struct Reduction {
  using Element = T;
  static constexpr Op op = operation;

  static void reduce(void* mine, const void* received, std::uint32_t bytes) {
    T* a = static_cast<T*>(mine);
    const T* b = static_cast<const T*>(received);
    for (const T* end = b + bytes / sizeof(T); b != end; ++a, ++b) *a = apply<op, T>(*b, *a);
  }
};

}  // namespace tvp::firmware::collectives
