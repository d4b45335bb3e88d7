#pragma once

#include "models/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

// Unpacker, packer and address counter instructions. Encoders take their arguments from the high
// bits to the low ones, in the order of the fields of each page of ISA TensixCoprocessor.

struct Pacr {
  static constexpr Opcode kOpcode = Opcode::kPacr;
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kZeroWrite{12, 1};
  static constexpr Field kPackerMask{8, 4};
  static constexpr Field kOvrdThreadId{7, 1};
  static constexpr Field kConcat{4, 1};
  static constexpr Field kFlush{1, 1};
  static constexpr Field kLast{0, 1};
};
constexpr Word encode_pacr(Word addr_mod, Word zero_write, Word packer_mask, Word ovrd_thread_id,
                           Word concat, Word flush, Word last) {
  return word(Pacr::kOpcode) | Pacr::kAddrMod(addr_mod) | Pacr::kZeroWrite(zero_write) |
         Pacr::kPackerMask(packer_mask) | Pacr::kOvrdThreadId(ovrd_thread_id) |
         Pacr::kConcat(concat) | Pacr::kFlush(flush) | Pacr::kLast(last);
}

struct Unpacr {
  static constexpr Opcode kOpcode = Opcode::kUnpacr;
  static constexpr Field kWhichUnpacker{23, 1};
  static constexpr Field kCh1YInc{21, 2};
  static constexpr Field kCh1ZInc{19, 2};
  static constexpr Field kCh0YInc{17, 2};
  static constexpr Field kCh0ZInc{15, 2};
  static constexpr Field kIncrementContextCounter{13, 1};
  static constexpr Field kContextNumber{10, 3};
  static constexpr Field kContextAdc{8, 2};
  static constexpr Field kMultiContextMode{7, 1};
  static constexpr Field kFlipSrc{6, 1};
  static constexpr Field kAllDatumsAreZero{4, 1};
  static constexpr Field kUseContextCounter{3, 1};
  static constexpr Field kRowSearch{2, 1};
  static constexpr Field kFlushCache{1, 1};
};
constexpr Word encode_unpacr(Word which_unpacker, Word ch1_y_inc, Word ch1_z_inc, Word ch0_y_inc,
                             Word ch0_z_inc, Word increment_context_counter, Word context_number,
                             Word context_adc, Word multi_context_mode, Word flip_src,
                             Word all_datums_are_zero, Word use_context_counter, Word row_search,
                             Word flush_cache) {
  return word(Unpacr::kOpcode) | Unpacr::kWhichUnpacker(which_unpacker) |
         Unpacr::kCh1YInc(ch1_y_inc) | Unpacr::kCh1ZInc(ch1_z_inc) | Unpacr::kCh0YInc(ch0_y_inc) |
         Unpacr::kCh0ZInc(ch0_z_inc) | Unpacr::kIncrementContextCounter(increment_context_counter) |
         Unpacr::kContextNumber(context_number) | Unpacr::kContextAdc(context_adc) |
         Unpacr::kMultiContextMode(multi_context_mode) | Unpacr::kFlipSrc(flip_src) |
         Unpacr::kAllDatumsAreZero(all_datums_are_zero) |
         Unpacr::kUseContextCounter(use_context_counter) | Unpacr::kRowSearch(row_search) |
         Unpacr::kFlushCache(flush_cache);
}

/// The meaning of an UNPACR_NOP is in its low three bits (ISA UNPACR_NOP_*.md).
enum class UnpacrNopKind : uint8_t {
  kOverlayClear = 0,
  kZeroSrc = 1,  // bits 1:0; bit 2 is kNegativeInfSrcA
  kNop = 2,
  kOverlayClearCount = 3,
  kSetreg = 4,
  kSetdvalid = 7,
};
struct UnpacrNop {
  static constexpr Opcode kOpcode = Opcode::kUnpacrNop;
  static constexpr Field kWhichUnpacker{23, 1};
  static constexpr Field kAddrSel{22, 1};         // SETREG
  static constexpr Field kAddrMid{16, 6};         // SETREG
  static constexpr Field kWhichStream{16, 6};     // OverlayClear with a count
  static constexpr Field kValue11{4, 11};         // SETREG
  static constexpr Field kClearCount{4, 11};      // OverlayClear with a count
  static constexpr Field kAccumulate{3, 1};       // SETREG
  static constexpr Field kWaitLikeUnpacr{4, 1};   // ZEROSRC
  static constexpr Field kBothBanks{3, 1};        // ZEROSRC
  static constexpr Field kNegativeInfSrcA{2, 1};  // ZEROSRC
  static constexpr Field kKind{0, 3};
};
constexpr Word encode_unpacr_nop(Word which_unpacker) {
  return word(UnpacrNop::kOpcode) | UnpacrNop::kWhichUnpacker(which_unpacker) |
         UnpacrNop::kKind(static_cast<Word>(UnpacrNopKind::kNop));
}
constexpr Word encode_unpacr_nop_setdvalid(Word which_unpacker) {
  return word(UnpacrNop::kOpcode) | UnpacrNop::kWhichUnpacker(which_unpacker) |
         UnpacrNop::kKind(static_cast<Word>(UnpacrNopKind::kSetdvalid));
}
constexpr Word encode_unpacr_nop_zerosrc(Word which_unpacker, Word wait_like_unpacr,
                                         Word both_banks, Word negative_inf_src_a) {
  return word(UnpacrNop::kOpcode) | UnpacrNop::kWhichUnpacker(which_unpacker) |
         UnpacrNop::kWaitLikeUnpacr(wait_like_unpacr) | UnpacrNop::kBothBanks(both_banks) |
         UnpacrNop::kNegativeInfSrcA(negative_inf_src_a) |
         static_cast<Word>(UnpacrNopKind::kZeroSrc);
}
constexpr Word encode_unpacr_nop_setreg(Word which_unpacker, Word addr_sel, Word addr_mid,
                                        Word value11, Word accumulate) {
  return word(UnpacrNop::kOpcode) | UnpacrNop::kWhichUnpacker(which_unpacker) |
         UnpacrNop::kAddrSel(addr_sel) | UnpacrNop::kAddrMid(addr_mid) |
         UnpacrNop::kValue11(value11) | UnpacrNop::kAccumulate(accumulate) |
         UnpacrNop::kKind(static_cast<Word>(UnpacrNopKind::kSetreg));
}

struct PacrSetreg {
  static constexpr Opcode kOpcode = Opcode::kPacrSetreg;
  static constexpr Field kAddrSel{22, 1};
  static constexpr Field kValue10{12, 10};
  static constexpr Field kAddrMid{2, 6};
  /// Bits 23, 11:8 and 1 must be one.
  static constexpr Word kFixed = 0x00800F02;
};
constexpr Word encode_pacr_setreg(Word addr_sel, Word value10, Word addr_mid) {
  return word(PacrSetreg::kOpcode) | PacrSetreg::kFixed | PacrSetreg::kAddrSel(addr_sel) |
         PacrSetreg::kValue10(value10) | PacrSetreg::kAddrMid(addr_mid);
}

struct Setadc {
  static constexpr Opcode kOpcode = Opcode::kSetadc;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kChannel{20, 1};
  static constexpr Field kXyzw{18, 2};
  static constexpr Field kNewValue{0, 18};
};
constexpr Word encode_setadc(Word pk, Word u1, Word u0, Word channel, Word xyzw, Word new_value) {
  return word(Setadc::kOpcode) | Setadc::kPk(pk) | Setadc::kU1(u1) | Setadc::kU0(u0) |
         Setadc::kChannel(channel) | Setadc::kXyzw(xyzw) | Setadc::kNewValue(new_value);
}

struct Setadcxy {
  static constexpr Opcode kOpcode = Opcode::kSetadcxy;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kY1Val{15, 3};
  static constexpr Field kX1Val{12, 3};
  static constexpr Field kY0Val{9, 3};
  static constexpr Field kX0Val{6, 3};
  static constexpr Field kY1{3, 1};
  static constexpr Field kX1{2, 1};
  static constexpr Field kY0{1, 1};
  static constexpr Field kX0{0, 1};
};
constexpr Word encode_setadcxy(Word pk, Word u1, Word u0, Word thread_override, Word y1_val,
                               Word x1_val, Word y0_val, Word x0_val, Word y1, Word x1, Word y0,
                               Word x0) {
  return word(Setadcxy::kOpcode) | Setadcxy::kPk(pk) | Setadcxy::kU1(u1) | Setadcxy::kU0(u0) |
         Setadcxy::kThreadOverride(thread_override) | Setadcxy::kY1Val(y1_val) |
         Setadcxy::kX1Val(x1_val) | Setadcxy::kY0Val(y0_val) | Setadcxy::kX0Val(x0_val) |
         Setadcxy::kY1(y1) | Setadcxy::kX1(x1) | Setadcxy::kY0(y0) | Setadcxy::kX0(x0);
}

struct Incadcxy {
  static constexpr Opcode kOpcode = Opcode::kIncadcxy;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kY1Inc{15, 3};
  static constexpr Field kX1Inc{12, 3};
  static constexpr Field kY0Inc{9, 3};
  static constexpr Field kX0Inc{6, 3};
};
constexpr Word encode_incadcxy(Word pk, Word u1, Word u0, Word thread_override, Word y1_inc,
                               Word x1_inc, Word y0_inc, Word x0_inc) {
  return word(Incadcxy::kOpcode) | Incadcxy::kPk(pk) | Incadcxy::kU1(u1) | Incadcxy::kU0(u0) |
         Incadcxy::kThreadOverride(thread_override) | Incadcxy::kY1Inc(y1_inc) |
         Incadcxy::kX1Inc(x1_inc) | Incadcxy::kY0Inc(y0_inc) | Incadcxy::kX0Inc(x0_inc);
}

struct Addrcrxy {
  static constexpr Opcode kOpcode = Opcode::kAddrcrxy;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kY1Inc{15, 3};
  static constexpr Field kX1Inc{12, 3};
  static constexpr Field kY0Inc{9, 3};
  static constexpr Field kX0Inc{6, 3};
  static constexpr Field kY1{3, 1};
  static constexpr Field kX1{2, 1};
  static constexpr Field kY0{1, 1};
  static constexpr Field kX0{0, 1};
};
constexpr Word encode_addrcrxy(Word pk, Word u1, Word u0, Word thread_override, Word y1_inc,
                               Word x1_inc, Word y0_inc, Word x0_inc, Word y1, Word x1, Word y0,
                               Word x0) {
  return word(Addrcrxy::kOpcode) | Addrcrxy::kPk(pk) | Addrcrxy::kU1(u1) | Addrcrxy::kU0(u0) |
         Addrcrxy::kThreadOverride(thread_override) | Addrcrxy::kY1Inc(y1_inc) |
         Addrcrxy::kX1Inc(x1_inc) | Addrcrxy::kY0Inc(y0_inc) | Addrcrxy::kX0Inc(x0_inc) |
         Addrcrxy::kY1(y1) | Addrcrxy::kX1(x1) | Addrcrxy::kY0(y0) | Addrcrxy::kX0(x0);
}

struct Setadczw {
  static constexpr Opcode kOpcode = Opcode::kSetadczw;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kW1Val{15, 3};
  static constexpr Field kZ1Val{12, 3};
  static constexpr Field kW0Val{9, 3};
  static constexpr Field kZ0Val{6, 3};
  static constexpr Field kW1{3, 1};
  static constexpr Field kZ1{2, 1};
  static constexpr Field kW0{1, 1};
  static constexpr Field kZ0{0, 1};
};
constexpr Word encode_setadczw(Word pk, Word u1, Word u0, Word thread_override, Word w1_val,
                               Word z1_val, Word w0_val, Word z0_val, Word w1, Word z1, Word w0,
                               Word z0) {
  return word(Setadczw::kOpcode) | Setadczw::kPk(pk) | Setadczw::kU1(u1) | Setadczw::kU0(u0) |
         Setadczw::kThreadOverride(thread_override) | Setadczw::kW1Val(w1_val) |
         Setadczw::kZ1Val(z1_val) | Setadczw::kW0Val(w0_val) | Setadczw::kZ0Val(z0_val) |
         Setadczw::kW1(w1) | Setadczw::kZ1(z1) | Setadczw::kW0(w0) | Setadczw::kZ0(z0);
}

struct Incadczw {
  static constexpr Opcode kOpcode = Opcode::kIncadczw;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kW1Inc{15, 3};
  static constexpr Field kZ1Inc{12, 3};
  static constexpr Field kW0Inc{9, 3};
  static constexpr Field kZ0Inc{6, 3};
};
constexpr Word encode_incadczw(Word pk, Word u1, Word u0, Word thread_override, Word w1_inc,
                               Word z1_inc, Word w0_inc, Word z0_inc) {
  return word(Incadczw::kOpcode) | Incadczw::kPk(pk) | Incadczw::kU1(u1) | Incadczw::kU0(u0) |
         Incadczw::kThreadOverride(thread_override) | Incadczw::kW1Inc(w1_inc) |
         Incadczw::kZ1Inc(z1_inc) | Incadczw::kW0Inc(w0_inc) | Incadczw::kZ0Inc(z0_inc);
}

struct Addrcrzw {
  static constexpr Opcode kOpcode = Opcode::kAddrcrzw;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kThreadOverride{18, 2};
  static constexpr Field kW1Inc{15, 3};
  static constexpr Field kZ1Inc{12, 3};
  static constexpr Field kW0Inc{9, 3};
  static constexpr Field kZ0Inc{6, 3};
  static constexpr Field kW1{3, 1};
  static constexpr Field kZ1{2, 1};
  static constexpr Field kW0{1, 1};
  static constexpr Field kZ0{0, 1};
};
constexpr Word encode_addrcrzw(Word pk, Word u1, Word u0, Word thread_override, Word w1_inc,
                               Word z1_inc, Word w0_inc, Word z0_inc, Word w1, Word z1, Word w0,
                               Word z0) {
  return word(Addrcrzw::kOpcode) | Addrcrzw::kPk(pk) | Addrcrzw::kU1(u1) | Addrcrzw::kU0(u0) |
         Addrcrzw::kThreadOverride(thread_override) | Addrcrzw::kW1Inc(w1_inc) |
         Addrcrzw::kZ1Inc(z1_inc) | Addrcrzw::kW0Inc(w0_inc) | Addrcrzw::kZ0Inc(z0_inc) |
         Addrcrzw::kW1(w1) | Addrcrzw::kZ1(z1) | Addrcrzw::kW0(w0) | Addrcrzw::kZ0(z0);
}

struct Setadcxx {
  static constexpr Opcode kOpcode = Opcode::kSetadcxx;
  static constexpr Field kPk{23, 1};
  static constexpr Field kU1{22, 1};
  static constexpr Field kU0{21, 1};
  static constexpr Field kX1Val{10, 10};
  static constexpr Field kX0Val{0, 10};
};
constexpr Word encode_setadcxx(Word pk, Word u1, Word u0, Word x1_val, Word x0_val) {
  return word(Setadcxx::kOpcode) | Setadcxx::kPk(pk) | Setadcxx::kU1(u1) | Setadcxx::kU0(u0) |
         Setadcxx::kX1Val(x1_val) | Setadcxx::kX0Val(x0_val);
}

struct Setdvalid {
  static constexpr Opcode kOpcode = Opcode::kSetdvalid;
  static constexpr Field kFlipSrcB{1, 1};
  static constexpr Field kFlipSrcA{0, 1};
};
constexpr Word encode_setdvalid(Word flip_src_b, Word flip_src_a) {
  return word(Setdvalid::kOpcode) | Setdvalid::kFlipSrcB(flip_src_b) |
         Setdvalid::kFlipSrcA(flip_src_a);
}

}  // namespace tvp::regs::tensix
