#include "models/tensix/coprocessor/unpackers.h"

#include <algorithm>
#include <utility>

#include "models/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace cfg = regs::config;
namespace op = regs::tensix;
using foundation::FaultKind;

constexpr unsigned kChunk = UnpackConversion::kMaxDatums;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool is_4_byte(DataFormat f) { return datum_bits(f) == 32; }
bool is_2_byte(DataFormat f) { return datum_bits(f) == 16; }

}  // namespace

Unpackers::Unpackers(const MovementConfig& config, const BackendConfig& backend_config,
                     AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
                     foundation::FaultPolicy& faults, std::string where)
    : config_(config),
      backend_config_(backend_config),
      counters_(counters),
      registers_(registers),
      l1_(l1),
      faults_(faults),
      where_(std::move(where)) {}

Issue Unpackers::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  registers_.settle(now);
  if (op::opcode_of(instruction) == op::Opcode::kUnpacrNop) {
    return issue_nop(instruction, thread, now);
  }
  if (op::Unpacr::kFlushCache.of(instruction) ||
      op::Unpacr::kIncrementContextCounter.of(instruction)) {
    return issue_context(instruction, thread, now);
  }
  return issue_regular(instruction, thread, now);
}

// ---- UNPACR -------------------------------------------------------------------------------------

Issue Unpackers::issue_regular(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  if (unit.waiting) return Issue::blocked();

  Pending pending;
  Plan& plan = pending.plan;
  plan.unpacker = unpacker;
  plan.thread = thread;
  plan.zero = op::Unpacr::kAllDatumsAreZero.of(instruction) != 0;
  unsigned adc = thread;
  const unsigned context = select_context(instruction, thread, adc);
  pending.valid =
      plan_source(instruction, context, adc, plan) && plan_destination(instruction, context, plan);
  plan_speed(plan);
  plan.int8_unsigned =
      (unpacker == 0 ? cfg::alu::kSrcAUnsigned : cfg::alu::kSrcBUnsigned).get(bank(thread)) != 0;
  pending.generated = now + config_.unpack_address_cycles;
  pending.flips = op::Unpacr::kFlipSrc.of(instruction) != 0;
  pending.steps_row = cfg::kUnpacker[unpacker].src_reg_set_update.get(bank(thread)) != 0;
  pending.set_base = set_base(unpacker, thread);
  advance(instruction, thread, context, adc);
  generator_free_ = pending.generated;
  unit.counters.instructions += 1;

  if (file(unpacker).at_unpacker().allowed_client != SrcClient::kUnpackers) {
    unit.waiting = true;
    unit.pending = pending;
    return Issue::started(pending.generated, pending.generated, pending.generated);
  }
  const Cycle done = bring_in(unit, pending);
  return Issue::started(pending.generated, done, pending.generated);
}

bool Unpackers::banks_given_back(Cycle now) {
  bool any = false;
  for (unsigned i = 0; i < kUnpackers; ++i) {
    Unit& unit = units_[i];
    if (!unit.waiting || file(i).at_unpacker().allowed_client != SrcClient::kUnpackers) continue;
    registers_.settle(now);
    unit.waiting = false;
    bring_in(unit, unit.pending);
    any = true;
  }
  return any;
}

/// Moves the datums into the bank, which belongs to the unpackers. The first datum reaches it no
/// earlier than it was given: until then the pipeline holds what was fetched, and fetches no more.
Cycle Unpackers::bring_in(Unit& unit, const Pending& pending) {
  const Plan& plan = pending.plan;
  SrcFile& src = file(plan.unpacker);
  const Cycle pipeline = config_.unpack_pipeline_cycles;
  const Cycle given = src.at_unpacker().allowed_from;
  const Cycle start = std::max(
      {pending.generated, unit.fetch_free, given > pipeline ? given - pipeline : Cycle{0}});
  Cycle fetched = start;
  if (pending.valid && plan.datums != 0) {
    move(plan);
    fetched = fetch(plan, start);
  }
  const Cycle done = std::max(fetched + pipeline, unit.data_done);
  unit.accepts_from = start;
  unit.fetch_free = fetched;
  unit.data_done = done;
  unit.idle_from[plan.thread] = std::max(unit.idle_from[plan.thread], done);
  unit.counters.fetch_cycles += fetched - start;
  if (pending.flips) {
    src.unpacker_flip(plan.thread, pending.set_base, done);
    unit.counters.banks_given += 1;
  } else if (pending.steps_row) {
    src.unpacker_row[plan.thread] = static_cast<std::uint8_t>(
        (src.unpacker_row[plan.thread] + 16 + (pending.set_base << 4)) & 0x3F);
  }
  return done;
}

unsigned Unpackers::select_context(std::uint32_t instruction, unsigned thread, unsigned& adc) {
  if (!op::Unpacr::kMultiContextMode.of(instruction)) return 0;
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  unsigned context = op::Unpacr::kUseContextCounter.of(instruction)
                         ? units_[unpacker].context_counter[thread]
                         : op::Unpacr::kContextNumber.of(instruction);
  context += cfg::thread::context_offset(unpacker).get(backend_config_.thread[thread]);
  context &= 7;
  adc = op::Unpacr::kContextAdc.of(instruction);
  if (unpacker == 1 && context >= 2) {
    fault(FaultKind::kFirmware, unpacker, "UNPACR of unpacker 1 with a context above 1");
    context &= 1;
  }
  if (adc == 3) {
    fault(FaultKind::kFirmware, unpacker, "UNPACR with ContextADC 3");
    adc = thread;
  }
  return context;
}

bool Unpackers::plan_source(std::uint32_t instruction, unsigned context, unsigned adc, Plan& plan) {
  const auto& words = bank(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const bool multi = op::Unpacr::kMultiContextMode.of(instruction) != 0;

  const bool uncompressed =
      multi ? f.disable_zero_compress(context).get(words) : f.tile.is_uncompressed.get(words);
  if (!uncompressed) {
    fault(FaultKind::kUnmodelled, plan.unpacker, "UNPACR of compressed data");
    return false;
  }
  const bool own_formats = multi && f.override_data_format.get(words) != 0;
  plan.in = static_cast<DataFormat>(own_formats ? f.data_format_context(context).get(words)
                                                : f.tile.in_data_format.get(words));
  plan.out = static_cast<DataFormat>(own_formats ? f.out_data_format_context(context).get(words)
                                                 : f.out_data_format.get(words));
  const unsigned bits = datum_bits(plan.in);
  if (bits == 0) {
    fault(FaultKind::kFirmware, plan.unpacker, "UNPACR with a reserved input format");
    return false;
  }

  const std::uint32_t x_dim = multi && plan.unpacker == 0
                                  ? f.tile_x_dim_context(context & 3).get(words)
                                  : f.tile.x_dim.get(words);
  const std::uint32_t y_dim = f.tile.y_dim.get(words);
  const std::uint32_t z_dim = std::max(f.tile.z_dim.get(words), 1U);
  const std::uint32_t w_dim = std::max(f.tile.w_dim.get(words), 1U);
  const bool own_base = multi && context != 0;
  std::uint32_t address =
      own_base ? f.base_context(context).get(words) + f.offset_context(context & 3).get(words)
               : f.base_address.get(words) + f.offset_address.get(words);
  address = (address + 1 + f.tile.digest_size.get(words)) * 16;

  const std::uint32_t first = first_datum(instruction, context, adc, x_dim, plan);
  plan.limit_bytes = std::uint64_t{f.limit_address.get(words)} * 16;
  plan.fifo_bytes = std::uint64_t{f.fifo_size.get(words)} * 16;
  if (is_block_float(plan.in)) {
    if (f.force_shared_exp.get(words)) {
      plan.forced_exponent = static_cast<std::uint8_t>(f.forced_shared_exp.get(words));
    } else {
      plan.exponents_in_l1 = true;
      plan.exponent16 = std::uint64_t{address} * 16 + first;
      if (plan.exponent16 > plan.limit_bytes * 16) plan.exponent16 -= plan.fifo_bytes * 16;
      // BFP4 and BFP2 may say that there is no section of exponents in front of the data.
      if (bits == 8 || !f.tile.no_bfp_exp_section.get(words)) {
        const std::uint32_t exponents = (x_dim * y_dim * z_dim * w_dim + 15) / 16;
        address += round_up(exponents, 16);
      }
    }
  }
  plan.data_bit = std::uint64_t{address} * 8 + std::uint64_t{first} * bits;
  if (plan.data_bit > plan.limit_bytes * 8) plan.data_bit -= plan.fifo_bytes * 8;

  plan.discontiguous = f.tileize_mode.get(words) != 0;
  plan.row_stride_bits = bits * kChunk;
  if (plan.discontiguous) {
    plan.row_stride_bits =
        8 * (f.shift_amount(0).get(words) << 4 | f.shift_amount(1).get(words) << 8 |
             f.shift_amount(2).get(words) << 12);
  }
  return true;
}

std::uint32_t Unpackers::first_datum(std::uint32_t instruction, unsigned context, unsigned adc,
                                     std::uint32_t x_dim, Plan& plan) {
  const unsigned unpacker = plan.unpacker;
  // Position in the plane is taken from the selected thread's counters, Z and W from the issuer's.
  const AddressChannels& xy = counters_.of(adc).unpacker[unpacker];
  const AddressCounter& zw = counters_.of(plan.thread).unpacker[unpacker].channel[0];
  const auto& words = bank(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[unpacker];

  std::uint32_t x = xy.channel[0].x;
  std::uint32_t y = xy.channel[0].y;
  std::uint32_t end = xy.channel[1].x + 1;
  const std::uint32_t blobs = f.tile.blobs_per_xy_plane.get(words);
  if (op::Unpacr::kRowSearch.of(instruction) && blobs != 0) {
    const bool own = op::Unpacr::kMultiContextMode.of(instruction) && unpacker == 0;
    const std::uint32_t starts =
        own ? cfg::blobs_y_start(context >> 1 & 1).get(words)
            : f.tile.blobs_y_start_low.get(words) | f.tile.blobs_y_start_high.get(words) << 16;
    const auto start_of = [&](std::uint32_t i) { return (starts >> (4 * (i & 7)) & 0xF) << 4; };
    const std::uint32_t next = (xy.channel[0].x & 7) + 1;
    x = start_of(y);
    y = 0;
    end = next == blobs ? x_dim & 0x1F0 : start_of(next);
  } else if (op::Unpacr::kRowSearch.of(instruction)) {
    x = 0;
    end = xy.channel[1].x;
  }
  plan.datums = end - x;
  constexpr std::uint32_t kMost = 1U << 18;  // values of X
  if (plan.datums > kMost) {
    fault(FaultKind::kFirmware, unpacker, "UNPACR whose end of row lies before its start");
    plan.datums = 0;
  }
  const std::uint32_t z_dim = std::max(f.tile.z_dim.get(words), 1U);
  return ((zw.w * z_dim + zw.z) * f.tile.y_dim.get(words) + y) * x_dim + x;
}

bool Unpackers::plan_destination(std::uint32_t instruction, unsigned context, Plan& plan) {
  const auto& words = bank(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const bool multi = op::Unpacr::kMultiContextMode.of(instruction) != 0;
  if (plan.unpacker == 0) {
    plan.to_dst = multi ? f.unpack_to_dst_context(context).get(words) : f.unpack_to_dst.get(words);
    plan.transpose = f.haloize_mode.get(words) != 0;  // unpacker 1 ignores it
    if (!plan.discontiguous) plan.column_shift = f.shift_amount(context & 3).get(words);
  }
  plan.override_row =
      cfg::thread::kSrcASetOverrideWithAddr.get(backend_config_.thread[plan.thread]) != 0;
  const std::uint32_t rate = f.upsample_rate.get(words);
  plan.upsample = rate != 0;
  plan.upsample_skips = f.upsample_and_interleave.get(words) != 0;

  const AddressCounter& out = counters_.of(plan.thread).unpacker[plan.unpacker].channel[1];
  std::uint32_t index = f.channel1.base.get(words) + out.y * f.channel1.y_stride.get(words) +
                        out.z * f.channel1.z_stride.get(words) +
                        out.w * f.channel1.w_stride.get(words);
  const std::uint32_t datum_bytes = is_4_byte(plan.out) ? 4 : is_2_byte(plan.out) ? 2 : 1;
  bool valid = true;
  const auto require = [&](bool holds, FaultKind kind, const char* text) {
    if (holds) return;
    fault(kind, plan.unpacker, text);
    valid = false;
  };
  require(index % datum_bytes == 0, FaultKind::kFirmware,
          "UNPACR to an address that is no multiple of the datum's size");
  index /= datum_bytes;
  if (multi && plan.unpacker == 0) {
    const std::uint32_t own = f.dest_context(context & 3).get(words);
    index = plan.to_dst || f.add_dest_addr_cntr.get(words) ? index + own : own;
  }
  plan.out_index = index;

  // README.md and UNPACR_Regular.md contradict each other about what 2 and 3 insert.
  require(rate < 2, FaultKind::kUnmodelled, "UNPACR with Upsample_rate above 1");
  require(!(plan.transpose || plan.discontiguous) || plan.data_bit % 128 == 0, FaultKind::kFirmware,
          "UNPACR that transposes or tilizes from an address that is no multiple of 16");
  require(!plan.discontiguous || !plan.upsample, FaultKind::kFirmware,
          "UNPACR that tilizes and upsamples");
  require(!plan.to_dst || (plan.column_shift == 0 && !plan.transpose), FaultKind::kFirmware,
          "UNPACR to Dst with a column shift or transposition");
  require(!plan.to_dst || !plan.override_row, FaultKind::kFirmware,
          "UNPACR to Dst with SRCA_SET_SetOvrdWithAddr");
  const UnpackConversion::Support support =
      UnpackConversion::supported(plan.in, plan.out, plan.to_dst);
  if (support != UnpackConversion::Support::kYes) {
    fault(support == UnpackConversion::Support::kUnmodelled ? FaultKind::kUnmodelled
                                                            : FaultKind::kFirmware,
          plan.unpacker,
          std::string("UNPACR cannot convert ") + format_name(plan.in) + " to " +
              format_name(plan.out) + (plan.to_dst ? " in Dst" : " in Src"));
    valid = false;
  }
  return valid;
}

void Unpackers::plan_speed(Plan& plan) {
  const std::uint32_t mode = cfg::kUnpacker[plan.unpacker].throttle_mode.get(bank(plan.thread));
  if (mode == 3) fault(FaultKind::kFirmware, plan.unpacker, "UNPACR with Throttle_mode 3");
  unsigned beats = mode == 0 ? 1 : mode == 1 ? 2 : 4;
  const unsigned bits = datum_bits(plan.in);
  if (plan.upsample || (plan.to_dst && bits == 4)) beats = std::min(beats, 2U);
  if (bits == 2) beats = 1;
  if (plan.discontiguous) beats = 4;
  plan.beats_per_cycle = beats;
}

void Unpackers::advance(std::uint32_t instruction, unsigned thread, unsigned context,
                        unsigned adc) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  if (op::Unpacr::kMultiContextMode.of(instruction) &&
      op::Unpacr::kUseContextCounter.of(instruction)) {
    const unsigned next = (context + 1) & 7;
    const unsigned count = 1U << cfg::kUnpacker[unpacker].context_count.get(bank(thread));
    units_[unpacker].context_counter[thread] = static_cast<std::uint8_t>(next >= count ? 0 : next);
  }
  for (unsigned i = 0; i < kThreads; ++i) {
    if (i != thread && i != adc) continue;
    AddressChannels& channels = counters_.of(i).unpacker[unpacker];
    channels.channel[0].add_y(op::Unpacr::kCh0YInc.of(instruction));
    channels.channel[0].add_z(op::Unpacr::kCh0ZInc.of(instruction));
    channels.channel[1].add_y(op::Unpacr::kCh1YInc.of(instruction));
    channels.channel[1].add_z(op::Unpacr::kCh1ZInc.of(instruction));
  }
}

// ---- Data ---------------------------------------------------------------------------------------

Cycle Unpackers::fetch(const Plan& plan, Cycle start) {
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
  if (plan.discontiguous) {
    std::uint64_t row = plan.data_bit;
    for (std::uint32_t i = 0; i < plan.datums; i += kChunk) {
      read(row, std::min(plan.datums - i, kChunk));
      row += plan.row_stride_bits;
      if (row > plan.limit_bytes * 8) row -= plan.fifo_bytes * 8;
    }
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
  units_[plan.unpacker].counters.datums += plan.datums;
  units_[plan.unpacker].counters.l1_bytes += bytes;
  return end;
}

void Unpackers::move(const Plan& plan) {
  const UnpackConversion conversion(plan.in, plan.out, plan.to_dst, plan.int8_unsigned);
  std::uint64_t data_bit = plan.data_bit;
  std::uint64_t exponent16 = plan.exponent16;
  std::uint32_t out_index = plan.out_index;
  std::array<std::uint32_t, kChunk> datums;
  for (std::uint32_t i = 0; i < plan.datums; i += kChunk) {
    const unsigned count = std::min(plan.datums - i, kChunk);
    if (!read_chunk(plan, conversion, data_bit, exponent16, count, datums.data())) return;
    if (plan.zero) datums.fill(0);
    write_chunk(plan, datums.data(), count, out_index, conversion.is_32_bit());
    data_bit += plan.row_stride_bits;
    if (data_bit > plan.limit_bytes * 8) data_bit -= plan.fifo_bytes * 8;
  }
}

bool Unpackers::read_chunk(const Plan& plan, const UnpackConversion& conversion,
                           std::uint64_t data_bit, std::uint64_t& exponent16, unsigned count,
                           std::uint32_t* datums) {
  const std::uint64_t size = l1_.size_bytes();
  if (data_bit + std::uint64_t{count} * datum_bits(plan.in) > size * 8) {
    fault(FaultKind::kFirmware, plan.unpacker, "UNPACR from beyond the end of L1");
    return false;
  }
  std::array<std::uint8_t, kChunk> exponents;
  exponents.fill(plan.forced_exponent);
  if (plan.exponents_in_l1) {
    for (unsigned i = 0; i < count; ++i) {
      if (exponent16 / 16 >= size) {
        fault(FaultKind::kFirmware, plan.unpacker, "UNPACR of exponents beyond the end of L1");
        return false;
      }
      exponents[i] = l1_.bytes()[exponent16 / 16];
      ++exponent16;
      if (exponent16 % 256 == 0 && exponent16 > plan.limit_bytes * 16) {
        exponent16 -= plan.fifo_bytes * 16;
      }
    }
  }
  if (!conversion.apply(l1_.bytes() + data_bit / 8, static_cast<unsigned>(data_bit % 8),
                        exponents.data(), count, datums)) {
    fault(FaultKind::kFirmware, plan.unpacker,
          "UNPACR of a block whose exponent does not fit five bits");
  }
  return true;
}

void Unpackers::write_chunk(const Plan& plan, const std::uint32_t* datums, unsigned count,
                            std::uint32_t& out_index, bool is_32_bit) {
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

void Unpackers::write_src_row(const Plan& plan, unsigned out_row, const std::uint32_t* datums) {
  const unsigned row = plan.unpacker == 1 ? src_b_row(plan, out_row) : src_a_row(plan, out_row);
  if (row == kNoRow) return;
  std::copy_n(datums, kColumns, file(plan.unpacker).at_unpacker().rows[row].begin());
}

unsigned Unpackers::src_b_row(const Plan& plan, unsigned out_row) const {
  return (out_row + registers_.srcb.unpacker_row[plan.thread]) % SrcBank::kRows;
}

unsigned Unpackers::src_a_row(const Plan& plan, unsigned out_row) {
  // Rows 0 to 3 of the address space of unpacker 0 do not exist.
  constexpr unsigned kFirstRow = 4;
  if (out_row < kFirstRow) return kNoRow;
  const unsigned row = out_row - kFirstRow;
  if (row >= (plan.override_row ? SrcBank::kRows : 16U)) {
    fault(FaultKind::kFirmware, 0, "UNPACR beyond the last row of SrcA");
    return kNoRow;
  }
  if (plan.override_row) return row;
  return (row + registers_.srca.unpacker_row[plan.thread]) % SrcBank::kRows;
}

void Unpackers::write_src_b(const Plan& plan, std::uint32_t out_index, std::uint32_t datum) {
  const unsigned row = src_b_row(plan, out_index / kColumns);
  registers_.srcb.at_unpacker().rows[row][out_index % kColumns] = datum;
}

void Unpackers::write_src_a(const Plan& plan, std::uint32_t out_index, std::uint32_t datum) {
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

void Unpackers::write_dst(std::uint32_t out_index, std::uint32_t datum, bool is_32_bit) {
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

// ---- Helpers ------------------------------------------------------------------------------------

const std::array<std::uint32_t, BackendConfig::kBankWords>& Unpackers::bank(unsigned thread) const {
  return backend_config_.bank[cfg::thread::kStateId.get(backend_config_.thread[thread])];
}

unsigned Unpackers::set_base(unsigned unpacker, unsigned thread) const {
  return (unpacker == 0 ? cfg::thread::kSrcASetBase : cfg::thread::kSrcBSetBase)
      .get(backend_config_.thread[thread]);
}

void Unpackers::fault(FaultKind kind, unsigned unpacker, const std::string& text) {
  faults_.raise(foundation::Fault(kind, where_ + ".UNPACK" + std::to_string(unpacker), text));
}

}  // namespace tvp::tensix::coprocessor
