#include "models/tensix/coprocessor/packers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace cfg = regs::config;
namespace op = regs::tensix;
using foundation::FaultKind;

constexpr unsigned kAlways = 0xFFFF;

DataFormat intermediate_format(const std::array<std::uint32_t, BackendConfig::kBankWords>& words) {
  return static_cast<DataFormat>(cfg::alu::kDstFormatOverride.get(words)
                                     ? cfg::alu::kDstFormatOverrideValue.get(words)
                                     : cfg::alu::kDstFormat.get(words));
}

PackFormats formats_of(unsigned packer,
                       const std::array<std::uint32_t, BackendConfig::kBankWords>& words) {
  PackFormats f;
  f.read_32b = cfg::pack::kRead32bData.get(words) != 0;
  f.read_raw = cfg::pack::kReadRaw.get(words) != 0;
  f.read_unsigned = cfg::pack::kReadUnsigned.get(words) != 0;
  f.round_10b_mantissa = cfg::pack::kRound10bMantissa.get(words) != 0;
  if (cfg::alu::kIntDescaleEnable.get(words)) {
    f.shift_amount = cfg::global::int_descale_value(0).get(words);
  }
  f.intermediate = intermediate_format(words);
  f.late_from = static_cast<DataFormat>(cfg::kPacker[packer].in_data_format.get(words));
  f.late_to = static_cast<DataFormat>(cfg::kPacker[packer].out_data_format.get(words));
  return f;
}

constexpr L1Client kClients[] = {L1Client::kPacker0, L1Client::kPacker1, L1Client::kPacker2,
                                 L1Client::kPacker3};

}  // namespace

struct Packers::Stages {
  Stages(unsigned packer_index, const Words& bank_words)
      : packer(packer_index),
        words(bank_words),
        formats(formats_of(packer_index, bank_words)),
        early(formats),
        late(formats.late_from, formats.late_to),
        relu(cfg::alu::kApplyRelu.get(bank_words), cfg::alu::kReluThreshold.get(bank_words),
             formats.intermediate, early.type()),
        downsample(cfg::kPacker[packer_index].downsample_mask.get(bank_words)),
        reads_per_xy_plane(cfg::pack::reads_per_xy_plane(packer_index).get(bank_words)),
        yz_transposed(cfg::pack::yz_transposed(packer_index).get(bank_words) != 0),
        thresholding(cfg::kPacker[packer_index].exp_threshold_en.get(bank_words) != 0),
        threshold(cfg::kPacker[packer_index].exp_threshold.get(bank_words)) {
    if (downsample == 0) downsample = kAlways;
    const bool e5 = early.type().container == PackContainer::kE5;
    masked = cfg::pack::kEdgeMode.get(bank_words) == 0 ? 0 : e5 ? 0xFFFF : 0xFF800000;
  }

  unsigned packer;
  const Words& words;
  PackFormats formats;
  EarlyConversion early;
  LateConversion late;
  Relu relu;
  std::uint32_t downsample;
  unsigned reads_per_xy_plane;
  bool yz_transposed;
  bool thresholding;
  std::uint32_t threshold;
  std::uint32_t masked;  ///< what edge masking puts in place of a datum
  bool histogram = false;
};

Packers::Packers(const MovementConfig& config, const BackendConfig& backend_config,
                 AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
                 foundation::FaultPolicy& faults, std::string where)
    : config_(config),
      backend_config_(backend_config),
      counters_(counters),
      registers_(registers),
      l1_(l1),
      faults_(faults),
      where_(std::move(where)),
      packers_{Packer(l1), Packer(l1), Packer(l1), Packer(l1)} {}

Issue Packers::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  registers_.settle(now);
  if (op::opcode_of(instruction) == op::Opcode::kPacrSetreg) {
    return issue_setreg(instruction, thread, now);
  }
  return issue_pack(instruction, thread, now);
}

// ---- PACR ---------------------------------------------------------------------------------------

Issue Packers::issue_pack(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned selected = select_packers(instruction);
  const Words& words = bank(thread);
  const bool read_32b = cfg::pack::kRead32bData.get(words) != 0;
  std::array<Input, kPackers> inputs;
  Cycle start = now;
  for (unsigned i = 0; i < kPackers; ++i) {
    if ((selected >> i & 1) == 0) continue;
    inputs[i] = plan_input(i, instruction, thread);
    start = std::max({start, packers_[i].accepts_from, readable_from(inputs[i], read_32b)});
  }
  if (start > now) return Issue::retry_at(start);

  unsigned adcs = 0;
  Cycle done = now + 1;
  for (unsigned i = 0; i < kPackers; ++i) {
    if (!inputs[i].selected) continue;
    Packer& packer = packers_[i];
    adcs |= 1U << inputs[i].adc;
    const bool known = check_modes(i, words);
    place_output(i, inputs[i].adc, words);
    packer.counters.instructions += 1;
    packer.counters.datums += inputs[i].datums;
    packer.data.begin();
    packer.exponents.begin();
    if (cfg::kPacker[i].l1_accumulate.get(words) != 0) start_accumulation(i, words);
    Stages stages(i, words);
    stages.histogram = collects_histogram();
    if (known) run(i, inputs[i], stages);
    if (op::Pacr::kLast.of(instruction) || op::Pacr::kFlush.of(instruction)) {
      flush(packer, stages.late);
    }
    packer.tile_beats += packer.data.beats() + packer.exponents.beats();
    packer.last_thread = thread;
    if (op::Pacr::kLast.of(instruction)) end_tile(i, thread, words);
    const Cycle rows = std::max<Cycle>((inputs[i].datums + kColumns - 1) / kColumns, 1);
    const Cycle end = drain(i, now + config_.pack_pipeline_cycles, now);
    packer.accepts_from = std::max(now + rows, end - config_.pack_pipeline_cycles);
    packer.counters.busy_cycles += packer.accepts_from - now;
    const Cycle finished = std::max(end, now + rows + config_.pack_pipeline_cycles);
    packer.idle_from[thread] = std::max(packer.idle_from[thread], finished);
    done = std::max(done, finished);
  }
  advance_counters(instruction, thread, adcs);
  // Another packer may be free earlier: each is asked for by the next instruction itself.
  return Issue::started(now + 1, done);
}

unsigned Packers::select_packers(std::uint32_t instruction) {
  const unsigned mask = op::Pacr::kPackerMask.of(instruction);
  switch (mask) {
    case 0b0000:
      return 0b0001;
    case 0b0001:
    case 0b0010:
    case 0b0100:
    case 0b1000:
    case 0b0011:
    case 0b1100:
    case 0b1111:
      return mask;
    default:
      fault(FaultKind::kFirmware, 0, "PACR with a PackerMask of undefined effect");
      return mask;
  }
}

Packers::Input Packers::plan_input(unsigned packer, std::uint32_t instruction, unsigned thread) {
  const Words& words = bank(thread);
  const cfg::PackerFields& f = cfg::kPacker[packer];
  Input input;
  input.selected = true;
  input.adc = thread;
  if (op::Pacr::kOvrdThreadId.of(instruction)) {
    input.adc = f.addr_cnt_context.get(words);
    if (input.adc == 3) input.adc = 0;
  }
  const AddressChannels& channels = counters_.of(input.adc).packers;
  const AddressCounter& adc = channels.channel[0];
  const bool flush = op::Pacr::kFlush.of(instruction) != 0;
  if (!flush) input.datums = channels.channel[1].x - adc.x + 1;
  constexpr std::uint32_t kMost = 1U << 18;  // values of X
  if (input.datums > kMost) {
    fault(FaultKind::kFirmware, packer, "PACR whose last X lies before its first");
    input.datums = 0;
  }
  if (flush || op::Pacr::kZeroWrite.of(instruction)) return input;

  input.from_dst = true;
  std::uint32_t address = cfg::pack::kSource.base.get(words) +
                          adc.x * (cfg::pack::kSource.x_stride.get(words) & 0xF) +
                          adc.y * cfg::pack::kSource.y_stride.get(words) +
                          adc.z * cfg::pack::kSource.z_stride.get(words) +
                          adc.w * cfg::pack::kSource.w_stride.get(words);
  const unsigned kind = f.in_data_format.get(words) & 3;
  const std::uint32_t datum_bytes = kind == 0 ? 4 : kind == 1 ? 2 : 1;
  const std::uint32_t x_mask = 16 / datum_bytes - 1;
  address = ((address / datum_bytes) & ~x_mask) + (adc.x & x_mask);
  address += f.dest_offset.get(words) << 4;
  input.first = address & 0x3FFF;
  return input;
}

Cycle Packers::readable_from(const Input& input, bool read_32b) const {
  Cycle from = 0;
  if (!input.from_dst || input.datums == 0) return from;
  const unsigned first = input.first / kColumns;
  const unsigned last = (input.first + input.datums - 1) / kColumns;
  // Blocks of eight rows: the first, then every one that begins.
  for (unsigned row = first; row <= last; row = (row | (Dst::kBlockRows - 1)) + 1) {
    const unsigned wrapped = row % Dst::kRows;
    from = std::max(from, read_32b ? registers_.dst.readable_from32(wrapped)
                                   : registers_.dst.readable_from16(wrapped));
  }
  return from;
}

bool Packers::check_modes(unsigned packer, const Words& words) {
  const cfg::PackerFields& f = cfg::kPacker[packer];
  const bool uncompressed = cfg::kAllPackDisableZeroCompressOverride.get(words)
                                ? (cfg::kAllPackDisableZeroCompress.get(words) >> packer & 1) != 0
                                : f.disable_zero_compress.get(words) != 0;
  const struct {
    bool used;
    const char* what;
  } kModes[] = {
      {!uncompressed, "PACR with compression"},
      {packer == 0 && f.source_interface_selection.get(words) == 1, "PACR from L1 to L1"},
      {f.read_mode.get(words) != 0, "PACR with Read_mode"},
      {f.downsample_rate.get(words) != 0, "PACR with Downsample_rate"},
      {f.disable_shared_exp_assembler.get(words) != 0, "PACR with Dis_shared_exp_assembler"},
      {f.force_pack_per_max_xy_plane.get(words) != 0, "PACR with Force_pack_per_max_xy_plane"},
      {cfg::pack::per_xy_plane(packer).get(words) != 0, "PACR with pack_per_xy_plane"},
      {cfg::alu::kPackerStochasticRounding.get(words) != 0, "PACR with stochastic rounding"},
      {cfg::alu::kIntDescaleEnable.get(words) && cfg::alu::kIntDescaleMode.get(words),
       "PACR with INT_DESCALE_Mode"},
  };
  bool known = true;
  for (const auto& mode : kModes) {
    if (!mode.used) continue;
    fault(FaultKind::kUnmodelled, packer, mode.what);
    known = false;
  }
  return known;
}

void Packers::start_accumulation(unsigned packer, const Words& words) {
  const auto format = static_cast<DataFormat>(cfg::kPacker[packer].out_data_format.get(words));
  if (L1Accumulation::supports(format)) {
    packers_[packer].data.accumulate(format);
  } else {
    fault(FaultKind::kFirmware, packer,
          std::string("PACR that accumulates ") + format_name(format) + ", which L1 cannot add");
  }
}

void Packers::place_output(unsigned packer_index, unsigned adc_index, const Words& words) {
  const auto base_of = [&](unsigned i) {
    const cfg::PackerFields& f = cfg::kPacker[i];
    return f.l1_dest_addr.get(words) + (f.sub_l1_tile_header_size.get(words) ? 0U : 1U);
  };
  Packer& packer = packers_[packer_index];
  const cfg::PackerFields& f = cfg::kPacker[packer_index];
  std::uint32_t address = base_of(packer_index);
  const std::uint32_t first = base_of(0);
  if (packer_index != 0 && first >> 31 != 0) address += first;

  const AddressCounter& adc = counters_.of(adc_index).packers.channel[1];
  const std::uint32_t yzw = cfg::pack::kDestination.base.get(words) +
                            adc.y * cfg::pack::kDestination.y_stride.get(words) +
                            adc.z * cfg::pack::kDestination.z_stride.get(words) +
                            adc.w * cfg::pack::kDestination.w_stride.get(words);
  address += yzw & ~0xFU;
  if (f.add_l1_dest_addr_offset.get(words)) address += packer.l1_dest_addr_offset;
  if (address > f.limit_address.get(words) * 2 + 1) address -= f.fifo_size.get(words) * 2;

  const bool has_exponents = (f.out_data_format.get(words) & 2) != 0;
  if (has_exponents) {
    packer.exponents.place((address & 0x1FFFF) << 4);
    address += f.exp_section_size.get(words);
  }
  packer.data.place((address & 0x1FFFF) << 4);
}

void Packers::advance_counters(std::uint32_t instruction, unsigned thread, unsigned adcs) {
  const cfg::thread::AddrModPack m = cfg::thread::addr_mod_pack(op::Pacr::kAddrMod.of(instruction));
  const auto& words = backend_config_.thread[thread];
  const auto advance = [&](AddressCounter& c, const cfg::Field& y_incr, const cfg::Field& y_cr,
                           const cfg::Field& y_clear, const cfg::Field& z_incr,
                           const cfg::Field& z_clear) {
    if (y_clear.get(words)) {
      c.clear_y();
    } else if (y_cr.get(words)) {
      c.return_y(y_incr.get(words));
    } else {
      c.add_y(y_incr.get(words));
    }
    if (z_clear.get(words)) {
      c.clear_z();
    } else {
      c.add_z(z_incr.get(words));
    }
  };
  for (unsigned i = 0; i < kThreads; ++i) {
    if ((adcs >> i & 1) == 0) continue;
    AddressChannels& channels = counters_.of(i).packers;
    advance(channels.channel[0], m.y_src_incr, m.y_src_cr, m.y_src_clear, m.z_src_incr,
            m.z_src_clear);
    advance(channels.channel[1], m.y_dst_incr, m.y_dst_cr, m.y_dst_clear, m.z_dst_incr,
            m.z_dst_clear);
  }
}

// ---- Data ---------------------------------------------------------------------------------------

void Packers::run(unsigned packer_index, const Input& input, const Stages& stages) {
  if (input.datums == 0) return;
  Packer& packer = packers_[packer_index];
  const bool from_dst = input.from_dst;
  if (!stages.late.supported() ||
      (from_dst && !(stages.early.supported() && stages.late.accepts(stages.early.type())))) {
    fault(FaultKind::kUnmodelled, packer_index,
          std::string("PACR by way of ") + format_name(stages.formats.intermediate) + " from " +
              format_name(stages.formats.late_from) + " to " + format_name(stages.formats.late_to) +
              (stages.formats.read_32b ? " of 32-bit Dst" : " of 16-bit Dst"));
    return;
  }
  if (from_dst && !stages.relu.defined()) {
    fault(FaultKind::kFirmware, packer_index, "PACR with an undefined ReLU threshold");
  }
  std::uint32_t downsample = stages.downsample;
  std::array<std::uint32_t, kColumns> values{};
  for (std::uint32_t taken = 0; taken < input.datums;) {
    const std::uint32_t index = input.first + taken;
    const unsigned column = from_dst ? index % kColumns : 0;
    const unsigned count = std::min(input.datums - taken, kColumns - column);
    if (from_dst) {
      take_row(packer, stages, index / kColumns % Dst::kRows, column, count, values.data());
    }
    unsigned kept = count;
    if (downsample != kAlways) {
      kept = 0;
      for (unsigned i = 0; i < count; ++i) {
        if (downsample & 1) values[kept++] = values[i];
        downsample = (downsample << 15 & 0x8000) | downsample >> 1;
      }
    }
    emit(packer, stages.late, values.data(), kept);
    taken += count;
  }
}

void Packers::take_row(Packer& packer, const Stages& stages, unsigned row, unsigned column,
                       unsigned count, std::uint32_t* values) {
  const Dst& dst = registers_.dst;
  std::array<std::uint32_t, kColumns> raw{};
  if (stages.formats.read_32b) {
    const Dst::Row& high = dst.storage(Dst::adjusted(row));
    const Dst::Row& low = dst.storage(Dst::adjusted(row) + Dst::kBlockRows);
    if (!dst.undefined32(row)) {
      for (unsigned i = 0; i < count; ++i) {
        raw[i] = std::uint32_t{high[column + i]} << 16 | low[column + i];
      }
    }
  } else if (!dst.undefined16(row)) {
    const Dst::Row& datums = dst.storage(dst.storage16(row));
    for (unsigned i = 0; i < count; ++i) raw[i] = datums[column + i];
  }
  stages.early.apply(raw.data(), count, values);
  mask_edges(packer, stages, column, count, values);
  if (stages.relu.active()) {
    for (unsigned i = 0; i < count; ++i) values[i] = stages.relu.apply(values[i]);
  }
  count_exponents(packer, stages, count, values);
}

void Packers::mask_edges(Packer& packer, const Stages& stages, unsigned column, unsigned count,
                         std::uint32_t* values) {
  TilePosition& position = packer.position;
  for (unsigned i = 0; i < count;) {
    // The position need not be at the column of Dst: up to where it begins a row.
    const unsigned run = std::min(count - i, kColumns - position.x);
    const std::uint32_t mask = edge_mask(stages.packer, position, stages.words) >> (column + i);
    if ((~mask & ((1U << run) - 1)) != 0) {
      for (unsigned k = 0; k < run; ++k) {
        if ((mask >> k & 1) == 0) values[i + k] = stages.masked;
      }
    }
    i += run;
    position.x += run;
    if (position.x < kColumns) continue;
    position.x = 0;
    unsigned& inner = stages.yz_transposed ? position.z : position.y;
    unsigned& outer = stages.yz_transposed ? position.y : position.z;
    if (++inner == stages.reads_per_xy_plane) {
      inner = 0;
      ++outer;
    }
  }
}

/// Exponent histogram, then exponent thresholding.
void Packers::count_exponents(Packer& packer, const Stages& stages, unsigned count,
                              std::uint32_t* values) {
  const PackContainer container = stages.early.type().container;
  std::array<std::uint8_t, kColumns> exponents;
  for (unsigned i = 0; i < count; ++i) {
    exponents[i] = static_cast<std::uint8_t>(exponent_of(values[i], container));
  }
  std::uint8_t largest = packer.histogram.max_exponent;
  for (unsigned i = 0; i < count; ++i) largest = std::max(largest, exponents[i]);
  packer.histogram.max_exponent = largest;
  if (stages.histogram) {
    for (unsigned i = 0; i < count; ++i) {
      std::uint8_t& bin = packer.histogram.bins[exponents[i] % kExponentBins];
      if (bin != 255) ++bin;
    }
  }
  if (stages.thresholding) {
    for (unsigned i = 0; i < count; ++i) {
      if (exponents[i] < stages.threshold) values[i] = 0;
    }
  }
}

std::uint32_t Packers::edge_mask(unsigned packer, const TilePosition& position,
                                 const Words& words) const {
  unsigned set = cfg::pack::edge_row_set_select(packer).get(words);
  if (cfg::pack::kEdgeFaceSetEnable.get(words)) {
    const unsigned z = cfg::kPacker[packer].dest_z_offset.get(words) + position.z;
    const unsigned faces = cfg::pack::edge_face_set_select(packer).get(words);
    set = cfg::pack::face_set_mapping(faces, z & 0xF).get(words);
  }
  const unsigned section = cfg::pack::row_set_mapping(set, position.y & 0xF).get(words);
  return cfg::pack::edge_mask(section).get(words);
}

void Packers::emit(Packer& packer, const LateConversion& late, const std::uint32_t* values,
                   unsigned count) {
  if (!late.is_block()) {
    std::array<std::uint32_t, kColumns> bits;
    late.apply(values, count, bits.data());
    packer.data.append(bits.data(), count, late.bits());
    return;
  }
  for (unsigned i = 0; i < count; ++i) {
    packer.block[packer.block_datums++] = values[i];
    if (packer.block_datums == LateConversion::kBlock) emit_block(packer, late);
  }
}

void Packers::emit_block(Packer& packer, const LateConversion& late) {
  std::array<std::uint32_t, LateConversion::kBlock> bits;
  const std::uint32_t exponent = late.apply_block(packer.block.data(), bits.data());
  packer.exponents.append(&exponent, 1, 8);
  packer.data.append(bits.data(), LateConversion::kBlock, late.bits());
  packer.block_datums = 0;
}

void Packers::flush(Packer& packer, const LateConversion& late) {
  if (packer.block_datums != 0) {
    std::fill(packer.block.begin() + packer.block_datums, packer.block.end(), 0);
    emit_block(packer, late);
  }
  packer.exponents.end_tile();
  packer.data.end_tile();
  // The tile position is not said to restart; a tile ends here (assumed).
  packer.position = {};
}

/// ISA TensixTile/TDMA-RISC.md, sideband metadata.
void Packers::end_tile(unsigned packer_index, unsigned thread, const Words& words) {
  Packer& packer = packers_[packer_index];
  packer.last_tile_size = static_cast<std::uint16_t>(packer.tile_beats);
  const unsigned header = cfg::kPacker[packer_index].add_tile_header_size.get(words);
  std::uint16_t& sum = packer.accumulated_tile_size[thread];
  sum = static_cast<std::uint16_t>(sum + packer.tile_beats + header);
  packer.tile_beats = 0;
  packer.counters.tiles += 1;
}

Cycle Packers::drain(unsigned packer_index, Cycle start, Cycle now) {
  Packer& packer = packers_[packer_index];
  Cycle end = std::max(start, packer.writes_free);
  for (PackStream* stream : {&packer.exponents, &packer.data}) {
    if (stream->take_overrun()) {
      fault(FaultKind::kFirmware, packer_index, "PACR beyond the end of L1");
    }
    if (stream->beats() == 0) continue;
    const std::uint32_t bytes = stream->beats() * PackStream::kBeatBytes;
    const L1Client client = kClients[packer_index];
    end = stream->accumulates() ? l1_.accumulate(client, stream->first_byte(), bytes,
                                                 config_.pack_accumulate_cycles, end)
                                : l1_.reserve(client, stream->first_byte(), bytes, true, 1, end);
    l1_.written(stream->first_byte(), bytes, now, agent_order_);
    packer.counters.l1_bytes += bytes;
  }
  packer.writes_free = end;
  return end;
}

// ---- PACR_SETREG --------------------------------------------------------------------------------

Issue Packers::issue_setreg(std::uint32_t instruction, unsigned thread, Cycle now) {
  using Setreg = op::PacrSetreg;
  if ((instruction & Setreg::kFixed) != Setreg::kFixed) {
    fault(FaultKind::kUnmodelled, 0, "PACR_SETREG with other than the documented fixed bits");
  }
  Cycle when = now + 1;
  for (unsigned i = 0; i < kPackers; ++i) {
    const Packer& packer = packers_[i];
    if (packer.data.holds_data() || packer.exponents.holds_data() || packer.block_datums != 0) {
      fault(FaultKind::kUnmodelled, i, "PACR_SETREG while a packer holds less than 16 bytes");
    }
    when = std::max(when, packer.writes_free);
  }
  if (setreg_ == nullptr || register_writer_ == nullptr) {
    fault(FaultKind::kUnmodelled, 0, "PACR_SETREG without a way to registers");
    return Issue::started(now + 1, when);
  }
  const unsigned format = cfg::kPacker[0].out_data_format.get(bank(thread));
  const std::uint32_t value = Setreg::kValue10.of(instruction);
  const std::uint32_t high = value * setreg_->high_scaler[format & 3];
  const std::uint32_t address = 0xFFB00000 + setreg_->base[Setreg::kAddrSel.of(instruction)] +
                                (Setreg::kAddrMid.of(instruction) << 12);
  if (address < 0xFFB11000) {
    fault(FaultKind::kFirmware, 0, "PACR_SETREG to an address below 0xFFB11000");
  } else if (address < 0xFFB80000) {
    register_writer_->write_register(address, value + ((high & 0x1FFFF) << 12), when);
  }
  packers_[0].idle_from[thread] = std::max(packers_[0].idle_from[thread], when);
  return Issue::started(now + 1, when);
}

bool Packers::collects_histogram() const {
  for (const auto& thread : backend_config_.thread) {
    if (cfg::thread::kEnableAccStats.get(thread)) return true;
  }
  return false;
}

void Packers::clear_exponent_histograms() {
  for (Packer& packer : packers_) packer.histogram = {};
}

const Packers::Words& Packers::bank(unsigned thread) const {
  return backend_config_.bank[cfg::thread::kStateId.get(backend_config_.thread[thread])];
}

void Packers::fault(FaultKind kind, unsigned packer, const std::string& text) {
  faults_.raise(foundation::Fault(kind, where_ + ".PACK" + std::to_string(packer), text));
}

}  // namespace tvp::tensix::coprocessor
