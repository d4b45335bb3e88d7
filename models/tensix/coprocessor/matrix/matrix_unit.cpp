#include "models/tensix/coprocessor/matrix/matrix_unit.h"

#include <algorithm>
#include <array>
#include <utility>

#include "foundation/regs/tensix_disassembler.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;
using foundation::Fault;
using foundation::FaultKind;

namespace {

/// Sources for which instructions wait at the wait gate.
enum GateBit : std::uint8_t { kWaitsForSrcA = 1, kWaitsForSrcB = 2 };
constexpr auto kGates = [] {
  std::array<std::uint8_t, 256> gates{};
  const auto set = [&gates](unsigned bits, std::initializer_list<Opcode> opcodes) {
    for (const Opcode opcode : opcodes) {
      gates[static_cast<unsigned>(opcode)] = static_cast<std::uint8_t>(bits);
    }
  };
  set(kWaitsForSrcA | kWaitsForSrcB,
      {Opcode::kMvmul, Opcode::kDotpv, Opcode::kGapool, Opcode::kGmpool, Opcode::kElwmul,
       Opcode::kElwadd, Opcode::kElwsub});
  set(kWaitsForSrcA, {Opcode::kMova2d, Opcode::kShiftxa});
  set(kWaitsForSrcB, {Opcode::kMovb2d, Opcode::kMovb2a, Opcode::kShiftxb, Opcode::kTrnspsrcb});
  return gates;
}();

/// True for instructions that wait for the end of a move to Dst, wherever in Dst they read
/// (MOVA2D.md and MOVB2D.md, instruction scheduling).
bool waits_for_moves_to_dst(Opcode opcode) {
  switch (opcode) {
    case Opcode::kMovd2a:
    case Opcode::kMovd2b:
    case Opcode::kElwmul:
    case Opcode::kMvmul:
    case Opcode::kDotpv:
    case Opcode::kGmpool:
    case Opcode::kGapool:
      return true;
    default:
      return false;
  }
}

}  // namespace

MatrixUnit::MatrixUnit(std::string name, RegisterFiles& registers, const BackendConfig& config,
                       foundation::FaultPolicy& faults, const FloatSums& sums)
    : name_(std::move(name)),
      registers_(registers),
      config_(config),
      faults_(faults),
      sums_(sums) {}

Issue MatrixUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  const Opcode opcode = opcode_of(instruction);
  registers_.settle(now);
  if (now < turn_until_ && thread != turn_of_) return Issue::retry_at(turn_until_);
  if (now < moved_to_src_) {
    const bool more = moved_to_srcb_ ? opcode == Opcode::kMovd2b
                                     : opcode == Opcode::kMovd2a || opcode == Opcode::kMovb2a;
    if (!more) return Issue::retry_at(moved_to_src_);
  }
  if (now < moved_to_dst_ && waits_for_moves_to_dst(opcode)) return Issue::retry_at(moved_to_dst_);
  const Issue sources = wait_for_sources(opcode, now);
  if (sources.kind != Issue::Kind::kStarted) return sources;

  Context context{instruction, thread, now, MathConfig(config_, thread), registers_.rwc[thread]};
  gave_banks_ = false;
  Issue answer = dispatch(opcode, context);
  answer.quiet = !gave_banks_;
  return answer;
}

Issue MatrixUnit::wait_for_sources(Opcode opcode, Cycle now) const {
  const unsigned gate = kGates[static_cast<unsigned>(opcode)];
  Cycle from = now;
  const auto waits = [&from](const SrcFile& file) {
    const SrcBank& bank = file.at_matrix_unit();
    from = std::max(from, bank.allowed_from);
    return bank.allowed_client != SrcClient::kMatrixUnit;
  };
  if ((gate & kWaitsForSrcA) != 0 && waits(registers_.srca)) return Issue::blocked();
  if ((gate & kWaitsForSrcB) != 0 && waits(registers_.srcb)) return Issue::blocked();
  return from > now ? Issue::retry_at(from) : Issue::started(now, now);
}

Issue MatrixUnit::dispatch(Opcode opcode, Context& context) {
  switch (opcode) {
    case Opcode::kMvmul: {
      const bool broadcast = Mvmul::kBroadcastSrcBRow.of(context.word) != 0;
      return matrix_multiply(context, broadcast ? 7 : 8, broadcast);
    }
    case Opcode::kDotpv:
      return matrix_multiply(context, 8, false);
    case Opcode::kGapool:
      return matrix_multiply(context, 4, false);
    case Opcode::kGmpool:
      return max_pool(context);
    case Opcode::kElwmul:
      return elementwise(context, FloatSums::Combine::kMultiply);
    case Opcode::kElwadd:
      return elementwise(context, FloatSums::Combine::kAdd);
    case Opcode::kElwsub:
      return elementwise(context, FloatSums::Combine::kSubtract);
    case Opcode::kMova2d:
    case Opcode::kMovdbga2d:
      return move_src_to_dst(context, false);
    case Opcode::kMovb2d:
      return move_src_to_dst(context, true);
    case Opcode::kMovd2a:
      return move_dst_to_src(context, false);
    case Opcode::kMovd2b:
      return move_dst_to_src(context, true);
    case Opcode::kMovb2a:
      return move_srcb_to_srca(context);
    case Opcode::kShiftxa:
      return shift_srca(context);
    case Opcode::kShiftxb:
      return shift_srcb(context);
    case Opcode::kTrnspsrcb:
      return transpose_srcb(context);
    case Opcode::kZeroacc:
      return zero_dst(context);
    case Opcode::kZerosrc:
      return zero_src(context);
    case Opcode::kSetrwc:
      return set_counters(context);
    case Opcode::kIncrwc:
      return increment_counters(context);
    case Opcode::kCleardvalid:
      return clear_data_valid(context);
    case Opcode::kClrexphist:
      return clear_exponent_histograms(context);
    case Opcode::kGatesrcrst:  // the operand cache is not modelled, so it is never stale
      return Issue::started(context.now + 1, context.now + 1);
    default: {
      faults_.raise(Fault(FaultKind::kUnmodelled, name_,
                          "matrix unit instruction " + regs::tensix::disassemble(context.word) +
                              " is not modeled"));
      return Issue::started(context.now + 1, context.now + 1);
    }
  }
}

Issue MatrixUnit::set_counters(Context& context) {
  const std::uint32_t word = context.word;
  Rwc& rwc = context.rwc;
  if (Setrwc::kSrcA.of(word) != 0) {
    const unsigned base = Setrwc::kSrcACr.of(word) != 0 ? rwc.srca_cr : 0;
    rwc.srca = rwc.srca_cr = static_cast<std::uint8_t>((base + Setrwc::kSrcAVal.of(word)) & 0x3F);
  }
  if (Setrwc::kSrcB.of(word) != 0) {
    const unsigned base = Setrwc::kSrcBCr.of(word) != 0 ? rwc.srcb_cr : 0;
    rwc.srcb = rwc.srcb_cr = static_cast<std::uint8_t>((base + Setrwc::kSrcBVal.of(word)) & 0x3F);
  }
  const bool from_counter = Setrwc::kDstCToCr.of(word) != 0;
  if (Setrwc::kDst.of(word) != 0 || from_counter) {
    const unsigned base = from_counter ? rwc.dst : Setrwc::kDstCr.of(word) != 0 ? rwc.dst_cr : 0u;
    rwc.dst = rwc.dst_cr = static_cast<std::uint16_t>((base + Setrwc::kDstVal.of(word)) & 0x3FF);
  }
  if (Setrwc::kFidelity.of(word) != 0) rwc.fidelity_phase = 0;
  flip_sources(context, Setrwc::kFlipSrcA.of(word) != 0, Setrwc::kFlipSrcB.of(word) != 0);
  return Issue::started(context.now + 1, context.now + 1);
}

Issue MatrixUnit::increment_counters(Context& context) {
  const std::uint32_t word = context.word;
  Rwc& rwc = context.rwc;
  const auto advance_one = [](auto& counter, auto& carriage, bool use_carriage, unsigned increment,
                              unsigned mask) {
    using Counter = std::remove_reference_t<decltype(counter)>;
    const unsigned base = use_carriage ? carriage : counter;
    counter = static_cast<Counter>((base + increment) & mask);
    if (use_carriage) carriage = counter;
  };
  advance_one(rwc.srca, rwc.srca_cr, Incrwc::kSrcACr.of(word) != 0, Incrwc::kSrcAInc.of(word),
              0x3F);
  advance_one(rwc.srcb, rwc.srcb_cr, Incrwc::kSrcBCr.of(word) != 0, Incrwc::kSrcBInc.of(word),
              0x3F);
  advance_one(rwc.dst, rwc.dst_cr, Incrwc::kDstCr.of(word) != 0, Incrwc::kDstInc.of(word), 0x3FF);
  return Issue::started(context.now + 1, context.now + 1);
}

Issue MatrixUnit::clear_data_valid(Context& context) {
  const Cycle from = context.now + 1;
  gave_banks_ = true;
  if (Cleardvalid::kReset.of(context.word) != 0) {
    registers_.srca.reset(from);
    registers_.srcb.reset(from);
    return Issue::started(from, from);
  }
  const bool keep = Cleardvalid::kKeepReadingSameSrc.of(context.word) != 0;
  const auto give_back = [&](SrcFile& file) {
    file.at_matrix_unit().give(SrcClient::kUnpackers, from);
    if (!keep) file.matrix_bank ^= 1;
  };
  if (Cleardvalid::kFlipSrcA.of(context.word) != 0) give_back(registers_.srca);
  if (Cleardvalid::kFlipSrcB.of(context.word) != 0) give_back(registers_.srcb);
  return Issue::started(from, from);
}

Issue MatrixUnit::clear_exponent_histograms(Context& context) {
  if (histograms_ == nullptr) {
    faults_.raise(Fault(FaultKind::kUnmodelled, name_, "CLREXPHIST: no exponent histograms"));
  } else {
    histograms_->reset();
  }
  return Issue::started(context.now + 1, context.now + 1);
}

Cycle MatrixUnit::readable_from(unsigned row, bool dst32) const {
  return dst32 ? registers_.dst.readable_from32(row) : registers_.dst.readable_from16(row);
}

Issue MatrixUnit::wait_to_accumulate(const Context& context, unsigned row, bool dst32) {
  const Cycle from = dst32 ? registers_.dst.accumulates_from32(row, context.thread)
                           : registers_.dst.accumulates_from16(row, context.thread);
  if (from <= context.now) return Issue::started(context.now, context.now);
  turn_of_ = context.thread;
  turn_until_ = from;
  return Issue::retry_at(from);
}

void MatrixUnit::summed(unsigned row, bool dst32, const Context& context) {
  written(row, dst32, context.now, Dst::kWriteToReadCycles);
  if (dst32) {
    registers_.dst.summed32(row, context.thread);
  } else {
    registers_.dst.summed16(row, context.thread);
  }
}

void MatrixUnit::changes_row(unsigned row, bool dst32, Cycle now) {
  if (dst32) {
    registers_.dst_in_flight.changed(Dst::adjusted(row), 2 * Dst::kBlockRows, now);
  } else {
    registers_.dst_in_flight.changed(registers_.dst.storage16(row), now);
  }
}

void MatrixUnit::written(unsigned row, bool dst32, Cycle issued, Cycle latency) {
  if (dst32) {
    registers_.dst.written32(row, issued, latency);
  } else {
    registers_.dst.written16(row, issued, latency);
  }
  changes_row(row, dst32, issued);
}

void MatrixUnit::flip_sources(const Context& context, bool srca, bool srcb) {
  gave_banks_ |= srca || srcb;
  // The rows are read at dispatch; in the next cycle the unpackers own them.
  const auto flip = [&](SrcFile& file, bool keep) {
    if (!keep) file.at_matrix_unit().give(SrcClient::kUnpackers, context.now + 1);
    file.matrix_bank ^= 1;
  };
  if (srca) flip(registers_.srca, context.config.keep_srca_bank());
  if (srcb) flip(registers_.srcb, context.config.keep_srcb_bank());
}

void MatrixUnit::advance(Context& context, unsigned addr_mod) {
  apply_addr_mod(context.rwc, config_, context.thread, addr_mod);
}

}  // namespace tvp::tensix::coprocessor
