// Consecutive MVMULs of a REPLAY: checks that would repeat for each instruction are done once.

#include "models/tensix/coprocessor/matrix/matrix_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

void MatrixUnit::look_through(Sequence& sequence, ReplayBuffer words, std::uint64_t changes) {
  const auto is_plain = [](std::uint32_t word) {
    return opcode_of(word) == Opcode::kMvmul && Mvmul::kFlipSrcA.of(word) == 0 &&
           Mvmul::kFlipSrcB.of(word) == 0 && Mvmul::kBroadcastSrcBRow.of(word) == 0;
  };
  sequence.changes = changes;
  unsigned behind = 0;
  for (unsigned i = 2 * kReplayed; i-- != 0;) {
    const unsigned place = i % kReplayed;
    behind = is_plain(words[place]) ? std::min(behind + 1, kReplayed) : 0;
    sequence.plain[place] = static_cast<std::uint8_t>(behind);
  }
}

bool MatrixUnit::begins_products(unsigned thread, Cycle now) const {
  return now >= std::max({turn_until_, moved_to_src_, moved_to_dst_}) &&
         registers_.pending_stores == nullptr &&
         !MathConfig(config_, thread).fpu_stochastic_rounding() &&
         wait_for_sources(Opcode::kMvmul, now).kind == Issue::Kind::kStarted;
}

MatrixUnit::Products::Products(MatrixUnit& unit, unsigned thread)
    : unit_(unit),
      thread_(thread),
      config_(unit.config_, thread),
      rwc_(unit.registers_.rwc[thread]),
      srca_(unit.registers_.srca.at_matrix_unit()),
      srcb_(unit.registers_.srcb.at_matrix_unit()) {
  const auto [style, srcb_style, dst32] = config_.arithmetic();
  product_.formats = {style, srcb_style, dst32, 0};
  product_.rows = Dst::kBlockRows;
  product_.kept = &unit.kept_;
  product_.srca_changes = srca_.rows.changes();
  product_.srcb_changes = srcb_.rows.changes();
  product_.srcb_step = product_.dst_step = 1;
  unit.gave_banks_ = false;
}

bool MatrixUnit::Products::may_add(std::uint32_t word, Cycle now) {
  dst_row_ = config_.dst_row(Mvmul::kDstRow.of(word), rwc_) & (Dst::kRows - Dst::kBlockRows);
  const Dst& dst = unit_.registers_.dst;
  return now >= (product_.formats.dst32 ? dst.accumulates_from32(dst_row_, thread_)
                                        : dst.accumulates_from16(dst_row_, thread_));
}

void MatrixUnit::Products::add(std::uint32_t word, Cycle now) {
  const bool dst32 = product_.formats.dst32;
  const unsigned srca_row = rwc_.srca & 0x38U;
  product_.formats.phase = config_.fidelity_phase(rwc_);
  product_.srca = {&srca_.rows[srca_row], &srca_.rows[(srca_row + 8) & 0x3F]};
  product_.srcb = &srcb_.rows[rwc_.srcb & 0x38U];
  product_.dst = unit_.rows_to_add_to(dst_row_, 1, Dst::kBlockRows, dst32);
  unit_.multiply(product_, config_);
  unit_.written(dst_row_, dst32, now, Dst::kWriteToReadCycles);
  Dst& dst = unit_.registers_.dst;
  dst32 ? dst.summed32(dst_row_, thread_) : dst.summed16(dst_row_, thread_);
  unit_.last_srca_row_ = srca_row;

  const unsigned section =
      AddrMod::section_of(rwc_, unit_.config_, thread_, Mvmul::kAddrMod.of(word));
  if ((known_ >> section & 1) == 0) {
    mods_[section] = AddrMod(unit_.config_, thread_, section);
    known_ |= 1U << section;
  }
  mods_[section].apply(rwc_);
}

}  // namespace tvp::tensix::coprocessor
