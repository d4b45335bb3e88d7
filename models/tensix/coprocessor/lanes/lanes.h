#pragma once

#include <cstdint>
#include <cstring>

namespace tvp::tensix::coprocessor {

// Functions with vector parameters or results are always inlined into a function for machines that
// have them. So no calling convention matters, although the compiler warns of its changes.
#define TVP_INLINE [[gnu::always_inline]] inline

/// Builds a function also for machines with AVX2 and with AVX-512; calls select the right one. Such
/// a function must not raise faults and must be noexcept: GCC assumes that a call of it never
/// throws, and omits its callers from the exception tables. Clang wants the attribute at the first
/// declaration.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TVP_ALSO_WIDE [[gnu::target_clones("arch=x86-64-v4", "avx2", "default")]]
#else
#define TVP_ALSO_WIDE
#endif

/// Vectors of 32-bit lanes, of as many lanes of 16 and of 8 bits, of 16-bit words, and of bytes.
template <unsigned kBytes>
struct Vectors;
#define TVP_VECTORS(bytes)                                                    \
  template <>                                                                 \
  struct Vectors<bytes> {                                                     \
    typedef std::int32_t I32 __attribute__((vector_size(bytes)));             \
    typedef std::uint32_t U32 __attribute__((vector_size(bytes)));            \
    typedef float F32 __attribute__((vector_size(bytes)));                    \
    typedef std::int16_t I16 __attribute__((vector_size(bytes)));             \
    typedef std::uint16_t U16 __attribute__((vector_size(bytes)));            \
    typedef std::uint8_t U8 __attribute__((vector_size(bytes)));              \
    typedef std::uint16_t HalfU16 __attribute__((vector_size((bytes) / 2)));  \
    typedef std::uint8_t QuarterU8 __attribute__((vector_size((bytes) / 4))); \
  }
TVP_VECTORS(16);
TVP_VECTORS(32);
TVP_VECTORS(64);
#undef TVP_VECTORS

/// Vectors of the host, `kBytes` wide, and moves between them and rows of columns.
template <unsigned kBytes>
struct LaneMoves : Vectors<kBytes> {
  static constexpr unsigned kCount = kBytes / 4;
  static constexpr bool kHasWords = false;  ///< true if Bf16Rows can use lanes of 16 bits
  using typename Vectors<kBytes>::I32;
  using typename Vectors<kBytes>::U32;
  using typename Vectors<kBytes>::F32;
  using typename Vectors<kBytes>::I16;
  using typename Vectors<kBytes>::U16;
  using typename Vectors<kBytes>::HalfU16;
  using typename Vectors<kBytes>::QuarterU8;

  template <typename Vector, typename Element>
  TVP_INLINE static Vector load(const Element* from) {
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  template <typename Vector, typename Element>
  TVP_INLINE static void store(Element* to, Vector v) {
    std::memcpy(to, &v, sizeof v);
  }
  TVP_INLINE static U32 load16(const std::uint16_t* from) {
    return __builtin_convertvector(load<HalfU16>(from), U32);
  }
  TVP_INLINE static void store16(std::uint16_t* to, U32 v) {
    store(to, __builtin_convertvector(v, HalfU16));
  }
  // With eight lanes the compiler would convert them one after the other.
  TVP_INLINE static I32 load8(const std::uint8_t* from) {
    if constexpr (kBytes == 32) {
      const auto low = load<std::uint32_t>(from);
      const auto high = load<std::uint32_t>(from + 4);
      const U32 words = {low, low, low, low, high, high, high, high};
      return (I32)(words >> U32{0, 8, 16, 24, 0, 8, 16, 24} & 0xFF);
    } else {
      return __builtin_convertvector(load<QuarterU8>(from), I32);
    }
  }
  /// Lowest bytes of four vectors, one after the other.
  TVP_INLINE static typename Vectors<kBytes>::U8 lowest_bytes(const I32 (&v)[4]) {
    const QuarterU8 bytes[] = {
        __builtin_convertvector(v[0], QuarterU8), __builtin_convertvector(v[1], QuarterU8),
        __builtin_convertvector(v[2], QuarterU8), __builtin_convertvector(v[3], QuarterU8)};
    typename Vectors<kBytes>::U8 all;
    std::memcpy(&all, bytes, sizeof all);
    return all;
  }

  TVP_INLINE static U16 all_words(int value) { return U16{} + static_cast<std::uint16_t>(value); }
  TVP_INLINE static I32 all(std::int32_t value) { return I32{} + value; }
  TVP_INLINE static U32 bits(I32 v) { return (U32)v; }
  TVP_INLINE static U32 bits(F32 v) { return (U32)v; }
  TVP_INLINE static I32 integers(U32 v) { return (I32)v; }
  TVP_INLINE static F32 floats(U32 v) { return (F32)v; }
  TVP_INLINE static F32 to_float(I32 v) { return __builtin_convertvector(v, F32); }
};

/// Adds operations that depend on the host's comparison. A Mask marks the lanes in which a
/// condition holds.
template <unsigned kBytes>
struct Lanes : LaneMoves<kBytes> {
  using typename LaneMoves<kBytes>::I32;
  using typename LaneMoves<kBytes>::U32;
  using typename LaneMoves<kBytes>::U8;
  using typename LaneMoves<kBytes>::F32;
  using Mask = I32;  ///< -1 if the condition holds, otherwise 0

  TVP_INLINE static I32 larger(I32 a, I32 b) { return a > b ? a : b; }
  TVP_INLINE static I32 smaller(I32 a, I32 b) { return a < b ? a : b; }
  TVP_INLINE static U8 smaller(U8 a, U8 b) { return a < b ? a : b; }
  TVP_INLINE static std::int32_t largest(I32 v) {
    std::int32_t most = v[0];
    for (unsigned lane = 1; lane < LaneMoves<kBytes>::kCount; ++lane)
      most = v[lane] > most ? v[lane] : most;
    return most;
  }
  TVP_INLINE static Mask greater(I32 a, I32 b) { return a > b; }
  TVP_INLINE static Mask equal(I32 a, I32 b) { return a == b; }
  TVP_INLINE static Mask not_zero(I32 v) { return v != 0; }
  /// Mask of the lanes with bit 31.
  TVP_INLINE static Mask is_negative(U32 v) { return (I32)v >> 31; }
  TVP_INLINE static Mask both(Mask a, Mask b) { return a & b; }
  TVP_INLINE static Mask either(Mask a, Mask b) { return a | b; }
  TVP_INLINE static bool any(Mask mask) { return any_bit(mask); }
  /// `value` for each byte of `v` that is zero, else 0.
  TVP_INLINE static U8 where_zero(U8 v, U8 value) { return (U8)(v == 0) & value; }
  TVP_INLINE static bool any_below(U8 v, std::uint8_t limit) { return any_bit((U8)(v < limit)); }
  template <typename Vector>
  TVP_INLINE static Vector select(Mask condition, Vector a, Vector b) {
    return condition ? a : b;
  }
  /// The value in lanes that satisfy the condition, 0 elsewhere; and the opposite.
  template <typename Vector>
  TVP_INLINE static Vector where(Mask condition, Vector v) {
    return (Vector)((I32)v & condition);
  }
  template <typename Vector>
  TVP_INLINE static Vector except(Mask condition, Vector v) {
    return (Vector)((I32)v & ~condition);
  }
  TVP_INLINE static I32 magnitude(I32 v) {
    const I32 mask = v >> 31;
    return (v ^ mask) - mask;
  }
  /// `sign` is in bit 31 of each lane.
  TVP_INLINE static I32 with_sign(U32 magnitude, U32 sign) {
    const Mask mask = is_negative(sign);
    return ((I32)magnitude ^ mask) - mask;
  }
  /// Shifts by any number of places from 0 on. Unsigned values have less than 32 bits.
  TVP_INLINE static I32 shifted_right(I32 v, I32 places) {
    return v >> smaller(places, LaneMoves<kBytes>::all(31));
  }
  TVP_INLINE static U32 shifted_right(U32 v, I32 places) {
    return v >> (U32)smaller(places, LaneMoves<kBytes>::all(31));
  }
  /// The same to the left; for 32 places and more the result is undefined.
  TVP_INLINE static U32 shifted_left(U32 v, I32 places) {
    return v << (U32)smaller(places, LaneMoves<kBytes>::all(31));
  }
  /// The place of the leading one of a value below 2^31; below 0 for the value 0. The bit below the
  /// leading one is cleared, so that the conversion does not round up.
  TVP_INLINE static I32 leading_one(U32 v) {
    const auto number = (U32) __builtin_convertvector((I32)(v & ~(v >> 1)), F32);
    return (I32)(number >> 23) - 127;
  }
  /// Sixteen bytes, repeated.
  TVP_INLINE static U8 repeated(const std::uint8_t* sixteen) {
    using Sixteen = typename Vectors<16>::U8;
    Sixteen v;
    std::memcpy(&v, sixteen, sizeof v);
    if constexpr (kBytes == 16) {
      return v;
    } else {
      static_assert(kBytes == 32);
      return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0,
                                     1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
  }
  /// Selects, from every sixteen bytes, those with the given sixteen indices.
  TVP_INLINE static U8 picked(U8 v, U8 places) {
    U8 made{};
    for (unsigned i = 0; i < kBytes; ++i) made[i] = v[i / 16 * 16 + places[i]];
    return made;
  }

 private:
  template <typename Vector>
  TVP_INLINE static bool any_bit(Vector v) {
    std::uint64_t parts[kBytes / sizeof(std::uint64_t)];
    std::memcpy(parts, &v, sizeof parts);
    std::uint64_t all_bits = 0;
    for (const std::uint64_t part : parts) all_bits |= part;
    return all_bits != 0;
  }
};

}  // namespace tvp::tensix::coprocessor
