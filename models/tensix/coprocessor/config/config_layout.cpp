#include "models/tensix/coprocessor/config/config_layout.h"

#include <algorithm>
#include <numeric>

#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;
namespace tile = regs::tensix_tile;

namespace {

// Words of a thread without Wormhole's counterpart (tt-metal, cfg_defines.h of Blackhole):
// DISABLE_IMPLIED_SRCA_FMT, DISABLE_IMPLIED_SRCB_FMT.
constexpr unsigned kDisableImpliedSrcA = 2, kDisableImpliedSrcB = 3;
// SCRATCH_SEC0 to 2 hold values for CFGSHIFTMASK.
constexpr unsigned kFirstScratch = 209, kLastScratch = 211;
// The reset PCs of T0, T1, T2, which of them count, that of NC, and if it counts.
constexpr unsigned kResetPcs = 6;

constexpr Generation kOld = Generation::kWormhole, kNew = Generation::kBlackhole;

}  // namespace

ConfigLayout::ConfigLayout(Generation generation) {
  if (generation != Generation::kBlackhole) return;
  is_internal_ = false;
  bank_words_ = cfg::kBlackholeBankWords;
  thread_words_ = cfg::kBlackholeThreadWords;
  global_base_ = cfg::kBlackholeGlobalBase;
  thcon_base_ = cfg::blackhole_word(cfg::kThconBase);
  banks_in_window_ = 3;
  thread_stride_ = 1;

  parts_.resize(bank_words_);
  unmodelled_.assign(bank_words_, ~std::uint32_t{0});
  for (unsigned word = 0; word < cfg::kBankWords; ++word) {
    const unsigned there = cfg::blackhole_word(word);
    if (there == cfg::kGone) continue;
    parts_[there] = {{static_cast<std::uint16_t>(word), 0, ~std::uint32_t{0}}};
    unmodelled_[there] = 0;
  }
  for (const auto channel : {&cfg::pack::source, &cfg::pack::destination})
    move(channel(kNew), channel(kOld));
  for (unsigned unpacker = 0; unpacker < 2; ++unpacker) {
    for (unsigned channel = 0; channel < 2; ++channel)
      move(cfg::unpacker_channel(unpacker, channel, kNew),
           cfg::unpacker_channel(unpacker, channel, kOld));
  }
  for (unsigned packer = 0; packer < std::size(cfg::kPacker); ++packer) {
    const unsigned word = cfg::packer_word(packer);
    const unsigned there = cfg::blackhole_word(word);
    const bool reg8 = (packer & 1) != 0;
    drop(cfg::bits(there + 2, 2, 2));   // Disable_pack_zero_flags
    drop(cfg::bits(there + 2, 13, 1));  // Auto_set_last_pacr_intf_sel
    // pack_start_intf_pos, pack_dis_y_pos_start_offset; in REG8 the latter and unpack_tile_offset
    drop(reg8 ? cfg::bits(there + 2, 18, 6) : cfg::bits(there + 2, 17, 4));
    if (!reg8) drop(cfg::bits(there + 2, 23, 1));
    drop(cfg::bits(there + 3, 19, 1));  // Pack_L1_Acc
    drop(cfg::bits(there + 3, 22, 2));  // exponents of FP8
    move(cfg::l1_accumulate(word, kNew), cfg::l1_accumulate(word, kOld));
    move(cfg::disable_zero_flags(word, kNew), cfg::disable_zero_flags(word, kOld));
    // auto_ctxt_inc_xys_cnt
    drop(cfg::bits(cfg::blackhole_word(cfg::pack::per_xy_plane(packer).addr32), 24, 8));
  }
  drop(cfg::bits(3, 14, 15));  // RISC_DEST_ACCESS_CTRL
  for (const cfg::UnpackerFields& unpacker : cfg::kUnpacker) {
    const unsigned there = cfg::blackhole_word(unpacker.out_data_format.addr32) + 1;
    drop(cfg::bits(there, 9, 4));   // Context_count_non_log2
    drop(cfg::bits(there, 24, 8));  // Metadata_x_end
  }
  for (unsigned word = kFirstScratch; word <= kLastScratch; ++word) unmodelled_[word] = 0;

  thread_word_.assign(thread_words_, kNone);
  for (unsigned word = 0; word < cfg::kThreadWords; ++word) {
    const unsigned there = cfg::blackhole_thread_word(word);
    if (there != cfg::kGone) thread_word_[there] = word;
  }
}

const ConfigLayout& ConfigLayout::of(Generation generation) {
  static const ConfigLayout kWormhole(Generation::kWormhole);
  static const ConfigLayout kBlackhole(Generation::kBlackhole);
  return generation == Generation::kBlackhole ? kBlackhole : kWormhole;
}

/// Blackhole has something else at these bits, which is not modelled.
void ConfigLayout::drop(const cfg::Field& field) {
  for (Part& part : parts_[field.addr32]) part.mask &= ~field.mask;
  unmodelled_[field.addr32] |= field.mask;
}

/// The bits of `from` become those of `to`. Those for which `to` has no room are not modelled.
void ConfigLayout::move(const cfg::Field& from, const cfg::Field& to) {
  const auto whole = [&](const Part& part) { return part.word == to.addr32 && part.mask == ~0U; };
  std::erase_if(parts_[from.addr32], whole);
  const int left = to.shift - from.shift;
  parts_[from.addr32].push_back({to.addr32, static_cast<std::int8_t>(left), to.mask});
  const std::uint32_t fits = left < 0 ? to.mask << -left : to.mask >> left;
  unmodelled_[from.addr32] = (unmodelled_[from.addr32] & ~from.mask) | (from.mask & ~fits);
}

void ConfigLayout::move(const cfg::AddressControl& from, const cfg::AddressControl& to) {
  move(from.x_stride, to.x_stride);
  move(from.y_stride, to.y_stride);
  move(from.z_stride, to.z_stride);
  move(from.w_stride, to.w_stride);
  move(from.base, to.base);
}

bool ConfigLayout::models(unsigned thread_word, std::uint32_t value) const {
  if (thread_word == kDisableImpliedSrcA || thread_word == kDisableImpliedSrcB) return value == 1;
  return thread_word_[thread_word] != kNone || value == 0;
}

unsigned ConfigLayout::control_word(std::uint32_t offset) const {
  const std::uint32_t index = (offset - tile::kTriscResetPc) / 4;
  return is_internal() || index >= kResetPcs ? kNone
                                             : cfg::global::trisc_reset_pc(0).addr32 + index;
}

}  // namespace tvp::tensix::coprocessor
