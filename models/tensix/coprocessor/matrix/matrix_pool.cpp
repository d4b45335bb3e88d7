// GMPOOL (ISA TensixCoprocessor/GMPOOL.md), entirely as integer arithmetic on fields.

#include "models/tensix/coprocessor/matrix/matrix_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using datum::SrcStyle;

namespace {

enum class DstStyle { kInt32, kFp16, kBf16, kTf32 };

/// Nine bits of exponent: the sum of two biased exponents.
struct PoolDatum {
  std::uint32_t sign;
  std::uint32_t exponent;
  std::uint32_t magnitude;

  std::int32_t comparable() const {
    const auto value = static_cast<std::int32_t>((exponent << 10) + magnitude);
    return sign != 0 ? -value : value;
  }
};

constexpr std::uint32_t kExponentBits = 0x1FF;

PoolDatum read_dst(std::uint32_t value, DstStyle style) {
  const std::uint32_t sign = value >> 31;
  switch (style) {
    case DstStyle::kInt32:
      return {sign, ((value >> 10) & 0x3F) + (((value >> 24) & 7) << 6), value & 0x3FF};
    case DstStyle::kFp16:
      return {sign, ((value >> 16) & 0x1F) + 15, (value >> 21) & 0x3FF};
    case DstStyle::kBf16:
      return {sign, ((value >> 16) & 0xFF) + 127, ((value >> 24) & 0x7F) << 3};
    case DstStyle::kTf32:
      break;
  }
  return {sign, ((value >> 16) & 0xFF) + 127, (((value >> 24) & 0x7F) << 3) + ((value >> 13) & 7)};
}

std::uint32_t write_dst(const PoolDatum& datum, DstStyle style) {
  const std::uint32_t sign = datum.sign << 31;
  switch (style) {
    case DstStyle::kInt32:
      return sign | ((datum.exponent & 7) << 10) | datum.magnitude;
    case DstStyle::kFp16:
      if ((datum.exponent & 0x3F) == 0) return 0;
      return sign | (datum.magnitude << 21) | (((datum.exponent - 15) & 0x1F) << 16);
    case DstStyle::kBf16:
    case DstStyle::kTf32:
      break;
  }
  if (datum.exponent == 0) return 0;
  const std::uint32_t high =
      sign | ((datum.magnitude & 0x3F8) << 21) | (((datum.exponent - 127) & 0xFF) << 16);
  return style == DstStyle::kTf32 ? high + ((datum.magnitude & 7) << 13) : high;
}

PoolDatum read_scaled_src(std::uint32_t srca, std::uint32_t srcb, SrcStyle style) {
  const std::uint32_t exponent_a = srca & 0xFF;
  const std::uint32_t exponent_b = srcb & 0xFF;
  if (exponent_b == 0) return {1, kExponentBits, 0x3FF};  // a factor of zero gives the lowest value
  if (exponent_a == 0) return {0, 0, 0};
  const std::uint32_t sign = (srca >> 18) & 1;
  const std::uint32_t magnitude = (srca >> 8) & 0x3FF;
  switch (style) {
    case SrcStyle::kInt8:
      return {sign, 0, magnitude};
    case SrcStyle::kFp16:
      return {sign, (exponent_a & 0x1F) + (exponent_b & 0x1F), magnitude};
    case SrcStyle::kTf32:
      return {sign, exponent_a + exponent_b, magnitude};
    case SrcStyle::kBf16:
      break;
  }
  return {sign, exponent_a + exponent_b, magnitude & 0x3F8};
}

DstStyle dst_style(SrcStyle style, bool dst32, bool arg_max) {
  switch (style) {
    case SrcStyle::kInt8:
      return DstStyle::kInt32;
    case SrcStyle::kFp16:
      return dst32 && !arg_max ? DstStyle::kTf32 : DstStyle::kFp16;
    case SrcStyle::kBf16:
      return dst32 && !arg_max ? DstStyle::kTf32 : DstStyle::kBf16;
    case SrcStyle::kTf32:
      break;
  }
  if (arg_max) return DstStyle::kInt32;
  return dst32 ? DstStyle::kTf32 : DstStyle::kBf16;
}

struct PoolResult {
  PoolDatum largest;
  std::uint32_t index;
};

/// Order of visits, and the new index of a row.
constexpr std::uint8_t kVisits[16] = {4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr std::uint8_t kIndexOfRow[8] = {0, 3, 6, 1, 4, 7, 2, 5};

}  // namespace

Issue MatrixUnit::max_pool(Context& context) {
  const std::uint32_t word = context.word;
  const bool arg_max = Gmpool::kArgMax.of(word) != 0;
  const auto [style, srcb_style, dst32] = context.config.arithmetic();
  const DstStyle out_style = dst_style(style, dst32, arg_max);
  const unsigned dst_row = context.config.dst_row(Gmpool::kDstRow.of(word), context.rwc) & 0x3FC;
  const Cycle readable = readable_from(dst_row, dst32);
  if (readable > context.now) return Issue::retry_at(readable);

  const unsigned srca_row = context.rwc.srca & 0x30;
  const auto& scales = registers_.srcb.at_matrix_unit().rows[context.rwc.srcb & 0x38];
  const SrcBank& srca = registers_.srca.at_matrix_unit();
  Dst& dst = registers_.dst;
  for (unsigned i = 0; i < 4; ++i) {
    if (dst32) {
      dst.accumulate32(dst_row + i, 0xFFFF);
    } else {
      dst.accumulate16(dst_row + i, 0xFFFF);
    }
  }

  for (unsigned j = 0; j < kColumns; ++j) {
    const std::uint32_t before =
        dst32 ? dst.read32(dst_row, j) : std::uint32_t{dst.read16(dst_row, j)} << 16;
    const std::uint32_t index_phase = (before + 0x100) & 0xF00;
    PoolResult result{read_dst(before, out_style), before & 0xFF};
    for (const unsigned i : kVisits) {
      const PoolDatum candidate = read_scaled_src(srca.rows[srca_row + i][j], scales[i], style);
      if (candidate.comparable() < result.largest.comparable()) continue;
      result.largest = candidate;
      if (i < 8) result.index = ((index_phase >> 4) + kIndexOfRow[i]) & 0xFF;
    }
    std::uint32_t after =
        out_style == DstStyle::kInt32 && arg_max ? 0 : write_dst(result.largest, out_style);
    if (arg_max) after |= index_phase | result.index;
    if (dst32) {
      dst.write32(dst_row, j, after);
      for (unsigned i = 1; i < 4; ++i) {
        const std::uint32_t other = (dst.read32(dst_row + i, j) + 0x100) & 0xF00;
        dst.write32(dst_row + i, j, arg_max ? other : 0);
      }
    } else {
      dst.write16(dst_row, j, static_cast<std::uint16_t>(after >> 16));
      for (unsigned i = 1; i < 4; ++i) dst.write16(dst_row + i, j, 0);
    }
  }

  written(dst_row, dst32, context.now, Dst::kWriteToReadCycles);
  last_srca_row_ = srca_row;
  flip_sources(context, Gmpool::kFlipSrcA.of(word) != 0, Gmpool::kFlipSrcB.of(word) != 0);
  advance(context, Gmpool::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + Dst::kWriteToReadCycles);
}

}  // namespace tvp::tensix::coprocessor
