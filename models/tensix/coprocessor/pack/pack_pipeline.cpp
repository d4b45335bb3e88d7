#include "models/tensix/coprocessor/pack/pack_pipeline.h"

#include <algorithm>
#include <string>

#include "models/tensix/coprocessor/lanes/lanes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace cfg = regs::config;

constexpr L1Client kClients[] = {L1Client::kPacker0, L1Client::kPacker1, L1Client::kPacker2,
                                 L1Client::kPacker3};

/// Bits that pass from the early to the late conversion in a cycle. On silicon a tile that becomes
/// BFP8 takes hardly less time than one that stays BF16 (tt-metal
/// tt_metal/tt-llk/docs/perf_evaluation/results/ wormhole-nonsol, PACK_ISOLATE).
constexpr unsigned kCarriedBits = 128;
/// Cycles of a row of FP32, from products that packers limit (same source, data/
/// serial_replay_movers.csv, one step of BFP8 or FP16 into a Dst of 32 bits). A tile that becomes
/// FP16 takes 87 to 99 cycles, one that stays FP32 98 to 107.
constexpr Cycle kNarrowedRow = 5, kWideRow = 6;

/// Bits of a datum in the pipeline. A BFP8 datum has its own exponent and is as wide as BF16 (ISA
/// Packers/FormatConversion.md, below the table of formats).
unsigned carried_bits(DataFormat format) {
  return is_block_float(format) ? 16 : datum_bits(format);
}
/// Cycles in which the datums pass from the early to the late conversion.
Cycle carried(const PackStages& stages, std::uint32_t datums) {
  const unsigned bits = carried_bits(stages.formats.late_from);
  if (bits < 32) return (datums * bits + kCarriedBits - 1) / kCarriedBits;
  const Cycle row = datum_bits(stages.formats.late_to) < 32 ? kNarrowedRow : kWideRow;
  return (datums * row + kColumns - 1) / kColumns;
}

constexpr support::BusMaster kAgents[] = {
    support::BusMaster::kPacker0, support::BusMaster::kPacker1, support::BusMaster::kPacker2,
    support::BusMaster::kPacker3};

}  // namespace

PackPipeline::PackPipeline(unsigned index, const MovementConfig& config, const Dst& dst, L1Port& l1,
                           const UnitFaults& faults)
    : index_(index),
      config_(config),
      dst_(dst),
      l1_(l1),
      faults_(faults),
      data_(l1),
      exponents_(l1) {}

bool PackPipeline::check_modes(const Words& words) {
  const cfg::PackerFields& f = cfg::kPacker[index_];
  const bool uncompressed = cfg::kAllPackDisableZeroCompressOverride.get(words)
                                ? (cfg::kAllPackDisableZeroCompress.get(words) >> index_ & 1) != 0
                                : f.disable_zero_compress.get(words) != 0;
  if (!uncompressed && words[f.disable_zero_compress.addr32] == 0) {
    faults_.firmware(index_,
                     "PACR by a packer that nothing has configured: an init function is missing "
                     "(compute_kernel_hw_startup, or one of the operation)");
    return false;
  }
  const struct {
    bool used;
    const char* what;
  } kModes[] = {
      {!uncompressed, "PACR with compression"},
      {index_ == 0 && f.source_interface_selection.get(words) == 1, "PACR from L1 to L1"},
      {f.read_mode.get(words) != 0, "PACR with Read_mode"},
      {f.downsample_rate.get(words) != 0, "PACR with Downsample_rate"},
      {f.disable_shared_exp_assembler.get(words) != 0, "PACR with Dis_shared_exp_assembler"},
      {f.force_pack_per_max_xy_plane.get(words) != 0, "PACR with Force_pack_per_max_xy_plane"},
      {cfg::pack::per_xy_plane(index_).get(words) != 0, "PACR with pack_per_xy_plane"},
      {cfg::alu::kPackerStochasticRounding.get(words) != 0, "PACR with stochastic rounding"},
      {cfg::alu::kIntDescaleEnable.get(words) && cfg::alu::kIntDescaleMode.get(words),
       "PACR with INT_DESCALE_Mode"},
  };
  bool known = true;
  for (const auto& mode : kModes) {
    if (!mode.used) continue;
    faults_.unmodelled(index_, mode.what);
    known = false;
  }
  return known;
}

void PackPipeline::start_accumulation(const Words& words) {
  const auto format = static_cast<DataFormat>(cfg::kPacker[index_].out_data_format.get(words));
  if (L1Accumulation::supports(format)) {
    data_.accumulate(format);
  } else {
    faults_.firmware(index_, std::string("PACR that accumulates ") + format_name(format) +
                                 ", which L1 cannot add");
  }
}

void PackPipeline::place_output(const AddressCounter& adc, const Words& words) {
  const auto base_of = [&](unsigned i) {
    const cfg::PackerFields& f = cfg::kPacker[i];
    return f.l1_dest_addr.get(words) + (f.sub_l1_tile_header_size.get(words) ? 0U : 1U);
  };
  const cfg::PackerFields& f = cfg::kPacker[index_];
  std::uint32_t address = base_of(index_);
  const std::uint32_t first = base_of(0);
  if (index_ != 0 && first >> 31 != 0) address += first;

  const std::uint32_t yzw = cfg::pack::kDestination.base.get(words) +
                            adc.y * cfg::pack::kDestination.y_stride.get(words) +
                            adc.z * cfg::pack::kDestination.z_stride.get(words) +
                            adc.w * cfg::pack::kDestination.w_stride.get(words);
  address += yzw & ~0xFU;
  if (f.add_l1_dest_addr_offset.get(words)) address += l1_dest_addr_offset_;
  if (address > f.limit_address.get(words) * 2 + 1) address -= f.fifo_size.get(words) * 2;

  const bool has_exponents = (f.out_data_format.get(words) & 2) != 0;
  if (has_exponents) {
    exponents_.place((address & 0x1FFFF) << 4);
    address += f.exp_section_size.get(words);
  }
  data_.place((address & 0x1FFFF) << 4);
}

Cycle PackPipeline::pack(const Work& work, Cycle now) {
  const Words& words = work.words;
  const bool known = check_modes(words);
  place_output(work.output, words);
  counters_.instructions += 1;
  counters_.datums += work.input.datums;
  data_.begin();
  exponents_.begin();
  if (cfg::kPacker[index_].l1_accumulate.get(words) != 0) start_accumulation(words);
  PackStages stages(index_, words);
  stages.histogram = work.histogram;
  if (known) run(work.input, stages);
  if (work.last || work.flush) flush(stages.late);
  tile_beats_ += data_.beats() + exponents_.beats();
  last_thread_ = work.thread;
  if (work.last) end_tile(work.thread, words);
  const Cycle rows = std::max<Cycle>((work.input.datums + kColumns - 1) / kColumns, 1);
  const Cycle end = std::max(
      drain(work, now), now + carried(stages, work.input.datums) + config_.pack_pipeline_cycles);
  accepts_from_ = std::max(now + rows, end - config_.pack_pipeline_cycles);
  counters_.busy_cycles += accepts_from_ - now;
  writes_free_ = std::max(writes_free_, end);
  const Cycle finished = std::max(end, now + rows + config_.pack_pipeline_cycles);
  occupy(work.thread, finished);
  return finished;
}

// ---- Data ---------------------------------------------------------------------------------------

void PackPipeline::run(const Input& input, const PackStages& stages) {
  if (input.datums == 0) return;
  const bool from_dst = input.from_dst;
  if (!stages.late.supported() ||
      (from_dst && !(stages.early.supported() && stages.late.accepts(stages.early.type())))) {
    faults_.unmodelled(index_, std::string("PACR by way of ") +
                                   format_name(stages.formats.intermediate) + " from " +
                                   format_name(stages.formats.late_from) + " to " +
                                   format_name(stages.formats.late_to) +
                                   (stages.formats.read_32b ? " of 32-bit Dst" : " of 16-bit Dst"));
    return;
  }
  if (from_dst && !stages.relu.defined()) {
    faults_.firmware(index_, "PACR with an undefined ReLU threshold");
  }
  std::uint32_t downsample = stages.downsample;
  std::array<std::uint32_t, kColumns> values{};
  for (std::uint32_t taken = 0; taken < input.datums;) {
    const std::uint32_t index = input.first + taken;
    const unsigned column = from_dst ? index % kColumns : 0;
    const unsigned whole = (input.datums - taken) / kColumns;
    if (from_dst && stages.whole_rows && column == 0 && position_.x == 0 && whole != 0) {
      const unsigned rows = std::min(whole, kRowsAtOnce);
      take_rows(stages, index / kColumns, rows);
      taken += rows * kColumns;
      continue;
    }
    const unsigned count = std::min(input.datums - taken, kColumns - column);
    if (from_dst) {
      take_row(stages, index / kColumns % Dst::kRows, column, count, values.data());
    }
    unsigned kept = count;
    if (downsample != PackStages::kKeepAll) {
      kept = 0;
      for (unsigned i = 0; i < count; ++i) {
        if (downsample & 1) values[kept++] = values[i];
        downsample = (downsample << 15 & 0x8000) | downsample >> 1;
      }
    }
    emit(stages.late, values.data(), kept);
    taken += count;
  }
}

void PackPipeline::take_row(const PackStages& stages, unsigned row, unsigned column, unsigned count,
                            std::uint32_t* values) {
  const Dst& dst = dst_;
  std::array<std::uint32_t, kColumns> raw;
  if (stages.formats.read_32b ? dst.undefined32(row) : dst.undefined16(row)) {
    raw.fill(0);
  } else if (stages.formats.read_32b) {
    const Dst::Row& high = dst.storage(Dst::adjusted(row));
    const Dst::Row& low = dst.storage(Dst::adjusted(row) + Dst::kBlockRows);
    for (unsigned i = 0; i < count; ++i) {
      raw[i] = std::uint32_t{high[column + i]} << 16 | low[column + i];
    }
  } else {
    const Dst::Row& datums = dst.storage(dst.storage16(row));
    if (count == kColumns) {
      for (unsigned i = 0; i < kColumns; ++i) raw[i] = datums[i];
    } else {
      for (unsigned i = 0; i < count; ++i) raw[i] = datums[column + i];
    }
  }
  stages.early.apply(raw.data(), count, values);
  const std::uint32_t kept = mask_edges(stages, column, count, values) << column;
  const unsigned marked = stages.formats.read_32b ? dst.marked32(row) : dst.marked16(row);
  if ((marked & kept) != 0) [[unlikely]]
    complain_of_undefined(stages.formats.read_32b, row, marked & kept);
  if (stages.relu.active()) {
    for (unsigned i = 0; i < count; ++i) values[i] = stages.relu.apply(values[i]);
  }
  count_exponents(stages, count, values);
}

void PackPipeline::take_rows(const PackStages& stages, unsigned first, unsigned count) {
  alignas(64) std::uint32_t raw[kRowsAtOnce * kColumns] = {};
  alignas(64) std::uint32_t values[kRowsAtOnce * kColumns];
  const bool read_32b = stages.formats.read_32b;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned row = (first + i) % Dst::kRows;
    read_row(read_32b, row, raw + i * kColumns);
    const unsigned marked = read_32b ? dst_.marked32(row) : dst_.marked16(row);
    if (marked != 0) [[unlikely]]
      complain_of_undefined(read_32b, row, marked);
    next_row(stages);
  }
  const unsigned datums = count * kColumns;
  stages.early.apply(raw, datums, values);
  if (stages.relu.active()) {
    for (unsigned i = 0; i < datums; ++i) values[i] = stages.relu.apply(values[i]);
  }
  count_exponents(stages, datums, values);
  emit(stages.late, values, datums);
}

TVP_ALSO_WIDE void PackPipeline::read_row(bool read_32b, unsigned row,
                                          std::uint32_t* raw) const noexcept {
  if (read_32b ? dst_.undefined32(row) : dst_.undefined16(row)) {
    std::fill_n(raw, kColumns, 0);
  } else if (read_32b) {
    const Dst::Row& high = dst_.storage(Dst::adjusted(row));
    const Dst::Row& low = dst_.storage(Dst::adjusted(row) + Dst::kBlockRows);
    for (unsigned i = 0; i < kColumns; ++i) raw[i] = std::uint32_t{high[i]} << 16 | low[i];
  } else {
    const Dst::Row& datums = dst_.storage(dst_.storage16(row));
    for (unsigned i = 0; i < kColumns; ++i) raw[i] = datums[i];
  }
}

/// An unwritten row reads as zero, but the vector unit may have computed with it. Or it may have
/// written some columns only, and kernels that need only these pack the whole row.
void PackPipeline::complain_of_undefined(bool read_32b, unsigned row, std::uint32_t columns) const {
  const std::uint32_t made = columns & (read_32b ? dst_.made32(row) : dst_.made16(row));
  std::string list;
  for (unsigned column = 0; column < kColumns; ++column) {
    if (((made != 0 ? made : columns) >> column & 1) != 0) list += " " + std::to_string(column);
  }
  const std::string where = "row " + std::to_string(row) + " of Dst, columns" + list;
  if (made != 0) {
    faults_.firmware(index_, "PACR takes undefined values from " + where +
                                 ": the vector unit made them of rows that nothing wrote since "
                                 "ZEROACC, the last one of them row " +
                                 std::to_string(dst_.loaded_undefined()));
  } else {
    faults_.warn(index_, "PACR takes undefined values from " + where +
                             ": the vector unit wrote the other columns, and nothing these since "
                             "ZEROACC");
  }
}

std::uint32_t PackPipeline::mask_edges(const PackStages& stages, unsigned column, unsigned count,
                                       std::uint32_t* values) {
  TilePosition& position = position_;
  std::uint32_t kept = 0;
  for (unsigned i = 0; i < count;) {
    // The position need not equal the column of Dst: up to the next beginning of a row.
    const unsigned run = std::min(count - i, kColumns - position.x);
    const std::uint32_t mask = edge_mask(stages.words) >> (column + i);
    kept |= (mask & ((1U << run) - 1)) << i;
    if ((~mask & ((1U << run) - 1)) != 0) {
      for (unsigned k = 0; k < run; ++k) {
        if ((mask >> k & 1) == 0) values[i + k] = stages.masked;
      }
    }
    i += run;
    position.x += run;
    if (position.x < kColumns) continue;
    position.x = 0;
    next_row(stages);
  }
  return kept;
}

inline void PackPipeline::next_row(const PackStages& stages) {
  unsigned& inner = stages.yz_transposed ? position_.z : position_.y;
  unsigned& outer = stages.yz_transposed ? position_.y : position_.z;
  if (++inner == stages.reads_per_xy_plane) {
    inner = 0;
    ++outer;
  }
}

/// Exponent histogram, then exponent thresholding.
TVP_ALSO_WIDE void PackPipeline::count_exponents(const PackStages& stages, unsigned count,
                                                 std::uint32_t* values) noexcept {
  const ExponentField field = exponent_field(stages.early.type().container);
  const auto exponent = [&](unsigned i) { return values[i] >> field.shift & field.mask; };
  std::uint32_t largest = histogram_.max_exponent;
  if (count % kColumns == 0) {
    for (unsigned i = 0; i < count; i += kColumns) {
      for (unsigned k = 0; k < kColumns; ++k) largest = std::max(largest, exponent(i + k));
    }
  } else {
    for (unsigned i = 0; i < count; ++i) largest = std::max(largest, exponent(i));
  }
  histogram_.max_exponent = static_cast<std::uint8_t>(largest);
  if (stages.histogram) {
    for (unsigned i = 0; i < count; ++i) {
      std::uint8_t& bin = histogram_.bins[exponent(i) % kExponentBins];
      if (bin != 255) ++bin;
    }
  }
  if (stages.thresholding) {
    for (unsigned i = 0; i < count; ++i) {
      if (exponent(i) < stages.threshold) values[i] = 0;
    }
  }
}

std::uint32_t PackPipeline::edge_mask(const Words& words) const {
  unsigned set = cfg::pack::edge_row_set_select(index_).get(words);
  if (cfg::pack::kEdgeFaceSetEnable.get(words)) {
    const unsigned z = cfg::kPacker[index_].dest_z_offset.get(words) + position_.z;
    const unsigned faces = cfg::pack::edge_face_set_select(index_).get(words);
    set = cfg::pack::face_set_mapping(faces, z & 0xF).get(words);
  }
  const unsigned section = cfg::pack::row_set_mapping(set, position_.y & 0xF).get(words);
  return cfg::pack::edge_mask(section).get(words);
}

void PackPipeline::emit(const LateConversion& late, std::uint32_t* values, unsigned count) {
  if (!late.is_block()) {
    late.apply(values, count, values);
    data_.append(values, count, late.bits());
    return;
  }
  for (unsigned i = 0; i < count;) {
    if (block_datums_ == 0 && count - i >= LateConversion::kBlock) {
      emit_block(late, values + i);
      i += LateConversion::kBlock;
      continue;
    }
    block_[block_datums_++] = values[i++];
    if (block_datums_ == LateConversion::kBlock) emit_block(late, block_.data());
  }
}

void PackPipeline::emit_block(const LateConversion& late, const std::uint32_t* values) {
  std::array<std::uint32_t, LateConversion::kBlock> bits;
  const std::uint32_t exponent = late.apply_block(values, bits.data());
  exponents_.append(&exponent, 1, 8);
  data_.append(bits.data(), LateConversion::kBlock, late.bits());
  block_datums_ = 0;
}

void PackPipeline::flush(const LateConversion& late) {
  if (block_datums_ != 0) {
    std::fill(block_.begin() + block_datums_, block_.end(), 0);
    emit_block(late, block_.data());
  }
  exponents_.end_tile();
  data_.end_tile();
  // The page does not say that the tile position restarts; here a tile ends (assumed).
  position_ = {};
}

/// ISA TensixTile/TDMA-RISC.md, sideband metadata.
void PackPipeline::end_tile(unsigned thread, const Words& words) {
  last_tile_size_ = static_cast<std::uint16_t>(tile_beats_);
  const unsigned header = cfg::kPacker[index_].add_tile_header_size.get(words);
  std::uint16_t& sum = accumulated_tile_size_[thread];
  sum = static_cast<std::uint16_t>(sum + tile_beats_ + header);
  tile_beats_ = 0;
  counters_.tiles += 1;
}

Cycle PackPipeline::drain(const Work& work, Cycle now) {
  Cycle end = std::max(now + config_.pack_pipeline_cycles, writes_free_);
  const auto format =
      static_cast<std::uint8_t>(1 + cfg::kPacker[index_].out_data_format.get(work.words));
  for (PackStream* stream : {&exponents_, &data_}) {
    if (stream->take_overrun()) {
      faults_.firmware(index_, "PACR beyond the end of L1");
    }
    if (stream->beats() == 0) continue;
    const std::uint32_t bytes = stream->beats() * PackStream::kBeatBytes;
    const L1Client client = kClients[index_];
    end = stream->accumulates() ? l1_.accumulate(client, stream->first_byte(), bytes,
                                                 config_.pack_accumulate_cycles, end)
                                : l1_.reserve(client, stream->first_byte(), bytes, true, 1, end);
    const L1Access access{.agent = kAgents[index_],
                          .address = stream->first_byte(),
                          .bytes = bytes,
                          .now = now,
                          .done = end,
                          .instruction = work.instruction,
                          .thread = static_cast<std::uint8_t>(work.thread),
                          .format = format};
    if (stream->accumulates()) l1_.was_read(access);
    l1_.was_written(access, work.agent_order);
    counters_.l1_bytes += bytes;
  }
  writes_free_ = end;
  return end;
}

}  // namespace tvp::tensix::coprocessor
