#include "models/tensix/coprocessor/pack/pack_stages.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;

namespace {

using Words = PackStages::Words;

DataFormat intermediate_format(const Words& words) {
  return static_cast<DataFormat>(cfg::alu::kDstFormatOverride.get(words)
                                     ? cfg::alu::kDstFormatOverrideValue.get(words)
                                     : cfg::alu::kDstFormat.get(words));
}

PackFormats formats_of(unsigned packer, const Words& words) {
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

/// True if the mask is the same for all rows and keeps them whole.
bool keeps_edges(unsigned packer, const Words& words) {
  if (cfg::pack::kEdgeFaceSetEnable.get(words)) return false;
  const unsigned set = cfg::pack::edge_row_set_select(packer).get(words);
  const std::uint32_t sections = words[cfg::pack::row_set_mapping(set, 0).addr32];
  constexpr std::uint32_t kEachRow = 0x55555555;
  return sections == (sections & 3) * kEachRow &&
         cfg::pack::edge_mask(sections & 3).get(words) == 0xFFFF;
}

/// Exponent thresholding does not apply to datums without an exponent (ISA
/// Packers/ExponentThresholding.md).
bool thresholds(unsigned packer, const PackFormats& formats, const Words& words) {
  if (cfg::kPacker[packer].exp_threshold_en.get(words) == 0) return false;
  switch (formats.late_from) {
    case DataFormat::kInt32:
    case DataFormat::kInt16:
    case DataFormat::kInt8:
      return false;
    default:
      return true;
  }
}

}  // namespace

PackStages::PackStages(unsigned packer_index, const Words& bank_words)
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
      thresholding(thresholds(packer_index, formats, bank_words)),
      threshold(cfg::kPacker[packer_index].exp_threshold.get(bank_words)) {
  if (downsample == 0) downsample = kKeepAll;
  whole_rows = downsample == kKeepAll && keeps_edges(packer, bank_words);
  const bool e5 = early.type().container == PackContainer::kE5;
  masked = cfg::pack::kEdgeMode.get(bank_words) == 0 ? 0 : e5 ? 0xFFFF : 0xFF800000;
}

}  // namespace tvp::tensix::coprocessor
