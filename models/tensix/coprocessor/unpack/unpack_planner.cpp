#include "models/tensix/coprocessor/unpack/unpack_planner.h"

#include <algorithm>
#include <string>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace cfg = regs::config;
namespace op = regs::tensix;
using foundation::FaultKind;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool is_4_byte(DataFormat f) { return datum_bits(f) == 32; }
bool is_2_byte(DataFormat f) { return datum_bits(f) == 16; }

}  // namespace

UnpackPlanner::UnpackPlanner(const BackendConfig& config, AddressCounters& counters,
                             const UnitFaults& faults)
    : config_(config), counters_(counters), faults_(faults) {}

bool UnpackPlanner::plan(std::uint32_t instruction, unsigned context, unsigned adc,
                         UnpackPlan& plan) {
  plan.zero = op::Unpacr::kAllDatumsAreZero.of(instruction) != 0;
  const bool valid =
      source(instruction, context, adc, plan) && destination(instruction, context, plan);
  speed(plan);
  plan.int8_unsigned = (plan.unpacker == 0 ? cfg::alu::kSrcAUnsigned : cfg::alu::kSrcBUnsigned)
                           .get(config_.of(plan.thread)) != 0;
  return valid;
}

// ---- Source -------------------------------------------------------------------------------------

bool UnpackPlanner::formats(std::uint32_t instruction, unsigned context, UnpackPlan& plan) {
  const auto& words = config_.of(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const bool multi = op::Unpacr::kMultiContextMode.of(instruction) != 0;
  const bool uncompressed =
      multi ? f.disable_zero_compress(context).get(words) : f.tile.is_uncompressed.get(words);
  if (!uncompressed && words[f.tile.is_uncompressed.addr32] == 0) {
    faults_.firmware(plan.unpacker,
                     "UNPACR by an unpacker that nothing has configured: an init function is "
                     "missing (compute_kernel_hw_startup, or one of the operation)");
    return false;
  }
  if (!uncompressed) {
    faults_.unmodelled(plan.unpacker, "UNPACR of compressed data");
    return false;
  }
  const bool own_formats = multi && f.override_data_format.get(words) != 0;
  plan.in = static_cast<DataFormat>(own_formats ? f.data_format_context(context).get(words)
                                                : f.tile.in_data_format.get(words));
  plan.out = static_cast<DataFormat>(own_formats ? f.out_data_format_context(context).get(words)
                                                 : f.out_data_format.get(words));
  if (datum_bits(plan.in) != 0) return true;
  faults_.firmware(plan.unpacker, "UNPACR with a reserved input format");
  return false;
}

bool UnpackPlanner::source(std::uint32_t instruction, unsigned context, unsigned adc,
                           UnpackPlan& plan) {
  if (!formats(instruction, context, plan)) return false;
  const auto& words = config_.of(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const bool multi = op::Unpacr::kMultiContextMode.of(instruction) != 0;
  const std::uint32_t x_dim = multi && plan.unpacker == 0
                                  ? f.tile_x_dim_context(context & 3).get(words)
                                  : f.tile.x_dim.get(words);
  const bool own_base = multi && context != 0;
  std::uint32_t address =
      own_base ? f.base_context(context).get(words) + f.offset_context(context & 3).get(words)
               : f.base_address.get(words) + f.offset_address.get(words);
  address = (address + 1 + f.tile.digest_size.get(words)) * 16;

  const std::uint32_t first = first_datum(instruction, context, adc, x_dim, plan);
  plan.limit_bytes = std::uint64_t{f.limit_address.get(words)} * 16;
  plan.fifo_bytes = std::uint64_t{f.fifo_size.get(words)} * 16;
  if (is_block_float(plan.in)) address += exponents(address, first, x_dim, plan);
  const unsigned bits = datum_bits(plan.in);
  plan.data_bit = std::uint64_t{address} * 8 + std::uint64_t{first} * bits;
  if (plan.data_bit > plan.limit_bytes * 8) plan.data_bit -= plan.fifo_bytes * 8;

  plan.discontiguous = f.tileize_mode.get(words) != 0;
  plan.row_stride_bits = bits * UnpackConversion::kMaxDatums;
  if (plan.discontiguous) {
    plan.row_stride_bits =
        8 * (f.shift_amount(0).get(words) << 4 | f.shift_amount(1).get(words) << 8 |
             f.shift_amount(2).get(words) << 12);
  }
  return true;
}

std::uint32_t UnpackPlanner::exponents(std::uint32_t address, std::uint32_t first,
                                       std::uint32_t x_dim, UnpackPlan& plan) const {
  const auto& words = config_.of(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  if (f.force_shared_exp.get(words)) {
    plan.forced_exponent = static_cast<std::uint8_t>(f.forced_shared_exp.get(words));
    return 0;
  }
  plan.exponents_in_l1 = true;
  plan.exponent16 = std::uint64_t{address} * 16 + first;
  if (plan.exponent16 > plan.limit_bytes * 16) plan.exponent16 -= plan.fifo_bytes * 16;
  // BFP4 and BFP2 may have no section of exponents before the data.
  if (datum_bits(plan.in) != 8 && f.tile.no_bfp_exp_section.get(words)) return 0;
  const std::uint32_t z_dim = std::max(f.tile.z_dim.get(words), 1U);
  const std::uint32_t w_dim = std::max(f.tile.w_dim.get(words), 1U);
  const std::uint32_t count = (x_dim * f.tile.y_dim.get(words) * z_dim * w_dim + 15) / 16;
  return round_up(count, 16);
}

std::uint32_t UnpackPlanner::first_datum(std::uint32_t instruction, unsigned context, unsigned adc,
                                         std::uint32_t x_dim, UnpackPlan& plan) {
  const unsigned unpacker = plan.unpacker;
  // The position in the plane comes from the selected thread's counters, Z and W from the issuer's.
  const AddressChannels& xy = counters_.of(adc).unpacker[unpacker];
  const AddressCounter& zw = counters_.of(plan.thread).unpacker[unpacker].channel[0];
  const auto& words = config_.of(plan.thread);
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
  constexpr std::uint32_t kMost = 1U << 18;  // number of X values
  if (plan.datums > kMost) {
    faults_.firmware(unpacker, "UNPACR whose end of row lies before its start");
    plan.datums = 0;
  }
  const std::uint32_t z_dim = std::max(f.tile.z_dim.get(words), 1U);
  return ((zw.w * z_dim + zw.z) * f.tile.y_dim.get(words) + y) * x_dim + x;
}

// ---- Destination --------------------------------------------------------------------------------

bool UnpackPlanner::destination(std::uint32_t instruction, unsigned context, UnpackPlan& plan) {
  const auto& words = config_.of(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const bool multi = op::Unpacr::kMultiContextMode.of(instruction) != 0;
  if (plan.unpacker == 0) {
    plan.to_dst = multi ? f.unpack_to_dst_context(context).get(words) : f.unpack_to_dst.get(words);
    plan.transpose = f.haloize_mode.get(words) != 0;  // unpacker 1 ignores it
    if (!plan.discontiguous) plan.column_shift = f.shift_amount(context & 3).get(words);
  }
  plan.override_row = cfg::thread::kSrcASetOverrideWithAddr.get(config_.thread[plan.thread]) != 0;
  const std::uint32_t rate = f.upsample_rate.get(words);
  plan.upsample = rate != 0;
  plan.upsample_skips = f.upsample_and_interleave.get(words) != 0;
  const bool placed = place(instruction, context, plan);
  return is_documented(plan, rate) && placed;
}

/// Place of the first datum.
bool UnpackPlanner::place(std::uint32_t instruction, unsigned context, UnpackPlan& plan) {
  const auto& words = config_.of(plan.thread);
  const cfg::UnpackerFields& f = cfg::kUnpacker[plan.unpacker];
  const AddressCounter& out = counters_.of(plan.thread).unpacker[plan.unpacker].channel[1];
  std::uint32_t index = f.channel1.base.get(words) + out.y * f.channel1.y_stride.get(words) +
                        out.z * f.channel1.z_stride.get(words) +
                        out.w * f.channel1.w_stride.get(words);
  const std::uint32_t datum_bytes = is_4_byte(plan.out) ? 4 : is_2_byte(plan.out) ? 2 : 1;
  const bool aligned = index % datum_bytes == 0;
  if (!aligned) {
    faults_.firmware(plan.unpacker, "UNPACR to an address that is no multiple of the datum's size");
  }
  index /= datum_bytes;
  if (op::Unpacr::kMultiContextMode.of(instruction) && plan.unpacker == 0) {
    const std::uint32_t own = f.dest_context(context & 3).get(words);
    index = plan.to_dst || f.add_dest_addr_cntr.get(words) ? index + own : own;
  }
  plan.out_index = index;
  return aligned;
}

/// Raises faults for cases that the pages leave undefined, or on which they contradict each other.
bool UnpackPlanner::is_documented(const UnpackPlan& plan, std::uint32_t upsample_rate) const {
  bool valid = true;
  const auto require = [&](bool holds, FaultKind kind, const char* text) {
    if (holds) return;
    faults_.raise(kind, plan.unpacker, text);
    valid = false;
  };
  // README.md and UNPACR_Regular.md contradict each other on the values 2 and 3.
  require(upsample_rate < 2, FaultKind::kUnmodelled, "UNPACR with Upsample_rate above 1");
  require(!(plan.transpose || plan.discontiguous) || plan.data_bit % 128 == 0, FaultKind::kFirmware,
          "UNPACR that transposes or tilizes from an address that is no "
          "multiple of 16");
  require(!plan.discontiguous || !plan.upsample, FaultKind::kFirmware,
          "UNPACR that tilizes and upsamples");
  require(!plan.to_dst || (plan.column_shift == 0 && !plan.transpose), FaultKind::kFirmware,
          "UNPACR to Dst with a column shift or transposition");
  require(!plan.to_dst || !plan.override_row, FaultKind::kFirmware,
          "UNPACR to Dst with SRCA_SET_SetOvrdWithAddr");
  const UnpackConversion::Support support =
      UnpackConversion::supported(plan.in, plan.out, plan.to_dst);
  // Zeros replace the result of the conversion (ISA UNPACR_Regular.md), so none has to exist.
  const bool converts = !plan.zero || datum_bits(plan.in) == 0;
  if (converts && support != UnpackConversion::Support::kYes) {
    faults_.raise(support == UnpackConversion::Support::kUnmodelled ? FaultKind::kUnmodelled
                                                                    : FaultKind::kFirmware,
                  plan.unpacker,
                  std::string("UNPACR cannot convert ") + format_name(plan.in) + " to " +
                      format_name(plan.out) + (plan.to_dst ? " in Dst" : " in Src"));
    valid = false;
  }
  return valid;
}

void UnpackPlanner::speed(UnpackPlan& plan) {
  const std::uint32_t mode =
      cfg::kUnpacker[plan.unpacker].throttle_mode.get(config_.of(plan.thread));
  if (mode == 3) faults_.firmware(plan.unpacker, "UNPACR with Throttle_mode 3");
  unsigned beats = mode == 0 ? 1 : mode == 1 ? 2 : 4;
  const unsigned bits = datum_bits(plan.in);
  if (plan.upsample || (plan.to_dst && bits == 4)) beats = std::min(beats, 2U);
  if (bits == 2) beats = 1;
  if (plan.discontiguous) beats = 4;
  plan.beats_per_cycle = beats;
}

}  // namespace tvp::tensix::coprocessor
