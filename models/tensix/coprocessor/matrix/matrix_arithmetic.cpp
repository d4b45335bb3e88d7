// MVMUL, DOTPV, GAPOOL, ELWMUL, ELWADD, ELWSUB (matrix_arithmetic.md). This file selects the rows
// and sums integers; `FloatSums` sums floating-point numbers.

#include "models/tensix/coprocessor/matrix/matrix_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using datum::SrcStyle;

namespace {

using SrcRow = FloatSums::SrcRow;
using Combine = FloatSums::Combine;

// SrcASrcB.md, fidelity phases: magnitude bits.
constexpr std::uint32_t kWholeMagnitude = 0x3FF;
constexpr std::uint32_t srca_magnitude(unsigned phase) { return (phase & 1) != 0 ? 0x1F : 0xE0; }
constexpr std::uint32_t srcb_magnitude(unsigned phase) { return (phase & 2) != 0 ? 0x0F : 0x3F0; }

void decode_row(const SrcRow& row, std::uint32_t mask, bool flush, std::int32_t (&out)[kColumns]) {
  for (unsigned j = 0; j < kColumns; ++j) out[j] = datum::src_int8(row[j], mask, flush);
}

void add_to_dst(FloatSums::DstRow dst, const std::int32_t (&values)[kColumns], bool accumulate) {
  for (unsigned j = 0; j < kColumns; ++j) {
    const std::uint32_t before = (std::uint32_t{(*dst.high)[j]} << 16) | (*dst.low)[j];
    const std::uint32_t after =
        datum::to_dst_int32((accumulate ? datum::dst_int32(before) : 0) + values[j]);
    (*dst.high)[j] = static_cast<std::uint16_t>(after >> 16);
    (*dst.low)[j] = static_cast<std::uint16_t>(after);
  }
}

void multiply_integers(const FloatSums::Product& p, bool flush_srcb) {
  const std::uint32_t mask_a = srca_magnitude(p.formats.phase);
  const std::uint32_t mask_b = srcb_magnitude(p.formats.phase);
  std::int32_t matrix[16][kColumns];
  for (unsigned k = 0; k < 16; ++k) decode_row(p.srca_row(k), mask_a, true, matrix[k]);
  for (unsigned i = 0; i < p.rows; ++i) {
    std::int32_t factors[kColumns];
    std::int32_t sum[kColumns] = {};
    decode_row(p.srcb_row(i), mask_b, flush_srcb, factors);
    for (unsigned k = 0; k < 16; ++k) {
      for (unsigned j = 0; j < kColumns; ++j) sum[j] += factors[k] * matrix[k][j];
    }
    add_to_dst(p.dst_row(i), sum, true);
  }
}

void combine_integers(const FloatSums::Elementwise& e) {
  const bool multiplies = e.combine == Combine::kMultiply;
  const std::uint32_t mask_a = multiplies ? srca_magnitude(e.formats.phase) : kWholeMagnitude;
  const std::uint32_t mask_b = multiplies ? srcb_magnitude(e.formats.phase) : kWholeMagnitude;
  const std::int32_t sign = e.combine == Combine::kSubtract ? -1 : 1;
  for (unsigned i = 0; i < 8; ++i) {
    std::int32_t a[kColumns];
    std::int32_t b[kColumns];
    decode_row(*e.srca[i], mask_a, true, a);
    decode_row(*e.srcb[i], mask_b, e.flush_srcb, b);
    for (unsigned j = 0; j < kColumns; ++j) a[j] = multiplies ? a[j] * b[j] : a[j] + sign * b[j];
    add_to_dst(e.dst[i], a, e.add_dst);
  }
}

}  // namespace

void MatrixUnit::check_rounding(const Context& context) {
  if (!context.config.fpu_stochastic_rounding()) return;
  faults_.raise(foundation::Fault(foundation::FaultKind::kUnmodelled, name_,
                                  "stochastic rounding of the matrix unit is not modeled"));
}

void MatrixUnit::rows_to_write(unsigned row, unsigned step, bool dst32, bool accumulate,
                               std::span<FloatSums::DstRow> rows) {
  Dst& dst = registers_.dst;
  unsigned at = dst32 ? Dst::adjusted(row) : dst.storage16(row);
  for (FloatSums::DstRow& out : rows) {
    if (dst32) {
      accumulate ? dst.accumulate_pair(at) : dst.define_pair(at);
    } else {
      accumulate ? dst.accumulate(at) : dst.define(at);
    }
    out = {&dst.storage(at), dst32 ? &dst.storage(at + Dst::kBlockRows) : nullptr};
    at += step;
  }
}

FloatSums::DstRow MatrixUnit::rows_to_add_to(unsigned row, unsigned step, unsigned count,
                                             bool dst32) {
  Dst& dst = registers_.dst;
  const unsigned at = dst32 ? Dst::adjusted(row) : dst.storage16(row);
  if (!dst.defines_block(at)) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned each = at + i * step;
      dst32 ? dst.accumulate_pair(each) : dst.accumulate(each);
    }
  }
  return {&dst.storage(at), dst32 ? &dst.storage(at + Dst::kBlockRows) : nullptr};
}

void MatrixUnit::multiply(const FloatSums::Product& product, const MathConfig& config) {
  if (product.formats.srca == SrcStyle::kInt8) {
    multiply_integers(product, config.flush_src_denormals());
  } else {
    sums_.multiply(product);
  }
}

Issue MatrixUnit::matrix_multiply(Context& context, unsigned rows, bool broadcast_row) {
  const auto [style, srcb_style, dst32] = context.config.arithmetic();
  const unsigned dst_row =
      context.config.dst_row(Mvmul::kDstRow.of(context.word), context.rwc) & (Dst::kRows - rows);
  const Issue turn = wait_to_accumulate(context, dst_row, dst32);
  if (turn.kind != Issue::Kind::kStarted) return turn;

  check_rounding(context);
  const unsigned srca_row = context.rwc.srca & 0x38;
  const unsigned srcb_row = context.rwc.srcb & (broadcast_row ? 0x3F : 0x38);
  const SrcBank& srca = registers_.srca.at_matrix_unit();
  const SrcBank& srcb = registers_.srcb.at_matrix_unit();
  // A broadcast row reaches rows 0, 2, 4 and 6 of Dst only.
  const unsigned step = broadcast_row ? 2 : 1;
  FloatSums::Product product;
  product.formats = {style, srcb_style, dst32, context.config.fidelity_phase(context.rwc)};
  product.rows = (rows + step - 1) / step;
  product.kept = rows == 8 ? &kept_ : nullptr;
  product.srca_changes = srca.rows.changes();
  product.srcb_changes = srcb.rows.changes();
  product.srca = {&srca.rows[srca_row], &srca.rows[(srca_row + 8) & 0x3F]};
  product.srcb = &srcb.rows[srcb_row];
  product.srcb_step = broadcast_row ? 0 : 1;
  product.dst = rows_to_add_to(dst_row, step, product.rows, dst32);
  product.dst_step = step;
  multiply(product, context.config);

  summed(dst_row, dst32, context);
  last_srca_row_ = srca_row;
  flip_sources(context, Mvmul::kFlipSrcA.of(context.word) != 0,
               Mvmul::kFlipSrcB.of(context.word) != 0);
  advance(context, Mvmul::kAddrMod.of(context.word));
  return Issue::started(context.now + 1, context.now + Dst::kWriteToReadCycles);
}

Issue MatrixUnit::elementwise(Context& context, Combine combine) {
  const std::uint32_t word = context.word;
  const auto [style, srcb_style, dst32] = context.config.arithmetic();
  const unsigned dst_row = context.config.dst_row(Elwadd::kDstRow.of(word), context.rwc) & 0x3F8;
  const bool accumulate = combine == Combine::kMultiply || Elwadd::kAddDst.of(word) != 0;
  if (accumulate) {
    const Issue turn = wait_to_accumulate(context, dst_row, dst32);
    if (turn.kind != Issue::Kind::kStarted) return turn;
  }

  check_rounding(context);
  const bool broadcast_row = Elwadd::kBroadcastSrcBRow.of(word) != 0;
  const bool broadcast_column = Elwadd::kBroadcastSrcBCol0.of(word) != 0;
  const unsigned srca_row = context.rwc.srca & 0x38;
  const unsigned srcb_row = context.rwc.srcb & (broadcast_row ? 0x3F : 0x38);
  const SrcBank& srca = registers_.srca.at_matrix_unit();
  const SrcBank& srcb = registers_.srcb.at_matrix_unit();
  FloatSums::Elementwise rows;
  rows.formats = {style, srcb_style, dst32, context.config.fidelity_phase(context.rwc)};
  rows.combine = combine;
  rows.add_dst = accumulate;
  rows.flush_srcb = context.config.flush_src_denormals();
  SrcRow columns[8];
  for (unsigned i = 0; i < 8; ++i) {
    const SrcRow& row_b = srcb.rows[broadcast_row ? srcb_row : srcb_row + i];
    if (broadcast_column) columns[i].fill(row_b[0]);
    rows.srca[i] = &srca.rows[srca_row + i];
    rows.srcb[i] = broadcast_column ? &columns[i] : &row_b;
  }
  rows_to_write(dst_row, 1, dst32, accumulate, rows.dst);
  if (style == SrcStyle::kInt8) {
    combine_integers(rows);
  } else {
    sums_.combine(rows);
  }

  summed(dst_row, dst32, context);
  last_srca_row_ = srca_row;
  flip_sources(context, Elwadd::kFlipSrcA.of(word) != 0, Elwadd::kFlipSrcB.of(word) != 0);
  advance(context, Elwadd::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + Dst::kWriteToReadCycles);
}

}  // namespace tvp::tensix::coprocessor
