// Sums in double precision, in the order of the ISA pages, rounded once to Dst with ties to even:
// the result of a unit without intermediate losses. Products of the operand parts of a fidelity
// phase are exact in double.

#include "models/tensix/coprocessor/matrix/float_sums.h"

namespace tvp::tensix::coprocessor {

using datum::MantissaPart;
using datum::SrcStyle;

namespace exact_sums {
namespace {

using SrcRow = FloatSums::SrcRow;

constexpr MantissaPart kWhole{0x3FF, true};

// SrcASrcB.md, fidelity phases: mantissa bits.
constexpr MantissaPart srca_part(unsigned phase) {
  return (phase & 1) == 0 ? MantissaPart{0x3C0, true} : MantissaPart{0x03E, false};
}
constexpr MantissaPart srcb_part(unsigned phase) {
  return (phase & 2) == 0 ? MantissaPart{0x3F0, true} : MantissaPart{0x00F, false};
}

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

/// One row of SrcB times a 16x16 matrix of SrcA.
void multiply_row(const double (&row)[kColumns], const double (&matrix)[16][kColumns],
                  double (&out)[kColumns]) {
  double sum[kColumns] = {};
  for (unsigned k = 0; k < 16; ++k) {
    const double factor = row[k];
    if (factor == 0) continue;  // it would add +0 or -0 to a sum that began with +0
    for (unsigned j = 0; j < kColumns; ++j) sum[j] += factor * matrix[k][j];
  }
  for (unsigned j = 0; j < kColumns; ++j) out[j] = sum[j];
}

void add_to_dst32(FloatSums::DstRow dst, double (&sum)[kColumns], bool accumulate) {
  Dst::Row& upper = *dst.high;
  Dst::Row& lower = *dst.low;
  if (accumulate) {
    for (unsigned j = 0; j < kColumns; ++j)
      sum[j] += datum::dst_fp32((std::uint32_t{upper[j]} << 16) | lower[j]);
  }
  for (unsigned j = 0; j < kColumns; ++j) {
    const std::uint32_t word = datum::to_dst_fp32(sum[j]);
    upper[j] = static_cast<std::uint16_t>(word >> 16);
    lower[j] = static_cast<std::uint16_t>(word);
  }
}

void add_to_dst16(Dst::Row& cells, double (&sum)[kColumns], bool fp16, bool accumulate) {
  std::uint32_t high[kColumns];
  if (accumulate) {
    for (unsigned j = 0; j < kColumns; ++j)
      high[j] = fp16 ? datum::dst_fp16_high(cells[j]) : datum::dst_bf16_high(cells[j]);
    for (unsigned j = 0; j < kColumns; ++j) sum[j] += datum::from_high_word(high[j]);
  }
  for (unsigned j = 0; j < kColumns; ++j) high[j] = datum::sticky_high_word(sum[j]);
  for (unsigned j = 0; j < kColumns; ++j)
    cells[j] = fp16 ? datum::to_dst_fp16(high[j]) : datum::to_dst_bf16(high[j]);
}

void add_to_dst(const FloatSums::Formats& formats, FloatSums::DstRow dst, double (&sum)[kColumns],
                bool accumulate) {
  if (formats.dst32) return add_to_dst32(dst, sum, accumulate);
  add_to_dst16(*dst.high, sum, formats.srca == SrcStyle::kFp16, accumulate);
}

void multiply(const FloatSums::Product& p) {
  const MantissaPart part_a = srca_part(p.formats.phase);
  const MantissaPart part_b = srcb_part(p.formats.phase);
  double matrix[16][kColumns];
  for (unsigned k = 0; k < 16; ++k) decode_row(p.srca_row(k), p.formats.srca, part_a, matrix[k]);
  for (unsigned i = 0; i < p.rows; ++i) {
    double factors[kColumns];
    double sum[kColumns];
    decode_row(p.srcb_row(i), p.formats.srcb, part_b, factors);
    multiply_row(factors, matrix, sum);
    add_to_dst(p.formats, p.dst_row(i), sum, true);
  }
}

void combine(const FloatSums::Elementwise& e) {
  const bool multiplies = e.combine == FloatSums::Combine::kMultiply;
  const unsigned phase = e.formats.phase;
  // Outside of multiplication, a fidelity phase other than 0 only scales (ELWADD.md).
  const double scale = ((phase & 1) != 0 ? 1 / 32.0 : 1.0) * ((phase & 2) != 0 ? 1 / 128.0 : 1.0);
  const double sign = e.combine == FloatSums::Combine::kSubtract ? -1.0 : 1.0;
  for (unsigned i = 0; i < 8; ++i) {
    double a[kColumns];
    double b[kColumns];
    decode_row(*e.srca[i], e.formats.srca, multiplies ? srca_part(phase) : kWhole, a);
    decode_row(*e.srcb[i], e.formats.srcb, multiplies ? srcb_part(phase) : kWhole, b);
    if (multiplies) {
      for (unsigned j = 0; j < kColumns; ++j) a[j] *= b[j];
    } else {
      for (unsigned j = 0; j < kColumns; ++j) a[j] = (a[j] + sign * b[j]) * scale;
    }
    add_to_dst(e.formats, e.dst[i], a, e.add_dst);
  }
}

}  // namespace
}  // namespace exact_sums

const FloatSums& FloatSums::exact() {
  static constexpr FloatSums sums(exact_sums::multiply, exact_sums::combine);
  return sums;
}

}  // namespace tvp::tensix::coprocessor
