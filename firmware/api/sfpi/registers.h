#pragma once

// Names for other vectors than local ones: rows of Dst, the eight registers, constants.

#include "api/sfpi/conditions.h"
#include "firmware/llk/sfpu/sfpu.h"

namespace sfpi {

inline constexpr unsigned SFP_DESTREG_COUNT = 512;
inline constexpr unsigned SFP_LREG_COUNT = 8;
inline constexpr unsigned SFP_DESTREG_STRIDE = 2;

/// Format in which a load or store reads the datums of Dst (ISA SFPLOAD.md). In ckernel the same
/// name is the layout of a tile's rows (compute/sfpu/columns.h).
enum class DataLayout {
  Default,
  FSrcB,
  F32,
  F16a,
  F16b,
  I32,
  U32,
  U16,
  SM32,
  SM16,
  M32,
  LO16,
  HI16,
  TILE,
  ROW_MAJOR
};

namespace impl_ {

/// Mod0 of SFPLOAD and SFPSTORE.
enum MemoryMode : Word {
  kModeSrcB = 0,
  kModeFp16 = 1,
  kModeBf16 = 2,
  kModeFp32 = 3,
  kModeInt32 = 4,
  kModeUInt16 = 6,
  kModeHi16 = 7,
  kModeInt16 = 8,
  kModeLo16 = 9,
  kModeSignMagnitude = 12,  ///< two's complement here, sign and magnitude in Dst
};
/// The address modifier that moves no counter: section 3 of the vector unit's.
inline constexpr Word kStay = tvp::llk::kFirstVectorMod + 3;

constexpr MemoryMode mode_of(DataLayout layout, DataLayout usual) {
  switch (layout == DataLayout::Default ? usual : layout) {
    case DataLayout::F32:
      return kModeFp32;
    case DataLayout::F16a:
      return kModeFp16;
    case DataLayout::F16b:
      return kModeBf16;
    case DataLayout::I32:
    case DataLayout::U32:
    case DataLayout::M32:
      return kModeInt32;
    case DataLayout::SM32:
      return kModeSignMagnitude;
    case DataLayout::U16:
      return kModeUInt16;
    case DataLayout::SM16:
      return kModeInt16;
    case DataLayout::LO16:
      return kModeLo16;
    case DataLayout::HI16:
      return kModeHi16;
    default:
      return kModeSrcB;
  }
}
/// Format of each vector type in Dst.
template <typename T>
inline constexpr DataLayout kLayoutOf = std::is_base_of_v<vFloat, T>    ? DataLayout::FSrcB
                                        : std::is_base_of_v<vInt, T>    ? DataLayout::SM32
                                        : std::is_base_of_v<vUInt16, T> ? DataLayout::U16
                                        : std::is_base_of_v<vUInt, T>   ? DataLayout::U32
                                        : std::is_base_of_v<vSMag16, T> ? DataLayout::SM16
                                                                        : DataLayout::I32;
template <>
inline constexpr DataLayout kLayoutOf<vFloat16a> = DataLayout::F16a;
template <>
inline constexpr DataLayout kLayoutOf<vFloat16b> = DataLayout::F16b;

sfpi_inline sfpu_t load_dst(uint32_t address, Word mode, Word modifier) {
  return define<t::Opcode::kSfpload, 20>(t::encode_sfpload(0, mode, modifier, address));
}
sfpi_inline void store_dst(sfpu_t value, uint32_t address, Word mode, Word modifier) {
  use<t::Opcode::kSfpstore, 20>(t::encode_sfpstore(0, mode, modifier, address), value);
}

template <typename T, int kNumber>
class vConst;

/// A vector of Dst: every second datum of four rows.
template <DataLayout kLayout = DataLayout::Default>
class vDReg {
 public:
  constexpr explicit vDReg(uint32_t address, Word modifier = kStay)
      : address_(address), modifier_(modifier) {}
  vDReg(const vDReg&) = default;

  /// Selects another layout, or an address modifier of the kernel.
  template <DataLayout kNew = DataLayout::Default>
  constexpr auto mode(int modifier = -1) const {
    constexpr DataLayout layout = kNew == DataLayout::Default ? kLayout : kNew;
    return vDReg<layout>(address_, modifier < 0 ? modifier_ : static_cast<Word>(modifier));
  }
  constexpr uint32_t get() const { return address_; }

  template <impl_::Vector T>
  sfpi_inline operator T() const {
    return T(load_dst(address_, mode_of(kLayout, kLayoutOf<T>), modifier_));
  }
  template <impl_::Vector T>
  sfpi_inline T operator=(T value) const {
    store_dst(value.get(), address_, mode_of(kLayout, kLayoutOf<T>), modifier_);
    return value;
  }
  sfpi_inline void operator=(const vDReg& other) const { *this = vFloat(other); }
  template <DataLayout kOther>
  sfpi_inline void operator=(const vDReg<kOther>& other) const {
    *this = vFloat(other);
  }
  template <typename T, int kNumber>
  sfpi_inline void operator=(const vConst<T, kNumber>& constant) const {
    *this = T(constant);
  }
  sfpi_inline vFloat operator=(float value) const { return *this = vFloat(value); }
  sfpi_inline vFloat operator=(double value) const { return *this = static_cast<float>(value); }
  sfpi_inline vFloat operator=(s2vFloat16 value) const { return *this = vFloat(value); }
  template <Integral T>
  sfpi_inline void operator=(T value) const {
    if constexpr (std::is_signed_v<T>) {
      *this = vInt(value);
    } else {
      *this = vUInt(value);
    }
  }

 private:
  uint32_t address_;
  Word modifier_;
};

class DstRegFile {
 public:
  sfpi_inline constexpr vDReg<> operator[](int index) const {
    return vDReg<>(static_cast<uint32_t>(index) * SFP_DESTREG_STRIDE);
  }
  // These move the thread's counter of Dst, so that index 0 is another vector.
  sfpi_inline void operator++() const { *this += 1; }
  sfpi_inline void operator++(int) const { *this += 1; }
  sfpi_inline void operator+=(int vectors) const {
    constexpr int kMost = 6;  // the field has four bits
    for (; vectors > kMost; vectors -= kMost) advance(kMost);
    advance(vectors);
  }

 private:
  static sfpi_inline void advance(int vectors) {
    issue<t::Opcode::kIncrwc>(
        t::encode_incrwc(0, 0, 0, static_cast<Word>(vectors) * SFP_DESTREG_STRIDE, 0, 0));
  }
};

class LReg {
 public:
  constexpr explicit LReg(int number) : number_(number) {}
  template <impl_::Vector T>
  sfpi_inline operator T() const {
    return T(get_register(number_));
  }
  sfpi_inline operator sfpu_t() const { return get_register(number_); }
  sfpi_inline sfpu_t operator=(vVal value) const {
    set_register(number_, value.get());
    return value.get();
  }
  sfpi_inline void in_use() const { set_register(number_, get_register(number_)); }

 private:
  int number_;
};

/// A constant of all lanes. Constants from 11 on can be set, which uses LReg 0 (ISA SFPCONFIG.md).
template <typename T, int kNumber>
class vConst {
 public:
  constexpr vConst() = default;
  constexpr vConst(const vConst&) = default;
  sfpi_inline operator T() const { return T(constant<kNumber>()); }
  sfpi_inline void operator=(T value) const {
    static_assert(kNumber > kMinusOne && kNumber < kTileId, "this constant cannot be set");
    asm volatile inline("sfpi.issue %0,S0=%1"
                        :
                        : "i"(t::encode_sfpconfig(0, kNumber, 0)), "r"(value.get().token));
    tvp::llk::sfpu::constants_owner = tvp::llk::sfpu::ConstantsOwner::kKernel;
  }
  template <typename S>
  requires(std::is_arithmetic_v<S> || std::is_base_of_v<s2vFloat16, S>) sfpi_inline void operator=(
      S value) const {
    if constexpr (std::is_floating_point_v<S> || std::is_integral_v<S>) {
      using Plain = std::conditional_t<std::is_same_v<T, vFloat>, float, S>;
      *this = T(static_cast<Plain>(value));
    } else {
      *this = T(value);
    }
  }
};

/// A type that converts to a vector in an operation.
template <typename T>
struct ReadsAs {
  static constexpr bool kHas = false;
};
template <DataLayout kLayout>
struct ReadsAs<vDReg<kLayout>> {
  static constexpr bool kHas = true;
  using Type = vFloat;
};
template <typename T, int kNumber>
struct ReadsAs<vConst<T, kNumber>> {
  static constexpr bool kHas = true;
  using Type = T;
};
template <typename T>
concept Readable = ReadsAs<T>::kHas;
template <typename T>
sfpi_inline auto read(const T& value) {
  return static_cast<typename ReadsAs<T>::Type>(value);
}
template <typename T>
sfpi_inline const T& operand(const T& value) {
  return value;
}
template <Readable T>
sfpi_inline auto operand(const T& value) {
  return read(value);
}

// Operators of rows of Dst and of constants: those of the vectors that they are read as.
#define TVP_SFPI_READABLE(op)                                                   \
  template <Readable A, typename B>                                             \
  sfpi_inline auto operator op(const A& a, const B& b) {                        \
    return read(a) op operand(b);                                               \
  }                                                                             \
  template <typename A, Readable B>                                             \
  requires(!Readable<A>) sfpi_inline auto operator op(const A& a, const B& b) { \
    return a op read(b);                                                        \
  }
TVP_SFPI_READABLE(+)
TVP_SFPI_READABLE(-)
TVP_SFPI_READABLE(*)
TVP_SFPI_READABLE(&)
TVP_SFPI_READABLE(|)
TVP_SFPI_READABLE(^)
TVP_SFPI_READABLE(<<)
TVP_SFPI_READABLE(>>)
TVP_SFPI_READABLE(<)
TVP_SFPI_READABLE(>=)
TVP_SFPI_READABLE(==)
TVP_SFPI_READABLE(!=)
TVP_SFPI_READABLE(>)
TVP_SFPI_READABLE(<=)
#undef TVP_SFPI_READABLE
template <Readable A>
sfpi_inline auto operator-(const A& a) {
  return -read(a);
}

// The float constant zero needs no subtraction.
#define TVP_SFPI_ZERO(op) \
  sfpi_inline auto operator op(vFloat a, const vConst<vFloat, kZero>&) { return a op 0.0f; }
TVP_SFPI_ZERO(<)
TVP_SFPI_ZERO(>=)
TVP_SFPI_ZERO(==)
TVP_SFPI_ZERO(!=)
TVP_SFPI_ZERO(>)
TVP_SFPI_ZERO(<=)
#undef TVP_SFPI_ZERO

}  // namespace impl_

enum class LRegs : uint8_t { LReg0, LReg1, LReg2, LReg3, LReg4, LReg5, LReg6, LReg7, LRegCount };

namespace impl_ {
class LRegFile {
 public:
  sfpi_inline constexpr LReg operator[](LRegs number) const {
    return LReg(static_cast<int>(number));
  }
};
}  // namespace impl_

inline constexpr impl_::DstRegFile dst_reg{};
inline constexpr impl_::LRegFile l_reg{};

inline constexpr impl_::vConst<vFloat, impl_::kZero> vConst0{};
inline constexpr impl_::vConst<vFloat, impl_::kOne> vConst1{};
inline constexpr impl_::vConst<vFloat, impl_::kMinusOne> vConstNeg1{};
inline constexpr impl_::vConst<vFloat, impl_::k0p8373> vConst0p8373{};
inline constexpr impl_::vConst<vFloat, 12> vConstFloatPrgm0{};
inline constexpr impl_::vConst<vFloat, 13> vConstFloatPrgm1{};
inline constexpr impl_::vConst<vFloat, 14> vConstFloatPrgm2{};
inline constexpr impl_::vConst<vInt, 12> vConstIntPrgm0{};
inline constexpr impl_::vConst<vInt, 13> vConstIntPrgm1{};
inline constexpr impl_::vConst<vInt, 14> vConstIntPrgm2{};
inline constexpr impl_::vConst<vInt, impl_::kTileId> vConstTileId{};

}  // namespace sfpi
