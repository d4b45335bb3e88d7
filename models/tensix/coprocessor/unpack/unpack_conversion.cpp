#include "models/tensix/coprocessor/unpack/unpack_conversion.h"

#include <array>
#include <bit>
#include <cstring>

namespace tvp::tensix::coprocessor {

namespace {

static_assert(std::endian::native == std::endian::little, "L1 is little-endian");

template <typename T>
std::uint32_t load(const std::uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <unsigned kBits>
std::uint32_t datum_at(const std::uint8_t* bytes, unsigned bit_offset, unsigned index) {
  if constexpr (kBits == 32) {
    return load<std::uint32_t>(bytes + 4 * index);
  } else if constexpr (kBits == 16) {
    return load<std::uint16_t>(bytes + 2 * index);
  } else if constexpr (kBits == 8) {
    return bytes[index];
  } else {
    const unsigned bit = bit_offset + kBits * index;
    return (std::uint32_t{bytes[bit / 8]} >> (bit % 8)) & ((1U << kBits) - 1);
  }
}

/// Datums that fill bytes, one row at a time with vectors of the host. `bytes` are in L1, `result`
/// is not.
template <unsigned kBits, auto kPlace>
[[gnu::always_inline]] inline bool place(const std::uint8_t* __restrict bytes, unsigned count,
                                         std::uint32_t* __restrict result) {
  constexpr unsigned kRow = UnpackConversion::kMaxDatums;
  if (count == kRow) {
    for (unsigned i = 0; i < kRow; ++i) result[i] = kPlace(datum_at<kBits>(bytes, 0, i));
  } else {
    for (unsigned i = 0; i < count; ++i) result[i] = kPlace(datum_at<kBits>(bytes, 0, i));
  }
  return true;
}

template <unsigned kBits, auto kPlace>
[[gnu::always_inline]] inline void place_rows(const std::uint8_t* __restrict bytes,
                                              std::size_t stride, unsigned rows,
                                              std::uint32_t* __restrict result) {
  constexpr unsigned kRow = UnpackConversion::kMaxDatums;
  for (unsigned row = 0; row < rows; ++row, bytes += stride, result += kRow) {
    for (unsigned i = 0; i < kRow; ++i) result[i] = kPlace(datum_at<kBits>(bytes, 0, i));
  }
}

template <unsigned kBits, auto kPlace>
void rows_portable(const std::uint8_t* __restrict bytes, std::size_t stride, unsigned rows,
                   std::uint32_t* __restrict result) {
  place_rows<kBits, kPlace>(bytes, stride, rows, result);
}
template <unsigned kBits, auto kPlace>
bool plain_portable(const std::uint8_t* __restrict bytes, unsigned, const std::uint8_t*,
                    unsigned count, std::uint32_t* __restrict result) {
  return place<kBits, kPlace>(bytes, count, result);
}
#ifdef __x86_64__
template <unsigned kBits, auto kPlace>
[[gnu::target("avx2")]] bool plain_avx2(const std::uint8_t* __restrict bytes, unsigned,
                                        const std::uint8_t*, unsigned count,
                                        std::uint32_t* __restrict result) {
  return place<kBits, kPlace>(bytes, count, result);
}
template <unsigned kBits, auto kPlace>
[[gnu::target("avx2")]] void rows_avx2(const std::uint8_t* __restrict bytes, std::size_t stride,
                                       unsigned rows, std::uint32_t* __restrict result) {
  place_rows<kBits, kPlace>(bytes, stride, rows, result);
}
#endif

/// The fastest build for this machine.
template <unsigned kBits, auto kPlace>
UnpackConversion::Converters plain() {
#ifdef __x86_64__
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return {&plain_avx2<kBits, kPlace>, &rows_avx2<kBits, kPlace>};
#endif
  return {&plain_portable<kBits, kPlace>, &rows_portable<kBits, kPlace>};
}

/// A datum of a block as BF16: (exponent - shift) & mask in its place, OR'ed with the rest.
struct BlockDatum {
  std::uint16_t rest;
  std::uint8_t shift;
  std::uint8_t mask;
};
constexpr auto kBlockDatums = [] {
  std::array<BlockDatum, 256> datums{};
  for (unsigned datum = 0; datum < datums.size(); ++datum) {
    // An exponent that cannot underflow.
    const std::uint16_t as_bf16 = bfp8_to_bf16(datum, 255);
    const bool zero = (datum & 0x7F) == 0;
    const unsigned exponent = (as_bf16 >> 7) & 0xFF;
    datums[datum] = {
        .rest = static_cast<std::uint16_t>(zero ? as_bf16 : as_bf16 & 0x807F),
        .shift = static_cast<std::uint8_t>(zero ? 0 : 255 - exponent),
        .mask = static_cast<std::uint8_t>(zero ? 0 : 0xFF),
    };
  }
  return datums;
}();

template <unsigned kBits, auto kPlace>
bool block8(const std::uint8_t* bytes, unsigned bit_offset, const std::uint8_t* exponents,
            unsigned count, std::uint32_t* result) {
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t datum = datum_at<kBits>(bytes, bit_offset, i) << (8 - kBits);
    const BlockDatum& as_bf16 = kBlockDatums[datum];
    const std::uint32_t exponent = (exponents[i] - std::uint32_t{as_bf16.shift}) & as_bf16.mask;
    result[i] = kPlace((exponent << 7) | as_bf16.rest);
  }
  return true;
}

template <unsigned kBits, auto kPlace>
bool block5(const std::uint8_t* bytes, unsigned bit_offset, const std::uint8_t* exponents,
            unsigned count, std::uint32_t* result) {
  bool valid = true;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t datum = datum_at<kBits>(bytes, bit_offset, i) << (8 - kBits);
    result[i] = kPlace(bfp8a_to_fp16(datum, exponents[i], valid));
  }
  return valid;
}

// Each converts to an intermediate bit pattern and then to the layout of the register file.
template <auto kLayout>
struct Place {
  static std::uint32_t as_is(std::uint32_t x) { return kLayout(x); }
  static std::uint32_t fp32_to_tf32(std::uint32_t x) { return kLayout(x >> 13); }
  static std::uint32_t fp32_to_bf16(std::uint32_t x) {
    if ((x & 0x7F800000) == 0) x &= 0x80000000;  // denormals become zero with the same sign
    return kLayout(x >> 16);
  }
  static std::uint32_t fp8(std::uint32_t x) { return kLayout(x << 8); }
  /// Integers use FP16 with a fixed exponent of 16, or 0 for zero.
  static std::uint32_t int8(std::uint32_t x) {
    const std::uint32_t magnitude = x & 0x7F;
    return kLayout((x & 0x80) << 8 | (magnitude != 0 ? 16U << 10 | magnitude : 0));
  }
  static std::uint32_t uint8(std::uint32_t x) { return kLayout(x != 0 ? 16U << 10 | x : 0); }
};

std::uint32_t identity(std::uint32_t x) { return x; }

/// All inputs but FP32 for one register file (its layouts of BF16, FP16 and INT16).
template <auto kBf16, auto kFp16, auto kInt16>
UnpackConversion::Converters narrow(DataFormat in, bool int8_unsigned) {
  using Bf16 = Place<kBf16>;
  using Fp16 = Place<kFp16>;
  switch (in) {
    case DataFormat::kBf16:
      return plain<16, Bf16::as_is>();
    case DataFormat::kFp16:
      return plain<16, Fp16::as_is>();
    case DataFormat::kInt16:
      return plain<16, kInt16>();
    case DataFormat::kFp8:
      return plain<8, Fp16::fp8>();
    case DataFormat::kInt8:
      return int8_unsigned ? plain<8, Fp16::uint8>() : plain<8, Fp16::int8>();
    case DataFormat::kBfp8:
      return {&block8<8, Bf16::as_is>};
    case DataFormat::kBfp4:
      return {&block8<4, Bf16::as_is>};
    case DataFormat::kBfp2:
      return {&block8<2, Bf16::as_is>};
    case DataFormat::kBfp8a:
      return {&block5<8, Fp16::as_is>};
    case DataFormat::kBfp4a:
      return {&block5<4, Fp16::as_is>};
    case DataFormat::kBfp2a:
      return {&block5<2, Fp16::as_is>};
    default:
      return {};
  }
}

}  // namespace

const char* format_name(DataFormat format) {
  switch (format) {
    case DataFormat::kFp32:
      return "FP32";
    case DataFormat::kFp16:
      return "FP16";
    case DataFormat::kBfp8a:
      return "BFP8a";
    case DataFormat::kBfp4a:
      return "BFP4a";
    case DataFormat::kTf32:
      return "TF32";
    case DataFormat::kBf16:
      return "BF16";
    case DataFormat::kBfp8:
      return "BFP8";
    case DataFormat::kBfp4:
      return "BFP4";
    case DataFormat::kInt32:
      return "INT32";
    case DataFormat::kInt16:
      return "INT16";
    case DataFormat::kFp8:
      return "FP8";
    case DataFormat::kBfp2a:
      return "BFP2a";
    case DataFormat::kInt8:
      return "INT8";
    case DataFormat::kBfp2:
      return "BFP2";
  }
  return "reserved format";
}

UnpackConversion::Support UnpackConversion::supported(DataFormat in, DataFormat out, bool to_dst) {
  if (datum_bits(in) == 0) return Support::kUndefined;
  if (in == DataFormat::kFp32) {
    if (out == DataFormat::kFp16) return Support::kUnmodelled;
    if (out == DataFormat::kTf32 || out == DataFormat::kBf16) return Support::kYes;
    return out == DataFormat::kFp32 && to_dst ? Support::kYes : Support::kUndefined;
  }
  if (in != out) return Support::kUndefined;
  const bool wide = in == DataFormat::kTf32 || in == DataFormat::kInt32;
  return wide && !to_dst ? Support::kUndefined : Support::kYes;
}

UnpackConversion::UnpackConversion(DataFormat in, DataFormat out, bool to_dst, bool int8_unsigned)
    : is_32_bit_(to_dst && datum_bits(out) == 32) {
  const bool fp32_to_bf16 = in == DataFormat::kFp32 && out == DataFormat::kBf16;
  if (to_dst) {
    if (fp32_to_bf16) {
      convert_ = plain<32, Place<layout::dst_bf16>::fp32_to_bf16>();
    } else if (is_32_bit_) {
      convert_ = plain<32, layout::dst_fp32>();
    } else {
      convert_ = narrow<layout::dst_bf16, layout::dst_fp16, identity>(in, int8_unsigned);
    }
  } else if (fp32_to_bf16) {
    convert_ = plain<32, Place<layout::src_bf16>::fp32_to_bf16>();
  } else if (in == DataFormat::kFp32) {
    convert_ = plain<32, Place<layout::src_tf32>::fp32_to_tf32>();
  } else {
    convert_ = narrow<layout::src_bf16, layout::src_fp16, layout::src_int16>(in, int8_unsigned);
  }
}

}  // namespace tvp::tensix::coprocessor
