#include "models/tensix/coprocessor/unpack/unpack_data_path.h"

#include <algorithm>

#include "models/tensix/coprocessor/frontend/issue_faults.h"

namespace tvp::tensix::coprocessor {

namespace {

constexpr unsigned kChunk = UnpackConversion::kMaxDatums;
/// Rows 0 to 3 of the address space of unpacker 0 do not exist.
constexpr unsigned kFirstSrcARow = 4;
/// Rows that follow SRCA_SET_Base, unless the address overrides it.
constexpr unsigned kSrcARowsOfThread = 16;

/// Datums converted from FP32 to 16 bits in a cycle: the bottleneck may be downstream of L1 (ISA
/// TensixTile/L1.md, Unpackers). On silicon such a tile takes 128 cycles, alone and beside one of
/// the other unpacker. A tile that becomes TF32 takes 64 alone (tt-metal
/// tt_metal/tt-llk/docs/perf_evaluation/results/wormhole-nonsol/data/serial_replay_movers.csv).
constexpr unsigned kNarrowedDatumsPerCycle = 8;

/// The rows of 16 datums of a plan.
L1Rows rows_of(const UnpackPlan& plan, std::uint64_t data_bit, std::uint32_t count) {
  return {.address = static_cast<std::uint32_t>(data_bit / 8),
          .bytes = kChunk * datum_bits(plan.in) / 8,
          .count = count,
          .stride = plan.row_stride_bits / 8};
}

std::uint64_t last_row(const UnpackPlan& plan) {
  return plan.data_bit + std::uint64_t{plan.datums / kChunk - 1} * plan.row_stride_bits;
}
/// True at the beginning of the buffer in L1.
bool begins_anew(const UnpackPlan& plan) {
  return last_row(plan) > plan.limit_bytes * 8 && plan.fifo_bytes != 0;
}

bool narrows(const UnpackPlan& plan) {
  return plan.in == DataFormat::kFp32 &&
         (plan.out == DataFormat::kBf16 || plan.out == DataFormat::kFp16);
}

}  // namespace

Cycle UnpackDataPath::beats(const UnpackPlan& plan) const {
  const std::uint64_t bits_a_cycle = std::uint64_t{plan.beats_per_cycle} * 16 * 8;
  const auto of = [&](std::uint64_t datums) {
    return (datums * datum_bits(plan.in) + bits_a_cycle - 1) / bits_a_cycle;
  };
  if (narrows(plan)) return plan.datums / kNarrowedDatumsPerCycle;
  if (!plan.discontiguous) return of(plan.datums);
  return rows_of(plan, plan.data_bit, (plan.datums + kChunk - 1) / kChunk)
      .cycles(plan.beats_per_cycle);
}

Cycle UnpackDataPath::fetch(const UnpackPlan& plan, Cycle start) {
  const L1Client client = plan.unpacker == 0 ? L1Client::kUnpacker0 : L1Client::kUnpacker1;
  const unsigned bits = datum_bits(plan.in);
  std::uint64_t bytes = 0;
  Cycle end = start;
  const auto read = [&](std::uint64_t data_bit, std::uint32_t datums) {
    const std::uint32_t first = static_cast<std::uint32_t>(data_bit / 8);
    const std::uint32_t last = static_cast<std::uint32_t>((data_bit + datums * bits - 1) / 8);
    bytes += last - first + 1;
    end = l1_.reserve(client, first, last - first + 1, false, plan.beats_per_cycle, end);
  };
  if (plan.discontiguous && (plan.datums % kChunk != 0 || begins_anew(plan))) {
    std::uint64_t row = plan.data_bit;
    for (std::uint32_t i = 0; i < plan.datums; i += kChunk) {
      read(row, std::min(plan.datums - i, kChunk));
      row += plan.row_stride_bits;
      if (row > plan.limit_bytes * 8) row -= plan.fifo_bytes * 8;
    }
  } else if (plan.discontiguous) {
    const L1Rows rows = rows_of(plan, plan.data_bit, plan.datums / kChunk);
    bytes += std::uint64_t{rows.count} * rows.bytes;
    end = l1_.reserve_rows(client, rows, plan.beats_per_cycle, end);
  } else {
    read(plan.data_bit, plan.datums);
  }
  if (plan.exponents_in_l1) {
    const std::uint32_t first = static_cast<std::uint32_t>(plan.exponent16 / 16);
    const std::uint32_t last = static_cast<std::uint32_t>((plan.exponent16 + plan.datums - 1) / 16);
    bytes += last - first + 1;
    end =
        std::max(end, l1_.reserve(L1Client::kExponents, first, last - first + 1, false, 1, start));
  }
  counters_[plan.unpacker].datums += plan.datums;
  counters_[plan.unpacker].l1_bytes += bytes;
  if (narrows(plan)) end = std::max(end, start + plan.datums / kNarrowedDatumsPerCycle);
  return end;
}

bool UnpackDataPath::moves_rows(const UnpackPlan& plan) const {
  const bool rows_of_src = plan.datums % kColumns == 0 && plan.out_index % kColumns == 0 &&
                           !plan.upsample && !plan.transpose && plan.column_shift == 0 &&
                           !plan.to_dst;
  if (!rows_of_src || plan.zero || is_block_float(plan.in)) return false;
  return !begins_anew(plan) &&
         last_row(plan) + kColumns * datum_bits(plan.in) <= l1_.size_bytes() * 8;
}

void UnpackDataPath::move_rows(const UnpackPlan& plan, const UnpackConversion& conversion) {
  const std::uint8_t* bytes = l1_.bytes() + plan.data_bit / 8;
  SrcRows& rows = file(plan.unpacker).at_unpacker().rows;
  const unsigned first = plan.out_index / kColumns;
  const unsigned count = plan.datums / kColumns;
  if (const unsigned row = rows_side_by_side(plan, first, count); row != kNoRow) {
    return conversion.apply_rows(bytes, plan.row_stride_bits / 8, count, rows[row].data());
  }
  for (unsigned i = 0; i < count; ++i, bytes += plan.row_stride_bits / 8) {
    const unsigned row = src_row(plan, first + i);
    if (row != kNoRow) conversion.apply(bytes, 0, nullptr, kColumns, rows[row].data());
  }
}

void UnpackDataPath::move(const UnpackPlan& plan) {
  const UnpackConversion conversion(plan.in, plan.out, plan.to_dst, plan.int8_unsigned);
  if (moves_rows(plan)) return move_rows(plan, conversion);
  std::uint64_t data_bit = plan.data_bit;
  std::uint64_t exponent16 = plan.exponent16;
  std::uint32_t out_index = plan.out_index;
  std::array<std::uint32_t, kChunk> datums;
  for (std::uint32_t i = 0; i < plan.datums; i += kChunk) {
    const unsigned count = std::min(plan.datums - i, kChunk);
    if (!read_chunk(plan, conversion, data_bit, exponent16, count, datums.data())) return;
    write_chunk(plan, datums.data(), count, out_index, conversion.is_32_bit());
    data_bit += plan.row_stride_bits;
    if (data_bit > plan.limit_bytes * 8) data_bit -= plan.fifo_bytes * 8;
  }
}

/// Raises a fault. If the instruction is issued now, the coprocessor itself names it.
void UnpackDataPath::fault(const UnpackPlan& plan, const char* text) const {
  faults_.firmware(
      plan.unpacker,
      text + (plan.has_waited ? IssueFaults::text_of(plan.thread, plan.instruction, plan.pc)
                              : std::string()));
}

bool UnpackDataPath::read_chunk(const UnpackPlan& plan, const UnpackConversion& conversion,
                                std::uint64_t data_bit, std::uint64_t& exponent16, unsigned count,
                                std::uint32_t* datums) {
  const std::uint64_t size = l1_.size_bytes();
  if (data_bit + std::uint64_t{count} * datum_bits(plan.in) > size * 8) {
    fault(plan, "UNPACR from beyond the end of L1");
    return false;
  }
  std::array<std::uint8_t, kChunk> exponents;
  exponents.fill(plan.forced_exponent);
  if (plan.exponents_in_l1) {
    for (unsigned i = 0; i < count; ++i) {
      if (exponent16 / 16 >= size) {
        fault(plan, "UNPACR of exponents beyond the end of L1");
        return false;
      }
      exponents[i] = l1_.bytes()[exponent16 / 16];
      ++exponent16;
      if (exponent16 % 256 == 0 && exponent16 > plan.limit_bytes * 16) {
        exponent16 -= plan.fifo_bytes * 16;
      }
    }
  }
  if (plan.zero) {
    std::fill_n(datums, count, 0U);
    return true;
  }
  if (!conversion.apply(l1_.bytes() + data_bit / 8, static_cast<unsigned>(data_bit % 8),
                        exponents.data(), count, datums)) {
    fault(plan, "UNPACR of a block whose exponent does not fit five bits");
  }
  return true;
}

void UnpackDataPath::write_chunk(const UnpackPlan& plan, const std::uint32_t* datums,
                                 unsigned count, std::uint32_t& out_index, bool is_32_bit) {
  const bool whole_row = count == kColumns && out_index % kColumns == 0 && !plan.upsample &&
                         !plan.transpose && plan.column_shift == 0 && !plan.to_dst;
  if (whole_row) {
    write_src_row(plan, out_index / kColumns, datums);
    out_index += kColumns;
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned copy = 0; copy <= (plan.upsample ? 1U : 0U); ++copy, ++out_index) {
      if (copy != 0 && plan.upsample_skips) continue;
      const std::uint32_t datum = copy == 0 ? datums[i] : 0;
      if (plan.unpacker == 1) {
        write_src_b(plan, out_index, datum);
      } else if (plan.to_dst) {
        write_dst(out_index, datum, is_32_bit);
      } else {
        write_src_a(plan, out_index, datum);
      }
    }
  }
}

void UnpackDataPath::write_src_row(const UnpackPlan& plan, unsigned out_row,
                                   const std::uint32_t* datums) {
  const unsigned row = src_row(plan, out_row);
  if (row == kNoRow) return;
  std::copy_n(datums, kColumns, file(plan.unpacker).at_unpacker().rows[row].begin());
}

unsigned UnpackDataPath::src_b_row(const UnpackPlan& plan, unsigned out_row) const {
  return (out_row + registers_.srcb.unpacker_row[plan.thread]) % SrcBank::kRows;
}

unsigned UnpackDataPath::src_a_row(const UnpackPlan& plan, unsigned out_row) {
  if (out_row < kFirstSrcARow) return kNoRow;
  const unsigned row = out_row - kFirstSrcARow;
  if (row >= (plan.override_row ? SrcBank::kRows : kSrcARowsOfThread)) {
    // tt-metal clears SrcA before it unpacks to Dst, and the context then holds an address of Dst.
    // The page leaves these rows undefined; nothing reads them, so they keep what they have.
    if (plan.zero) return kNoRow;
    faults_.firmware(0, "UNPACR beyond the last row of SrcA");
    return kNoRow;
  }
  if (plan.override_row) return row;
  return (row + registers_.srca.unpacker_row[plan.thread]) % SrcBank::kRows;
}

/// The first of `count` rows if they are contiguous in the bank.
unsigned UnpackDataPath::rows_side_by_side(const UnpackPlan& plan, unsigned first,
                                           unsigned count) const {
  const auto within = [count](unsigned row) {
    return row + count <= SrcBank::kRows ? row : kNoRow;
  };
  if (plan.unpacker == 1) return within(src_b_row(plan, first));
  if (first < kFirstSrcARow) return kNoRow;
  const unsigned row = first - kFirstSrcARow;
  if (plan.override_row) return within(row);
  if (row + count > kSrcARowsOfThread) return kNoRow;
  return within((row + registers_.srca.unpacker_row[plan.thread]) % SrcBank::kRows);
}

void UnpackDataPath::write_src_b(const UnpackPlan& plan, std::uint32_t out_index,
                                 std::uint32_t datum) {
  const unsigned row = src_b_row(plan, out_index / kColumns);
  registers_.srcb.at_unpacker().rows[row][out_index % kColumns] = datum;
}

void UnpackDataPath::write_src_a(const UnpackPlan& plan, std::uint32_t out_index,
                                 std::uint32_t datum) {
  unsigned column = out_index % kColumns;
  if (column < plan.column_shift) return;
  column -= plan.column_shift;
  unsigned row = src_a_row(plan, out_index / kColumns);
  if (row == kNoRow) return;
  if (plan.transpose) {
    const unsigned low = row % 16;
    row = row - low + column;
    column = low;
  }
  registers_.srca.at_unpacker().rows[row][column] = datum;
}

void UnpackDataPath::write_dst(std::uint32_t out_index, std::uint32_t datum, bool is_32_bit) {
  const unsigned row = (out_index / kColumns - 4) % Dst::kRows;
  const unsigned column = out_index % kColumns;
  Dst& dst = registers_.dst;
  if (is_32_bit) {
    dst.define32(row);
    dst.write32(row, column, datum);
  } else {
    dst.define16(row);
    dst.write16(row, column, static_cast<std::uint16_t>(datum));
  }
}

void UnpackDataPath::report_dst_rows(const UnpackPlan& plan, Cycle now, Cycle done) const {
  using Kind = support::ProbeEvent::Kind;
  const support::Probe* const probe = registers_.dst_reports.probe_for(Kind::kDstWritten);
  if (probe == nullptr) return;
  const UnpackConversion conversion(plan.in, plan.out, plan.to_dst, plan.int8_unsigned);
  const unsigned first = plan.out_index / kColumns;
  const unsigned last = (plan.out_index + plan.datums - 1) / kColumns;
  probe->report({.kind = Kind::kDstWritten,
                 .agent = plan.unpacker == 0 ? support::BusMaster::kUnpacker0
                                             : support::BusMaster::kUnpacker1,
                 .layout = registers_.dst.layout(conversion.is_32_bit()),
                 .pc = plan.pc,
                 .index = (first - 4) % Dst::kRows,
                 .instruction = plan.instruction,
                 .thread = static_cast<std::uint8_t>(plan.thread),
                 .rows = static_cast<std::uint16_t>(last - first + 1),
                 .units = 1,
                 .cycle = now,
                 .done = done,
                 .offered = probe->offered()});
}

namespace {

/// Reports reads singly, but contiguous ones as one.
class ReadTeller {
 public:
  ReadTeller(L1Port& l1, const UnpackPlan& plan, Cycle now, Cycle done)
      : l1_(l1),
        access_{.agent = plan.unpacker == 0 ? support::BusMaster::kUnpacker0
                                            : support::BusMaster::kUnpacker1,
                .now = now,
                .done = done} {}
  ~ReadTeller() { tell(); }
  ReadTeller(const ReadTeller&) = delete;
  ReadTeller& operator=(const ReadTeller&) = delete;

  void read(std::uint64_t first, std::uint64_t end) {
    if (access_.bytes == 0 || access_.address + access_.bytes != first) {
      tell();
      access_.address = static_cast<std::uint32_t>(first);
      access_.bytes = 0;
    }
    access_.bytes += static_cast<std::uint32_t>(end - first);
  }

 private:
  void tell() {
    if (access_.bytes != 0) l1_.tell_read(access_);
  }

  L1Port& l1_;
  L1Access access_;
};

}  // namespace

/// Reports reads of contiguous data; rows with gaps between them are not followed.
void UnpackDataPath::report_read(const UnpackPlan& plan, Cycle now, Cycle done) const {
  const std::uint64_t first = plan.data_bit / 8;
  const std::uint64_t end =
      (plan.data_bit + std::uint64_t{plan.datums} * datum_bits(plan.in) + 7) / 8;
  const bool begins_anew = end > plan.limit_bytes && plan.fifo_bytes != 0;
  if (plan.discontiguous || begins_anew || end > l1_.size_bytes()) return;
  l1_.report(support::ProbeEvent::Kind::kRead,
             {.agent = plan.unpacker == 0 ? support::BusMaster::kUnpacker0
                                          : support::BusMaster::kUnpacker1,
              .address = static_cast<std::uint32_t>(first),
              .bytes = static_cast<std::uint32_t>(end - first),
              .now = now,
              .done = done,
              .instruction = plan.instruction,
              .thread = static_cast<std::uint8_t>(plan.thread)});
}

void UnpackDataPath::report_page(const UnpackPlan& plan, Cycle now) const {
  using Kind = support::ProbeEvent::Kind;
  const support::Probe* const probe = l1_.probe();
  if (probe == nullptr || !probe->wants(Kind::kUnpack)) return;
  const std::uint64_t bits =
      plan.discontiguous ? 8 : std::uint64_t{plan.datums} * datum_bits(plan.in);
  const std::uint64_t first = plan.data_bit / 8, end = (plan.data_bit + bits + 7) / 8;
  const bool begins_anew = end > plan.limit_bytes && plan.fifo_bytes != 0;
  if (begins_anew || end > l1_.size_bytes()) return;
  probe->report({.kind = Kind::kUnpack,
                 .agent = plan.unpacker == 0 ? support::BusMaster::kUnpacker0
                                             : support::BusMaster::kUnpacker1,
                 .pc = probe->pushed_at(),
                 .bytes = static_cast<std::uint32_t>(end - first),
                 .instruction = plan.instruction,
                 .thread = static_cast<std::uint8_t>(plan.thread),
                 .value = 1 + static_cast<std::uint32_t>(plan.in),
                 .stored_end = probe->stored_end(),
                 .address = first,
                 .cycle = now});
}

/// Reports reads as move() makes them: chunk by chunk, from a FIFO that may wrap between two.
void UnpackDataPath::tell_each(const UnpackPlan& plan, Cycle now, Cycle done) {
  {
    ReadTeller data(l1_, plan, now, done);
    std::uint64_t bit = plan.data_bit;
    for (std::uint32_t i = 0; i < plan.datums; i += kChunk) {
      const std::uint64_t end = bit + std::min(plan.datums - i, kChunk) * datum_bits(plan.in);
      data.read(bit / 8, (end + 7) / 8);
      bit += plan.row_stride_bits;
      if (bit > plan.limit_bytes * 8) bit -= plan.fifo_bytes * 8;
    }
  }
  if (!plan.exponents_in_l1) return;
  ReadTeller exponents(l1_, plan, now, done);
  std::uint64_t exponent16 = plan.exponent16;
  for (std::uint32_t i = 0; i < plan.datums; ++i) {
    if (i == 0 || exponent16 % 16 == 0) exponents.read(exponent16 / 16, exponent16 / 16 + 1);
    ++exponent16;
    if (exponent16 % 256 == 0 && exponent16 > plan.limit_bytes * 16) {
      exponent16 -= plan.fifo_bytes * 16;
    }
  }
}

}  // namespace tvp::tensix::coprocessor
