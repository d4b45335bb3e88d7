// MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB. Products of the bits that a fidelity phase consumes
// are exact; the pages call their own order and precision of the remaining steps a rough guide.
// Here sums are made in double precision in the order of the pages and rounded once, to Dst.

#include "models/tensix/coprocessor/matrix_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using datum::MantissaPart;
using datum::SrcStyle;

namespace {

constexpr MantissaPart kWhole{0x3FF, true};

// SrcASrcB.md, fidelity phases: bits of mantissa (floating point) or magnitude (integer).
constexpr MantissaPart srca_part(unsigned phase) {
  return (phase & 1) == 0 ? MantissaPart{0x3C0, true} : MantissaPart{0x03E, false};
}
constexpr MantissaPart srcb_part(unsigned phase) {
  return (phase & 2) == 0 ? MantissaPart{0x3F0, true} : MantissaPart{0x00F, false};
}
constexpr std::uint32_t srca_magnitude(unsigned phase) { return (phase & 1) != 0 ? 0x1F : 0xE0; }
constexpr std::uint32_t srcb_magnitude(unsigned phase) { return (phase & 2) != 0 ? 0x0F : 0x3F0; }

using SrcRow = std::array<std::uint32_t, kColumns>;

void decode_row(const SrcRow& row, SrcStyle style, MantissaPart part, double (&out)[kColumns]) {
  std::uint32_t high[kColumns];
  switch (style) {
    case SrcStyle::kBf16:
      for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::src_bf16_high(row[j], part.mask);
      break;
    case SrcStyle::kTf32:
      for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::src_tf32_high(row[j], part.mask);
      break;
    default:
      for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::src_fp16_high(row[j], part.mask);
      break;
  }
  if (part.hidden) {
    for (unsigned j = 0; j < kColumns; ++j) out[j] = datum::from_high_word(high[j]);
  } else {
    for (unsigned j = 0; j < kColumns; ++j) out[j] = datum::without_hidden(high[j]);
  }
}
void decode_row(const SrcRow& row, std::uint32_t mask, std::int32_t (&out)[kColumns]) {
  for (unsigned j = 0; j < kColumns; ++j) out[j] = datum::src_int8(row[j], mask);
}

/// One row of SrcB times a 16x16 matrix of SrcA.
template <typename Value>
void multiply_row(const Value (&row)[kColumns], const Value (&matrix)[16][kColumns],
                  Value (&out)[kColumns]) {
  Value sum[kColumns] = {};
  for (unsigned k = 0; k < 16; ++k) {
    const Value factor = row[k];
    if (factor == Value{0}) continue;  // adds +0 or -0 to a sum that began with +0
    for (unsigned j = 0; j < kColumns; ++j) sum[j] += factor * matrix[k][j];
  }
  for (unsigned j = 0; j < kColumns; ++j) out[j] = sum[j];
}

}  // namespace

void MatrixUnit::check_rounding(const Context& context) {
  if (!context.config.fpu_stochastic_rounding()) return;
  faults_.raise(foundation::Fault(foundation::FaultKind::kUnmodelled, name_,
                                  "stochastic rounding of the matrix unit is not modeled"));
}

void MatrixUnit::add_to_dst(unsigned row, const double (&values)[kColumns], SrcStyle style,
                            bool dst32, bool accumulate) {
  Dst& dst = registers_.dst;
  double sum[kColumns];
  std::uint32_t high[kColumns];
  if (dst32) {
    dst.define32(row);
    Dst::Row& upper = dst.storage(Dst::adjusted(row));
    Dst::Row& lower = dst.storage(Dst::adjusted(row) + 8);
    for (unsigned j = 0; j < kColumns; ++j) sum[j] = values[j];
    if (accumulate) {
      for (unsigned j = 0; j < kColumns; ++j) {
        sum[j] += datum::dst_fp32((std::uint32_t{upper[j]} << 16) | lower[j]);
      }
    }
    for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::to_dst_fp32(sum[j]);
    for (unsigned j = 0; j < kColumns; ++j) {
      upper[j] = static_cast<std::uint16_t>(high[j] >> 16);
      lower[j] = static_cast<std::uint16_t>(high[j]);
    }
    return;
  }
  dst.define16(row);
  Dst::Row& cells = dst.storage(dst.storage16(row));
  const bool fp16 = style == SrcStyle::kFp16;
  for (unsigned j = 0; j < kColumns; ++j) sum[j] = values[j];
  if (accumulate) {
    if (fp16) {
      for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::dst_fp16_high(cells[j]);
    } else {
      for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::dst_bf16_high(cells[j]);
    }
    for (unsigned j = 0; j < kColumns; ++j) sum[j] += datum::from_high_word(high[j]);
  }
  for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::sticky_high_word(sum[j]);
  if (fp16) {
    for (unsigned j = 0; j < kColumns; ++j) cells[j] = datum::to_dst_fp16(high[j]);
  } else {
    for (unsigned j = 0; j < kColumns; ++j) cells[j] = datum::to_dst_bf16(high[j]);
  }
}

void MatrixUnit::add_to_dst(unsigned row, const std::int32_t (&values)[kColumns], bool accumulate) {
  Dst& dst = registers_.dst;
  dst.define32(row);
  for (unsigned j = 0; j < kColumns; ++j) {
    const std::int64_t before = accumulate ? datum::dst_int32(dst.read32(row, j)) : 0;
    dst.write32(row, j, datum::to_dst_int32(before + values[j]));
  }
}

Issue MatrixUnit::matrix_multiply(Context& context, unsigned rows, bool broadcast_row) {
  const MathConfig::Arithmetic how = context.config.arithmetic();
  const SrcStyle style = how.style;
  const bool dst32 = how.dst32;
  const unsigned dst_row =
      context.config.dst_row(Mvmul::kDstRow.of(context.word), context.rwc) & (Dst::kRows - rows);
  const Cycle readable = readable_from(dst_row, dst32);
  if (readable > context.now) return Issue::retry_at(readable);

  check_rounding(context);
  const unsigned srca_row = context.rwc.srca & 0x38;
  const unsigned srcb_row = context.rwc.srcb & (broadcast_row ? 0x3F : 0x38);
  const unsigned phase = context.config.fidelity_phase(context.rwc);
  const SrcBank& srca = registers_.srca.at_matrix_unit();
  const SrcBank& srcb = registers_.srcb.at_matrix_unit();
  // A broadcast row reaches rows 0, 2, 4 and 6 of Dst only.
  const unsigned step = broadcast_row ? 2 : 1;
  const auto for_each_row = [&](auto& matrix, auto decode_a, auto decode_b, auto add) {
    using Row = std::remove_reference_t<decltype(matrix[0])>;
    for (unsigned k = 0; k < 16; ++k) decode_a(srca.rows[(srca_row + k) & 0x3F], matrix[k]);
    Row factors;
    Row product;
    for (unsigned i = 0; i < rows; i += step) {
      if (i == 0 || !broadcast_row) {
        decode_b(srcb.rows[(srcb_row + i) & 0x3F], factors);
        multiply_row(factors, matrix, product);
      }
      add(dst_row + i, product);
    }
  };
  if (style == SrcStyle::kInt8) {
    std::int32_t matrix[16][kColumns];
    for_each_row(
        matrix, [&](const SrcRow& row, auto& out) { decode_row(row, srca_magnitude(phase), out); },
        [&](const SrcRow& row, auto& out) { decode_row(row, srcb_magnitude(phase), out); },
        [&](unsigned row, const auto& values) { add_to_dst(row, values, true); });
  } else {
    double matrix[16][kColumns];
    for_each_row(
        matrix,
        [&](const SrcRow& row, auto& out) { decode_row(row, style, srca_part(phase), out); },
        [&](const SrcRow& row, auto& out) { decode_row(row, style, srcb_part(phase), out); },
        [&](unsigned row, const auto& values) { add_to_dst(row, values, style, dst32, true); });
  }

  written(dst_row, dst32, context.now, Dst::kWriteToReadCycles);
  last_srca_row_ = srca_row;
  flip_sources(context, Mvmul::kFlipSrcA.of(context.word) != 0,
               Mvmul::kFlipSrcB.of(context.word) != 0);
  advance(context, Mvmul::kAddrMod.of(context.word));
  return Issue::started(context.now + 1, context.now + Dst::kWriteToReadCycles);
}

Issue MatrixUnit::elementwise(Context& context, Combine combine) {
  const std::uint32_t word = context.word;
  const auto [style, dst32] = context.config.arithmetic();
  const unsigned dst_row = context.config.dst_row(Elwadd::kDstRow.of(word), context.rwc) & 0x3F8;
  const bool accumulate = combine == Combine::kMultiply || Elwadd::kAddDst.of(word) != 0;
  if (accumulate) {
    const Cycle readable = readable_from(dst_row, dst32);
    if (readable > context.now) return Issue::retry_at(readable);
  }

  check_rounding(context);
  const bool broadcast_row = Elwadd::kBroadcastSrcBRow.of(word) != 0;
  const bool broadcast_column = Elwadd::kBroadcastSrcBCol0.of(word) != 0;
  const unsigned srca_row = context.rwc.srca & 0x38;
  const unsigned srcb_row = context.rwc.srcb & (broadcast_row ? 0x3F : 0x38);
  const unsigned phase = context.config.fidelity_phase(context.rwc);
  const bool multiply = combine == Combine::kMultiply;
  const SrcBank& srca = registers_.srca.at_matrix_unit();
  const SrcBank& srcb = registers_.srcb.at_matrix_unit();
  // Outside of multiplication, a fidelity phase other than 0 only scales (ELWADD.md).
  const double scale = ((phase & 1) != 0 ? 1 / 32.0 : 1.0) * ((phase & 2) != 0 ? 1 / 128.0 : 1.0);

  for (unsigned i = 0; i < 8; ++i) {
    const SrcRow& row_a = srca.rows[srca_row + i];
    SrcRow row_b = srcb.rows[broadcast_row ? srcb_row : srcb_row + i];
    if (broadcast_column) row_b.fill(row_b[0]);
    if (style == SrcStyle::kInt8) {
      std::int32_t a[kColumns];
      std::int32_t b[kColumns];
      decode_row(row_a, multiply ? srca_magnitude(phase) : 0x3FF, a);
      decode_row(row_b, multiply ? srcb_magnitude(phase) : 0x3FF, b);
      for (unsigned j = 0; j < kColumns; ++j) {
        a[j] = multiply ? a[j] * b[j] : combine == Combine::kAdd ? a[j] + b[j] : a[j] - b[j];
      }
      add_to_dst(dst_row + i, a, accumulate);
      continue;
    }
    double a[kColumns];
    double b[kColumns];
    decode_row(row_a, style, multiply ? srca_part(phase) : kWhole, a);
    decode_row(row_b, style, multiply ? srcb_part(phase) : kWhole, b);
    if (multiply) {
      for (unsigned j = 0; j < kColumns; ++j) a[j] *= b[j];
    } else {
      const double sign = combine == Combine::kAdd ? 1.0 : -1.0;
      for (unsigned j = 0; j < kColumns; ++j) a[j] = (a[j] + sign * b[j]) * scale;
    }
    add_to_dst(dst_row + i, a, style, dst32, accumulate);
  }

  written(dst_row, dst32, context.now, Dst::kWriteToReadCycles);
  last_srca_row_ = srca_row;
  flip_sources(context, Elwadd::kFlipSrcA.of(word) != 0, Elwadd::kFlipSrcB.of(word) != 0);
  advance(context, Elwadd::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + Dst::kWriteToReadCycles);
}

}  // namespace tvp::tensix::coprocessor
