// Moves between SrcA, SrcB and Dst, shifts, transposition and clearing.

#include <algorithm>
#include <array>
#include <utility>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/matrix/matrix_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using datum::SrcStyle;
using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr Cycle kMoveToDstCycles = 4;   // MOVA2D.md, MOVB2D.md
constexpr Cycle kMoveToSrcACycles = 2;  // MOVD2A.md, MOVB2A.md
constexpr Cycle kMoveToSrcBCycles = 4;  // MOVD2B.md

/// First rows and number of rows of a move.
struct RowRange {
  unsigned dst;
  unsigned src;
  unsigned count;
};
RowRange aligned(unsigned dst, unsigned src, unsigned count) {
  return {dst & (Dst::kRows - count), src & (SrcBank::kRows - count), count};
}

/// Rows of MOVA2D and MOVB2D; `counter` is the row counter of SrcA or SrcB.
RowRange src_to_dst_rows(std::uint32_t word, unsigned dst_row, unsigned counter, bool from_srcb) {
  const unsigned src_row = Mova2d::kSrcRow.of(word) + counter;
  if (!from_srcb) return aligned(dst_row, src_row, Mova2d::kMove8Rows.of(word) != 0 ? 8 : 1);
  if (Movb2d::kBroadcast1RowTo8.of(word) != 0) return {dst_row & 0x3F8, src_row & 0x3F, 8};
  return aligned(dst_row, src_row, Movb2d::kMove4Rows.of(word) != 0 ? 4 : 1);
}

}  // namespace

namespace {

/// A moved row of SrcA or SrcB, and its form in a 16-bit Dst.
struct MovedRow {
  std::uint32_t values[kColumns];
  std::uint16_t halves[kColumns];
};

TVP_ALSO_WIDE void take_row(const std::uint32_t* source, bool flush, bool wide,
                            MovedRow& row) noexcept {
  const std::uint32_t exponent = flush ? 0xFF : 0;
  for (unsigned j = 0; j < kColumns; ++j) {
    const bool kept = (source[j] & exponent) != 0 || exponent == 0;
    row.values[j] = kept ? source[j] : 0;
  }
  if (wide) {
    for (unsigned j = 0; j < kColumns; ++j) row.halves[j] = datum::src_to_dst_bf16(row.values[j]);
  } else {
    for (unsigned j = 0; j < kColumns; ++j) row.halves[j] = datum::src_to_dst_fp16(row.values[j]);
  }
}

}  // namespace

Issue MatrixUnit::move_src_to_dst(Context& context, bool from_srcb) {
  const std::uint32_t word = context.word;
  const MathConfig& config = context.config;
  const MathConfig::Format format = config.srca_format();  // SrcA's format, also for MOVB2D
  const bool wide = !config.fp16a_force() && MathConfig::wide_exponent(format);
  const bool tf32 = format == MathConfig::Format::kTf32;
  const bool flush = config.flush_src_denormals();
  const bool low_half = Mova2d::kUseDst32bLo.of(word) != 0;
  const bool broadcast_row = from_srcb && Movb2d::kBroadcast1RowTo8.of(word) != 0;
  const bool broadcast_column = from_srcb && Movb2d::kBroadcastCol0.of(word) != 0;

  const unsigned dst_row = config.dst_row(Mova2d::kDstRow.of(word), context.rwc);
  const unsigned counter = from_srcb ? context.rwc.srcb : context.rwc.srca;
  const RowRange range = src_to_dst_rows(word, dst_row, counter, from_srcb);
  last_srca_row_ = from_srcb ? context.rwc.srca : range.src;

  Dst& dst = registers_.dst;
  const SrcBank& bank = (from_srcb ? registers_.srcb : registers_.srca).at_matrix_unit();
  const unsigned blocked = registers_.block_dest_mov;
  const bool dst32 = tf32 || low_half;
  for (unsigned i = 0; i < range.count; ++i) {
    const auto& source = bank.rows[broadcast_row ? range.src : range.src + i];
    const unsigned row = range.dst + i;
    if (dst32) {
      dst.define32(row);
    } else {
      dst.define16(row);
    }
    MovedRow moved;
    auto& [values, halves] = moved;
    if (broadcast_column) {
      std::array<std::uint32_t, kColumns> repeated;
      repeated.fill(source[0]);
      take_row(repeated.data(), flush, wide, moved);
    } else {
      take_row(source.data(), flush, wide, moved);
    }
    if (!dst32 && blocked == 0) {
      Dst::Row& cells = dst.storage(dst.storage16(row));
      for (unsigned j = 0; j < kColumns; ++j) cells[j] = halves[j];
      written(row, dst32, context.now, kMoveToDstCycles);
      continue;
    }
    for (unsigned j = 0; j < kColumns; ++j) {
      if (((blocked >> j) & 1) != 0) continue;
      if (tf32) {
        const std::uint32_t low = (((values[j] >> 8) & 7) << 13) | (low_half ? halves[j] : 0u);
        dst.write32(row, j, (std::uint32_t{halves[j]} << 16) | low);
      } else if (low_half) {
        dst.write32(row, j, (dst.read32(row, j) & 0xFFFF0000) | halves[j]);
      } else {
        dst.write16(row, j, halves[j]);
      }
    }
    written(row, dst32, context.now, kMoveToDstCycles);
  }

  moved_to_dst_ = context.now + kMoveToDstCycles;
  advance(context, Mova2d::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + kMoveToDstCycles);
}

Issue MatrixUnit::move_dst_to_src(Context& context, bool to_srcb) {
  const std::uint32_t word = context.word;
  const MathConfig& config = context.config;
  const bool forced = config.fp16a_force();
  const SrcStyle style = forced ? SrcStyle::kFp16 : MathConfig::float_style(config.srca_format());
  const bool dst32 = !forced && (config.fp32_enabled() || config.int8_enabled());
  const bool low_half = Movd2a::kUseDst32bLo.of(word) != 0;
  const unsigned counter = to_srcb ? context.rwc.srcb : context.rwc.srca;
  const RowRange range =
      aligned(config.dst_row(Movd2a::kDstRow.of(word), context.rwc),
              Movd2a::kSrcRow.of(word) + counter, Movd2a::kMove4Rows.of(word) != 0 ? 4 : 1);
  const Cycle readable = readable_from(range.dst, dst32);
  if (readable > context.now) return Issue::retry_at(readable);
  if (!dst32 && (low_half || style == SrcStyle::kTf32)) {
    faults_.raise(Fault(
        FaultKind::kFirmware, name_,
        to_srcb ? "MOVD2B wants 32 bits of a 16-bit Dst" : "MOVD2A wants 32 bits of a 16-bit Dst"));
  }

  const Dst& dst = registers_.dst;
  SrcBank& bank = (to_srcb ? registers_.srcb : registers_.srca).at_matrix_unit();
  const unsigned blocked = registers_.block_dest_mov;
  for (unsigned i = 0; i < range.count; ++i) {
    const unsigned row = range.dst + i;
    const bool undefined = dst32 ? dst.undefined32(row) : dst.undefined16(row);
    for (unsigned j = 0; j < kColumns; ++j) {
      if (((blocked >> j) & 1) != 0) continue;
      std::uint32_t value = dst32 ? dst.read32(row, j) : std::uint32_t{dst.read16(row, j)} << 16;
      if (undefined) value = 0;
      if (dst32 && low_half) value = (value << 16) | (value & 0xFFFF);
      std::uint32_t& out = bank.rows[range.src + i][j];
      switch (style) {
        case SrcStyle::kBf16:
          out = datum::dst_bf16_to_src(value >> 16);
          break;
        case SrcStyle::kTf32:
          out = low_half ? value & 0x1FFF : datum::dst_tf32_to_src(value >> 13);
          break;
        default:
          out = datum::dst_fp16_to_src(value >> 16);
          break;
      }
    }
  }

  last_srca_row_ = to_srcb ? context.rwc.srca : range.src;
  const Cycle latency = to_srcb ? kMoveToSrcBCycles : kMoveToSrcACycles;
  moved_to_src_ = context.now + latency;
  moved_to_srcb_ = to_srcb;
  advance(context, Movd2a::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + latency);
}

Issue MatrixUnit::move_srcb_to_srca(Context& context) {
  const std::uint32_t word = context.word;
  const bool four = Movb2a::kMove4Rows.of(word) != 0;
  const unsigned mask = four ? 0x3C : 0x3F;
  const unsigned to = (Movb2a::kSrcARow.of(word) + context.rwc.srca) & mask;
  const unsigned from = (Movb2a::kSrcBRow.of(word) + context.rwc.srcb) & mask;
  const bool flush = context.config.flush_src_denormals();
  // The page truncates to the format of SrcB without details; here to the bits of the format.
  const MathConfig::Format format = context.config.srcb_format();
  const std::uint32_t kept = !MathConfig::wide_exponent(format)                   ? 0x7FF1F
                             : MathConfig::float_style(format) == SrcStyle::kTf32 ? 0x7FFFF
                                                                                  : 0x7F8FF;
  const SrcBank& source = registers_.srcb.at_matrix_unit();
  SrcBank& target = registers_.srca.at_matrix_unit();
  const unsigned blocked = registers_.block_dest_mov;
  for (unsigned i = 0; i < (four ? 4u : 1u); ++i) {
    for (unsigned j = 0; j < kColumns; ++j) {
      if (((blocked >> j) & 1) != 0) continue;
      const std::uint32_t value = source.rows[from + i][j];
      target.rows[to + i][j] = flush && (value & 0xFF) == 0 ? 0 : value & kept;
    }
  }
  last_srca_row_ = to;
  moved_to_src_ = context.now + kMoveToSrcACycles;
  moved_to_srcb_ = false;
  advance(context, Movb2a::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + 4);
}

Issue MatrixUnit::shift_srca(Context& context) {
  constexpr unsigned kRight = 2;
  constexpr unsigned kLeft = 3;
  const unsigned direction = Shiftxa::kDirection.of(context.word);
  if (direction != kRight && direction != kLeft) {
    faults_.raise(Fault(FaultKind::kFirmware, name_, "SHIFTXA in no documented direction"));
  }
  SrcBank& bank = registers_.srca.at_matrix_unit();
  const unsigned first = last_srca_row_ & 0x30;
  for (unsigned i = 0; i < 16; ++i) {
    auto row = bank.rows[first + i];
    if (direction == kRight) {
      std::shift_right(row.begin(), row.end(), 1);
      row.front() = 0;
    } else if (direction == kLeft) {
      std::shift_left(row.begin(), row.end(), 1);
      row.back() = 0;
    }
    bank.rows[i] = row;
  }
  return Issue::started(context.now + 1, context.now + 1);
}

Issue MatrixUnit::shift_srcb(Context& context) {
  // The loop of SHIFTXB.md omits column 14; its summary and its diagram shift it as well.
  auto& row = registers_.srcb.at_matrix_unit()
                  .rows[(Shiftxb::kSrcRow.of(context.word) + context.rwc.srcb) & 0x3F];
  std::rotate(row.begin(), row.begin() + 1, row.end());
  if (Shiftxb::kShiftInZero.of(context.word) != 0) row.back() = 0;
  advance(context, Shiftxb::kAddrMod.of(context.word));
  return Issue::started(context.now + 2, context.now + 2);
}

Issue MatrixUnit::transpose_srcb(Context& context) {
  SrcBank& bank = registers_.srcb.at_matrix_unit();
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < i; ++j) std::swap(bank.rows[16 + i][j], bank.rows[16 + j][i]);
  }
  return Issue::started(context.now + 1, context.now + 1);
}

Issue MatrixUnit::zero_dst(Context& context) {
  enum Mode { kOneRow, k16Rows, kHalf, kAll };
  const std::uint32_t word = context.word;
  const unsigned imm = Zeroacc::kImm10.of(word);
  const auto mode = static_cast<Mode>(Zeroacc::kMode.of(word));
  Dst& dst = registers_.dst;
  if (Zeroacc::kRevert.of(word) != 0) {
    faults_.raise(Fault(FaultKind::kFirmware, name_, "ZEROACC with Revert is undefined"));
  }
  // A 32-bit row uses the flag of its high halves.
  const auto clear_row = [&](unsigned row, bool dst32) {
    registers_.dst_in_flight.changed(dst32 ? Dst::adjusted(row) : dst.storage16(row), context.now);
    dst32 ? dst.undefine32(row) : dst.undefine16(row);
  };
  switch (mode) {
    case kOneRow:
      clear_row(context.config.dst_row(imm, context.rwc) & 0x3FF,
                context.config.fp32_enabled() || context.config.int8_enabled());
      break;
    case k16Rows: {
      const bool dst32 = Zeroacc::kUseDst32b.of(word) != 0;
      const unsigned block = imm & 0xFF;
      if (block >= (dst32 ? 32u : 64u)) break;
      for (unsigned i = 0; i < 16; ++i) clear_row(block * 16 + i, dst32);
      break;
    }
    case kHalf: {
      // 16-bit rows from 512 on and 32-bit rows from 256 on share storage.
      constexpr unsigned kHalfRows = Dst::kRows / 2;
      const unsigned first = (imm & 1) * kHalfRows;
      registers_.dst_in_flight.changed(first, kHalfRows, context.now);
      dst.undefine_storage(first, kHalfRows);
      break;
    }
    case kAll:
      registers_.dst_in_flight.changed(0, Dst::kRows, context.now);
      dst.undefine_storage(0, Dst::kRows);
      break;
  }
  if (mode == kOneRow || mode == k16Rows) advance(context, Zeroacc::kAddrMod.of(word));
  return Issue::started(context.now + 1, context.now + 1);
}

Issue MatrixUnit::zero_src(Context& context) {
  const std::uint32_t word = context.word;
  const auto clear = [&](SrcFile& file, std::uint32_t value) {
    for (unsigned bank = 0; bank < 2; ++bank) {
      const unsigned current =
          Zerosrc::kSingleBankMatrixUnit.of(word) != 0 ? file.matrix_bank : file.unpacker_bank;
      if (Zerosrc::kBothBanks.of(word) == 0 && bank != current) continue;
      for (auto& row : file.bank[bank].rows) row.fill(value);
    }
  };
  if (Zerosrc::kClearSrcA.of(word) != 0) {
    clear(registers_.srca, Zerosrc::kNegativeInfSrcA.of(word) != 0 ? 0x7FFFF : 0);
  }
  if (Zerosrc::kClearSrcB.of(word) != 0) clear(registers_.srcb, 0);
  return Issue::started(context.now + 1, context.now + 1);
}

}  // namespace tvp::tensix::coprocessor
