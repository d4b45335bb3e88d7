#pragma once

#include <cstdint>
#include <cstring>

namespace tvp::tensix::coprocessor {

// Functions that take or return vectors are always inlined into one that is built for a machine
// that has them: no calling convention is involved, though the compiler warns of its changes.
#define TVP_INLINE [[gnu::always_inline]] inline

/// Vectors of 32-bit lanes, and of 16-bit ones in half the space.
template <unsigned kBytes>
struct Vectors;
#define TVP_VECTORS(bytes)                                                   \
  template <>                                                                \
  struct Vectors<bytes> {                                                    \
    typedef std::int32_t I32 __attribute__((vector_size(bytes)));            \
    typedef std::uint32_t U32 __attribute__((vector_size(bytes)));           \
    typedef float F32 __attribute__((vector_size(bytes)));                   \
    typedef std::int16_t I16 __attribute__((vector_size(bytes)));            \
    typedef std::int16_t HalfI16 __attribute__((vector_size((bytes) / 2)));  \
    typedef std::uint16_t HalfU16 __attribute__((vector_size((bytes) / 2))); \
  }
TVP_VECTORS(16);
TVP_VECTORS(32);
TVP_VECTORS(64);
#undef TVP_VECTORS

/// Vectors of the host, `kBytes` wide, and moves between them and rows of columns.
template <unsigned kBytes>
struct LaneMoves : Vectors<kBytes> {
  static constexpr unsigned kCount = kBytes / 4;
  using typename Vectors<kBytes>::I32;
  using typename Vectors<kBytes>::U32;
  using typename Vectors<kBytes>::F32;
  using typename Vectors<kBytes>::HalfI16;
  using typename Vectors<kBytes>::HalfU16;

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
  TVP_INLINE static I32 load16(const std::int16_t* from) {
    return __builtin_convertvector(load<HalfI16>(from), I32);
  }
  TVP_INLINE static void store16(std::int16_t* to, I32 v) {
    store(to, __builtin_convertvector(v, HalfI16));
  }

  TVP_INLINE static I32 all(std::int32_t value) { return I32{} + value; }
  TVP_INLINE static U32 bits(I32 v) { return (U32)v; }
  TVP_INLINE static U32 bits(F32 v) { return (U32)v; }
  TVP_INLINE static I32 integers(U32 v) { return (I32)v; }
  TVP_INLINE static F32 floats(U32 v) { return (F32)v; }
  TVP_INLINE static F32 to_float(I32 v) { return __builtin_convertvector(v, F32); }
  TVP_INLINE static I32 magnitude(I32 v) {
    const I32 mask = v >> 31;
    return (v ^ mask) - mask;
  }
  /// `sign` is in bit 31 of each lane.
  TVP_INLINE static I32 with_sign(U32 magnitude, U32 sign) {
    const I32 mask = integers(sign) >> 31;
    return (integers(magnitude) ^ mask) - mask;
  }
};

/// Adds comparisons; a lane of their results is -1 where they hold, otherwise 0.
template <unsigned kBytes>
struct Lanes : LaneMoves<kBytes> {
  using typename LaneMoves<kBytes>::I32;

  template <typename Vector>
  TVP_INLINE static Vector larger(Vector a, Vector b) {
    return a > b ? a : b;
  }
  template <typename Vector>
  TVP_INLINE static Vector smaller(Vector a, Vector b) {
    return a < b ? a : b;
  }
  TVP_INLINE static I32 greater(I32 a, I32 b) { return a > b; }
  TVP_INLINE static I32 equal(I32 a, I32 b) { return a == b; }
  template <typename Vector>
  TVP_INLINE static Vector select(I32 condition, Vector a, Vector b) {
    return condition ? a : b;
  }
};

}  // namespace tvp::tensix::coprocessor
