#include "models/tensix/coprocessor/pack/pack_conversion.h"

#include <algorithm>

namespace tvp::tensix::coprocessor {

namespace {

// ---- Early conversion ---------------------------------------------------------------------------

/// Rounds FP32 bits to nearest, ties away from zero, and drops kDrop mantissa bits. Denormals and
/// zeros become +0, NaN becomes infinity.
template <unsigned kDrop>
std::uint32_t round_e8(std::uint32_t x) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  const std::uint32_t sign = x & 0x80000000;
  std::uint32_t magnitude = x & 0x7FFFFFFF;
  const bool denormal = magnitude < 0x00800000;
  magnitude += 1U << (kDrop - 1);
  magnitude &= ~((1U << kDrop) - 1);
  return denormal ? 0 : sign | std::min(magnitude, kInfinity);
}

/// The same for FP16 bits, where exponent 31 is an ordinary one. Overflow saturates (assumed).
template <unsigned kDrop>
std::uint32_t round_e5(std::uint32_t x) {
  const std::uint32_t sign = x & 0x8000;
  std::uint32_t magnitude = x & 0x7FFF;
  if (magnitude < 0x0400) return 0;
  if constexpr (kDrop != 0) {
    constexpr std::uint32_t kMask = (1U << kDrop) - 1;
    magnitude = std::min(magnitude + (1U << (kDrop - 1)), 0x7FFFU) & ~kMask;
  }
  return sign | magnitude;
}

using Raw = std::uint32_t;

/// Applies the conversion of a datum to one or several rows.
template <auto kConvert>
[[gnu::always_inline]] inline void convert_row(const std::uint32_t* __restrict raw, unsigned count,
                                               std::uint32_t* __restrict result, unsigned shift) {
  constexpr unsigned kRow = UnpackConversion::kMaxDatums;
  if (count % kRow == 0) {
    for (; count != 0; count -= kRow, raw += kRow, result += kRow) {
      const std::uint32_t* __restrict from = raw;
      std::uint32_t* __restrict to = result;
      for (unsigned i = 0; i < kRow; ++i) to[i] = kConvert(from[i], shift);
    }
  } else {
    for (unsigned i = 0; i < count; ++i) result[i] = kConvert(raw[i], shift);
  }
}
template <auto kConvert>
void row_portable(const std::uint32_t* raw, unsigned count, std::uint32_t* result, unsigned shift) {
  convert_row<kConvert>(raw, count, result, shift);
}
#ifdef __x86_64__
template <auto kConvert>
[[gnu::target("avx2")]] void row_avx2(const std::uint32_t* raw, unsigned count,
                                      std::uint32_t* result, unsigned shift) {
  convert_row<kConvert>(raw, count, result, shift);
}
#endif
/// The fastest build for this machine.
template <auto kConvert>
auto row() {
#ifdef __x86_64__
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return &row_avx2<kConvert>;
#endif
  return &row_portable<kConvert>;
}

std::uint32_t fp32(Raw raw, unsigned) { return layout::from_dst_fp32(raw); }
std::uint32_t fp32_to_tf32(Raw raw, unsigned) { return round_e8<13>(layout::from_dst_fp32(raw)); }
std::uint32_t fp32_to_bf16(Raw raw, unsigned) { return round_e8<16>(layout::from_dst_fp32(raw)); }
std::uint32_t fp32_to_e8m6(Raw raw, unsigned) { return round_e8<17>(layout::from_dst_fp32(raw)); }
std::uint32_t fp32_cut_to_bf16(Raw raw, unsigned) {
  return layout::from_dst_fp32(raw) & 0xFFFF0000;
}

std::uint32_t bf16(Raw raw, unsigned) { return std::uint32_t{layout::from_dst_bf16(raw)} << 16; }
std::uint32_t bf16_flushed(Raw raw, unsigned) { return round_e8<16>(bf16(raw, 0)); }
std::uint32_t bf16_to_e8m6(Raw raw, unsigned) { return round_e8<17>(bf16(raw, 0)); }

std::uint32_t fp16(Raw raw, unsigned) { return layout::from_dst_fp16(raw); }
std::uint32_t fp16_flushed(Raw raw, unsigned) { return round_e5<0>(layout::from_dst_fp16(raw)); }
std::uint32_t fp16_to_e5m6(Raw raw, unsigned) { return round_e5<4>(layout::from_dst_fp16(raw)); }
std::uint32_t fp16_cut_to_e5m7(Raw raw, unsigned) { return layout::from_dst_fp16(raw) & 0xFFF8; }
std::uint32_t fp16_cut_to_fp8(Raw raw, unsigned) { return layout::from_dst_fp16(raw) & 0xFF00; }

std::uint32_t int16(Raw raw, unsigned) { return raw & 0xFFFF; }
std::uint32_t sign_only(Raw raw, unsigned) { return (raw >> 8) & 0x80; }

std::uint32_t int8_raw(Raw raw, unsigned) {
  const std::uint32_t x = layout::from_dst_fp32(raw);
  return (x >> 24 & 0x80) | (x & 0x7F);
}
std::uint32_t uint8_raw(Raw raw, unsigned) { return layout::from_dst_fp32(raw) & 0xFF; }

/// Magnitude of a sign-magnitude INT32, shifted right; ties away from zero.
std::uint32_t shifted_magnitude(std::uint32_t x, unsigned shift) {
  const std::uint64_t magnitude = x & 0x7FFFFFFF;
  const std::uint64_t half = shift == 0 ? 0 : std::uint64_t{1} << (shift - 1);
  return static_cast<std::uint32_t>((magnitude + half) >> shift);
}
std::uint32_t int8_saturated(Raw raw, unsigned shift) {
  const std::uint32_t x = layout::from_dst_fp32(raw);
  return (x >> 24 & 0x80) | std::min(shifted_magnitude(x, shift), 127U);
}
std::uint32_t uint8_saturated(Raw raw, unsigned shift) {
  const std::uint32_t x = layout::from_dst_fp32(raw);
  return x >> 31 != 0 ? 0 : std::min(shifted_magnitude(x, shift), 255U);
}

// ---- Late conversion ----------------------------------------------------------------------------

/// LateFromFormat as a type. False for the block formats that are defined only as a result.
bool late_type(DataFormat format, PackType& type) {
  switch (format) {
    case DataFormat::kFp32:
      type = {PackContainer::kE8, 23};
      return true;
    case DataFormat::kTf32:
      type = {PackContainer::kE8, 10};
      return true;
    case DataFormat::kBf16:
    case DataFormat::kBfp8:
      type = {PackContainer::kE8, 7};
      return true;
    case DataFormat::kFp16:
      type = {PackContainer::kE5, 10};
      return true;
    case DataFormat::kBfp8a:
      type = {PackContainer::kE5, 7};
      return true;
    case DataFormat::kFp8:
      type = {PackContainer::kE5, 2};
      return true;
    case DataFormat::kInt32:
      type = {PackContainer::kInt32, 0};
      return true;
    case DataFormat::kInt16:
      type = {PackContainer::kInt16, 0};
      return true;
    case DataFormat::kInt8:
      type = {PackContainer::kInt8, 0};
      return true;
    default:
      return false;
  }
}

bool is_float(PackContainer c) { return c == PackContainer::kE8 || c == PackContainer::kE5; }

/// Values below 2^-126 (E8) or 2^-14 (E5) of either sign.
bool is_denormal_or_zero(std::uint32_t value, PackContainer c) {
  return exponent_of(value, c) == 0;
}

}  // namespace

EarlyConversion::EarlyConversion(const PackFormats& formats)
    : shift_amount_(formats.shift_amount & 31) {
  if (formats.read_32b) {
    select_32b(formats);
  } else {
    select_16b(formats);
  }
}

void EarlyConversion::select_32b(const PackFormats& f) {
  const bool to_tf32 = !f.read_raw && f.round_10b_mantissa;
  switch (f.intermediate) {
    case DataFormat::kInt32:
      use(row<fp32>(), PackContainer::kInt32);
      break;
    case DataFormat::kFp32:
      to_tf32 ? use(row<fp32_to_tf32>(), PackContainer::kE8, 10)
              : use(row<fp32>(), PackContainer::kE8, 23);
      break;
    case DataFormat::kTf32:
      f.read_raw ? use(row<fp32>(), PackContainer::kE8, 23)
                 : use(row<fp32_to_tf32>(), PackContainer::kE8, 10);
      break;
    case DataFormat::kBf16:
      if (f.read_raw) {
        use(row<fp32_cut_to_bf16>(), PackContainer::kE8, 7);
      } else if (to_tf32 && f.late_to == DataFormat::kFp16) {
        use(row<fp32_to_tf32>(), PackContainer::kE8, 10);
      } else {
        use(row<fp32_to_bf16>(), PackContainer::kE8, 7);
      }
      break;
    case DataFormat::kBfp8:
      f.read_raw ? use(row<fp32_cut_to_bf16>(), PackContainer::kE8, 7)
                 : use(row<fp32_to_e8m6>(), PackContainer::kE8, 6);
      break;
    case DataFormat::kInt8:
      if (f.read_unsigned) {
        use(f.read_raw ? row<uint8_raw>() : row<uint8_saturated>(), PackContainer::kInt8);
        type_.is_signed = false;
      } else {
        use(f.read_raw ? row<int8_raw>() : row<int8_saturated>(), PackContainer::kInt8);
      }
      break;
    default:
      break;
  }
}

void EarlyConversion::select_16b(const PackFormats& f) {
  const bool to_tf32 = !f.read_raw && f.round_10b_mantissa;
  switch (f.intermediate) {
    case DataFormat::kFp32:
      if (to_tf32) use(row<bf16_flushed>(), PackContainer::kE8, 7);
      break;
    case DataFormat::kTf32:
      if (!f.read_raw) use(row<bf16_flushed>(), PackContainer::kE8, 7);
      break;
    case DataFormat::kBf16:
      use(f.read_raw ? row<bf16>() : row<bf16_flushed>(), PackContainer::kE8, 7);
      break;
    case DataFormat::kBfp8:
      f.read_raw ? use(row<bf16>(), PackContainer::kE8, 7)
                 : use(row<bf16_to_e8m6>(), PackContainer::kE8, 6);
      break;
    case DataFormat::kFp16:
      use(f.read_raw ? row<fp16>() : row<fp16_flushed>(), PackContainer::kE5, 10);
      break;
    case DataFormat::kBfp8a:
      f.read_raw ? use(row<fp16_cut_to_e5m7>(), PackContainer::kE5, 7)
                 : use(row<fp16_to_e5m6>(), PackContainer::kE5, 6);
      break;
    case DataFormat::kFp8:
      if (f.read_raw) use(row<fp16_cut_to_fp8>(), PackContainer::kE5, 2);
      break;
    case DataFormat::kInt16:
      use(row<int16>(), PackContainer::kInt16);
      break;
    case DataFormat::kInt8:
      if (f.read_raw && !f.read_unsigned) use(row<sign_only>(), PackContainer::kInt8);
      break;
    default:
      break;
  }
}

LateConversion::LateConversion(DataFormat from, DataFormat to) : to_(to) {
  if (!late_type(from, from_)) return;
  switch (to) {
    case DataFormat::kInt32:
      supported_ = from_.container == PackContainer::kInt32;
      break;
    case DataFormat::kInt16:
      supported_ = from_.container == PackContainer::kInt16;
      break;
    case DataFormat::kInt8:
      supported_ = from_.container == PackContainer::kInt8;
      break;
    case DataFormat::kTf32:
      supported_ = is_float(from_.container) && from != DataFormat::kFp32;
      break;
    default:
      supported_ = is_float(from_.container) && datum_bits(to) != 0;
      break;
  }
}

bool LateConversion::accepts(PackType early) const {
  const auto is_32b = [](PackType t) {
    return t.container == PackContainer::kInt32 ||
           (t.container == PackContainer::kE8 && t.mantissa_bits == 23);
  };
  if (is_32b(early) && is_32b(from_)) return true;  // a bit cast
  return early.container == from_.container && early.mantissa_bits <= from_.mantissa_bits;
}

/// FP32 bits with at most `mantissa_bits`, truncated.
std::uint32_t LateConversion::to_e8(std::uint32_t value, unsigned mantissa_bits) const {
  const bool narrows = mantissa_bits < from_.mantissa_bits;
  std::uint32_t sign = value & 0x80000000;
  std::uint32_t magnitude = value & 0x7FFFFFFF;
  if (from_.container == PackContainer::kE5) {
    sign = (value & 0x8000) << 16;
    const std::uint32_t exponent = exponent_of(value, PackContainer::kE5);
    // Exponent 0 stays 0: such values are zeros or, as the page says, mishandled denormals.
    magnitude = (exponent == 0 ? 0 : exponent + 112) << 23 | (value & 0x3FF) << 13;
  }
  if (narrows && is_denormal_or_zero(value, from_.container)) return sign;
  return sign | (magnitude & ~((1U << (23 - mantissa_bits)) - 1));
}

/// FP16 bits with at most `mantissa_bits`: saturated, then truncated.
std::uint32_t LateConversion::to_e5(std::uint32_t value, unsigned mantissa_bits) const {
  const std::uint32_t keep = ~((1U << (10 - mantissa_bits)) - 1);
  if (from_.container == PackContainer::kE5) {
    const bool narrows = mantissa_bits < from_.mantissa_bits;
    if (narrows && is_denormal_or_zero(value, PackContainer::kE5)) return value & 0x8000;
    return value & keep & 0xFFFF;
  }
  const std::uint32_t sign = value >> 16 & 0x8000;
  const std::uint32_t exponent = exponent_of(value, PackContainer::kE8);
  if (exponent < 112) return sign;
  if (exponent > 112 + 31) return sign | (0x7FFF & keep);
  // Exponent 112 is 2^-15 to 2^-14. The page says that all but 2^-15 itself may be mishandled; here
  // the mantissa is kept with an exponent of 0.
  return sign | (exponent - 112) << 10 | (value >> 13 & 0x3FF & keep);
}

void LateConversion::apply(const std::uint32_t* values, unsigned count,
                           std::uint32_t* result) const {
  const auto each = [&](auto convert) {
    for (unsigned i = 0; i < count; ++i) result[i] = convert(values[i]);
  };
  const bool from_e8 = from_.container == PackContainer::kE8;
  if (from_e8 && to_ == DataFormat::kBf16 && from_.mantissa_bits <= 7) {
    if (count % kBlock != 0) return each([](std::uint32_t x) { return x >> 16; });
    for (unsigned row = 0; row < count; row += kBlock) {  // the common case
      for (unsigned i = row; i < row + kBlock; ++i) result[i] = values[i] >> 16;
    }
    return;
  }
  switch (to_) {
    case DataFormat::kFp32:
      each([this](std::uint32_t x) { return to_e8(x, 23); });
      break;
    case DataFormat::kTf32:
      each([this](std::uint32_t x) { return to_e8(x, 10); });
      break;
    case DataFormat::kBf16:
      each([this](std::uint32_t x) { return to_e8(x, 7) >> 16; });
      break;
    case DataFormat::kFp16:
      each([this](std::uint32_t x) { return to_e5(x, 10); });
      break;
    case DataFormat::kFp8:
      each([this](std::uint32_t x) { return to_e5(x, 2) >> 8; });
      break;
    default:
      each([](std::uint32_t x) { return x; });
  }
}

std::uint8_t LateConversion::apply_block(const std::uint32_t* values, std::uint32_t* result) const {
  const bool wide =
      to_ == DataFormat::kBfp8 || to_ == DataFormat::kBfp4 || to_ == DataFormat::kBfp2;
  std::uint32_t exponents[kBlock];
  std::uint32_t mantissas[kBlock];  // with the hidden bit: 8 bits
  std::uint32_t signs[kBlock];
  std::uint32_t shared = 0;
  for (unsigned i = 0; i < kBlock; ++i) {
    const std::uint32_t x = wide ? to_e8(values[i], 7) >> 16 : to_e5(values[i], 7);
    exponents[i] = wide ? x >> 7 & 0xFF : x >> 10 & 0x1F;
    const std::uint32_t mantissa = wide ? x & 0x7F : x >> 3 & 0x7F;
    mantissas[i] = exponents[i] == 0 ? 0 : 0x80 | mantissa;
    signs[i] = x >> 15;
    shared = std::max(shared, exponents[i]);
  }
  const unsigned dropped = 8 - bits();
  for (unsigned i = 0; i < kBlock; ++i) {
    // To seven magnitude bits, ties away from zero. A value rounded up to 128 saturates (assumed).
    const std::uint32_t shift = std::min(shared - exponents[i], 15U) + 1;
    const std::uint32_t magnitude =
        std::min((mantissas[i] + (1U << (shift - 1))) >> shift, 127U) >> dropped;
    // A zero has no sign, since a negative zero would be read as minus infinity (assumed).
    result[i] = magnitude == 0 ? 0 : signs[i] << (bits() - 1) | magnitude;
  }
  return static_cast<std::uint8_t>(shared);
}

Relu::Relu(std::uint32_t apply, std::uint32_t threshold, DataFormat intermediate, PackType type)
    : mode_(static_cast<Mode>(apply & 3)), type_(type) {
  const bool fp16_threshold =
      intermediate == DataFormat::kFp16 || intermediate == DataFormat::kFp8 ||
      intermediate == DataFormat::kBfp8a || intermediate == DataFormat::kBfp4a ||
      intermediate == DataFormat::kBfp2a;
  threshold_ = fp16_threshold ? threshold : threshold << 16;
  const bool uses_threshold = mode_ == Mode::kMinThreshold || mode_ == Mode::kMaxThreshold;
  if (!uses_threshold) {
    if (!type.is_signed) mode_ = Mode::kNone;
    return;
  }
  // A type with less mantissa than the threshold is compared with the whole threshold, but cannot
  // become it. BFP8 and BFP8a between the conversions have room for seven bits even if only six are
  // rounded to.
  const unsigned mantissa = std::max<unsigned>(type.mantissa_bits, 7);
  const std::uint32_t low =
      (1U << ((type.container == PackContainer::kE8 ? 23 : 10) - mantissa)) - 1;
  defined_ = is_float(type.container) && fp16_threshold == (type.container == PackContainer::kE5) &&
             (threshold & 0x8000) == 0 && (mode_ == Mode::kMinThreshold || (threshold_ & low) == 0);
  if (type.container == PackContainer::kE8 && threshold_ > 0x7F800000) {
    // No value is above, equal to or below a NaN.
    mode_ = mode_ == Mode::kMinThreshold ? Mode::kNone : Mode::kZero;
  }
}

std::uint32_t Relu::apply(std::uint32_t value) const {
  const unsigned width =
      type_.container == PackContainer::kE8 || type_.container == PackContainer::kInt32 ? 32
      : type_.container == PackContainer::kInt8                                         ? 8
                                                                                        : 16;
  const bool negative = value >> (width - 1) != 0;
  const std::uint32_t magnitude = value & ~(1U << (width - 1));
  // NaN compares false with everything and passes.
  const bool nan = type_.container == PackContainer::kE8 && magnitude > 0x7F800000;
  if (nan) return value;
  switch (mode_) {
    case Mode::kNone:
      return value;
    case Mode::kZero:
      return negative ? 0 : value;
    case Mode::kMinThreshold:
      return negative || magnitude <= threshold_ ? 0 : value;
    case Mode::kMaxThreshold:
      return negative ? 0 : std::min(magnitude, threshold_);
  }
  return value;
}

}  // namespace tvp::tensix::coprocessor
