#pragma once

#include "models/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

// Matrix unit (FPU) instructions. Encoders take their arguments from the high bits to the low ones,
// in the order of the fields of each page of ISA TensixCoprocessor.

struct Movd2a {
  static constexpr Opcode kOpcode = Opcode::kMovd2a;
  static constexpr Field kUseDst32bLo{23, 1};
  static constexpr Field kSrcRow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove4Rows{13, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_movd2a(Word use_dst32b_lo, Word src_row, Word addr_mod, Word move_4_rows,
                             Word dst_row) {
  return word(Movd2a::kOpcode) | Movd2a::kUseDst32bLo(use_dst32b_lo) | Movd2a::kSrcRow(src_row) |
         Movd2a::kAddrMod(addr_mod) | Movd2a::kMove4Rows(move_4_rows) | Movd2a::kDstRow(dst_row);
}

struct Movdbga2d {
  static constexpr Opcode kOpcode = Opcode::kMovdbga2d;
  static constexpr Field kUseDst32bLo{23, 1};
  static constexpr Field kSrcRow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove8Rows{13, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_movdbga2d(Word use_dst32b_lo, Word src_row, Word addr_mod, Word move_8_rows,
                                Word dst_row) {
  return word(Movdbga2d::kOpcode) | Movdbga2d::kUseDst32bLo(use_dst32b_lo) |
         Movdbga2d::kSrcRow(src_row) | Movdbga2d::kAddrMod(addr_mod) |
         Movdbga2d::kMove8Rows(move_8_rows) | Movdbga2d::kDstRow(dst_row);
}

struct Movd2b {
  static constexpr Opcode kOpcode = Opcode::kMovd2b;
  static constexpr Field kUseDst32bLo{23, 1};
  static constexpr Field kSrcRow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove4Rows{13, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_movd2b(Word use_dst32b_lo, Word src_row, Word addr_mod, Word move_4_rows,
                             Word dst_row) {
  return word(Movd2b::kOpcode) | Movd2b::kUseDst32bLo(use_dst32b_lo) | Movd2b::kSrcRow(src_row) |
         Movd2b::kAddrMod(addr_mod) | Movd2b::kMove4Rows(move_4_rows) | Movd2b::kDstRow(dst_row);
}

struct Movb2a {
  static constexpr Opcode kOpcode = Opcode::kMovb2a;
  static constexpr Field kSrcARow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove4Rows{13, 1};
  static constexpr Field kSrcBRow{0, 6};
};
constexpr Word encode_movb2a(Word src_a_row, Word addr_mod, Word move_4_rows, Word src_b_row) {
  return word(Movb2a::kOpcode) | Movb2a::kSrcARow(src_a_row) | Movb2a::kAddrMod(addr_mod) |
         Movb2a::kMove4Rows(move_4_rows) | Movb2a::kSrcBRow(src_b_row);
}

struct Zeroacc {
  static constexpr Opcode kOpcode = Opcode::kZeroacc;
  static constexpr Field kUseDst32b{21, 1};
  static constexpr Field kMode{19, 2};
  static constexpr Field kRevert{18, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kImm10{0, 10};
};
constexpr Word encode_zeroacc(Word use_dst32b, Word mode, Word revert, Word addr_mod, Word imm10) {
  return word(Zeroacc::kOpcode) | Zeroacc::kUseDst32b(use_dst32b) | Zeroacc::kMode(mode) |
         Zeroacc::kRevert(revert) | Zeroacc::kAddrMod(addr_mod) | Zeroacc::kImm10(imm10);
}

struct Zerosrc {
  static constexpr Opcode kOpcode = Opcode::kZerosrc;
  static constexpr Field kNegativeInfSrcA{4, 1};
  static constexpr Field kSingleBankMatrixUnit{3, 1};
  static constexpr Field kBothBanks{2, 1};
  static constexpr Field kClearSrcB{1, 1};
  static constexpr Field kClearSrcA{0, 1};
};
constexpr Word encode_zerosrc(Word negative_inf_src_a, Word single_bank_matrix_unit,
                              Word both_banks, Word clear_src_b, Word clear_src_a) {
  return word(Zerosrc::kOpcode) | Zerosrc::kNegativeInfSrcA(negative_inf_src_a) |
         Zerosrc::kSingleBankMatrixUnit(single_bank_matrix_unit) | Zerosrc::kBothBanks(both_banks) |
         Zerosrc::kClearSrcB(clear_src_b) | Zerosrc::kClearSrcA(clear_src_a);
}

struct Mova2d {
  static constexpr Opcode kOpcode = Opcode::kMova2d;
  static constexpr Field kUseDst32bLo{23, 1};
  static constexpr Field kSrcRow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove8Rows{13, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_mova2d(Word use_dst32b_lo, Word src_row, Word addr_mod, Word move_8_rows,
                             Word dst_row) {
  return word(Mova2d::kOpcode) | Mova2d::kUseDst32bLo(use_dst32b_lo) | Mova2d::kSrcRow(src_row) |
         Mova2d::kAddrMod(addr_mod) | Mova2d::kMove8Rows(move_8_rows) | Mova2d::kDstRow(dst_row);
}

struct Movb2d {
  static constexpr Opcode kOpcode = Opcode::kMovb2d;
  static constexpr Field kUseDst32bLo{23, 1};
  static constexpr Field kSrcRow{17, 6};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kMove4Rows{14, 1};
  static constexpr Field kBroadcast1RowTo8{13, 1};
  static constexpr Field kBroadcastCol0{12, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_movb2d(Word use_dst32b_lo, Word src_row, Word addr_mod, Word move_4_rows,
                             Word broadcast_1_row_to_8, Word broadcast_col0, Word dst_row) {
  return word(Movb2d::kOpcode) | Movb2d::kUseDst32bLo(use_dst32b_lo) | Movb2d::kSrcRow(src_row) |
         Movb2d::kAddrMod(addr_mod) | Movb2d::kMove4Rows(move_4_rows) |
         Movb2d::kBroadcast1RowTo8(broadcast_1_row_to_8) | Movb2d::kBroadcastCol0(broadcast_col0) |
         Movb2d::kDstRow(dst_row);
}

constexpr Word encode_trnspsrcb() { return word(Opcode::kTrnspsrcb); }

struct Shiftxa {
  static constexpr Opcode kOpcode = Opcode::kShiftxa;
  static constexpr Field kDirection{0, 2};
};
constexpr Word encode_shiftxa(Word direction) {
  return word(Shiftxa::kOpcode) | Shiftxa::kDirection(direction);
}

struct Shiftxb {
  static constexpr Opcode kOpcode = Opcode::kShiftxb;
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kShiftInZero{10, 1};
  static constexpr Field kSrcRow{0, 6};
};
constexpr Word encode_shiftxb(Word addr_mod, Word shift_in_zero, Word src_row) {
  return word(Shiftxb::kOpcode) | Shiftxb::kAddrMod(addr_mod) |
         Shiftxb::kShiftInZero(shift_in_zero) | Shiftxb::kSrcRow(src_row);
}

constexpr Word encode_clrexphist() { return word(Opcode::kClrexphist); }

struct Mvmul {
  static constexpr Opcode kOpcode = Opcode::kMvmul;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kBroadcastSrcBRow{19, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_mvmul(Word flip_src_b, Word flip_src_a, Word broadcast_src_b_row,
                            Word addr_mod, Word dst_row) {
  return word(Mvmul::kOpcode) | Mvmul::kFlipSrcB(flip_src_b) | Mvmul::kFlipSrcA(flip_src_a) |
         Mvmul::kBroadcastSrcBRow(broadcast_src_b_row) | Mvmul::kAddrMod(addr_mod) |
         Mvmul::kDstRow(dst_row);
}

struct Elwmul {
  static constexpr Opcode kOpcode = Opcode::kElwmul;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kBroadcastSrcBRow{20, 1};
  static constexpr Field kBroadcastSrcBCol0{19, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_elwmul(Word flip_src_b, Word flip_src_a, Word broadcast_src_b_row,
                             Word broadcast_src_b_col0, Word addr_mod, Word dst_row) {
  return word(Elwmul::kOpcode) | Elwmul::kFlipSrcB(flip_src_b) | Elwmul::kFlipSrcA(flip_src_a) |
         Elwmul::kBroadcastSrcBRow(broadcast_src_b_row) |
         Elwmul::kBroadcastSrcBCol0(broadcast_src_b_col0) | Elwmul::kAddrMod(addr_mod) |
         Elwmul::kDstRow(dst_row);
}

struct Elwadd {
  static constexpr Opcode kOpcode = Opcode::kElwadd;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kAddDst{21, 1};
  static constexpr Field kBroadcastSrcBRow{20, 1};
  static constexpr Field kBroadcastSrcBCol0{19, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_elwadd(Word flip_src_b, Word flip_src_a, Word add_dst,
                             Word broadcast_src_b_row, Word broadcast_src_b_col0, Word addr_mod,
                             Word dst_row) {
  return word(Elwadd::kOpcode) | Elwadd::kFlipSrcB(flip_src_b) | Elwadd::kFlipSrcA(flip_src_a) |
         Elwadd::kAddDst(add_dst) | Elwadd::kBroadcastSrcBRow(broadcast_src_b_row) |
         Elwadd::kBroadcastSrcBCol0(broadcast_src_b_col0) | Elwadd::kAddrMod(addr_mod) |
         Elwadd::kDstRow(dst_row);
}

struct Dotpv {
  static constexpr Opcode kOpcode = Opcode::kDotpv;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_dotpv(Word flip_src_b, Word flip_src_a, Word addr_mod, Word dst_row) {
  return word(Dotpv::kOpcode) | Dotpv::kFlipSrcB(flip_src_b) | Dotpv::kFlipSrcA(flip_src_a) |
         Dotpv::kAddrMod(addr_mod) | Dotpv::kDstRow(dst_row);
}

struct Elwsub {
  static constexpr Opcode kOpcode = Opcode::kElwsub;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kAddDst{21, 1};
  static constexpr Field kBroadcastSrcBRow{20, 1};
  static constexpr Field kBroadcastSrcBCol0{19, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_elwsub(Word flip_src_b, Word flip_src_a, Word add_dst,
                             Word broadcast_src_b_row, Word broadcast_src_b_col0, Word addr_mod,
                             Word dst_row) {
  return word(Elwsub::kOpcode) | Elwsub::kFlipSrcB(flip_src_b) | Elwsub::kFlipSrcA(flip_src_a) |
         Elwsub::kAddDst(add_dst) | Elwsub::kBroadcastSrcBRow(broadcast_src_b_row) |
         Elwsub::kBroadcastSrcBCol0(broadcast_src_b_col0) | Elwsub::kAddrMod(addr_mod) |
         Elwsub::kDstRow(dst_row);
}

struct Gmpool {
  static constexpr Opcode kOpcode = Opcode::kGmpool;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kArgMax{14, 1};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_gmpool(Word flip_src_b, Word flip_src_a, Word addr_mod, Word arg_max,
                             Word dst_row) {
  return word(Gmpool::kOpcode) | Gmpool::kFlipSrcB(flip_src_b) | Gmpool::kFlipSrcA(flip_src_a) |
         Gmpool::kAddrMod(addr_mod) | Gmpool::kArgMax(arg_max) | Gmpool::kDstRow(dst_row);
}

struct Gapool {
  static constexpr Opcode kOpcode = Opcode::kGapool;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kAddrMod{15, 2};
  static constexpr Field kDstRow{0, 10};
};
constexpr Word encode_gapool(Word flip_src_b, Word flip_src_a, Word addr_mod, Word dst_row) {
  return word(Gapool::kOpcode) | Gapool::kFlipSrcB(flip_src_b) | Gapool::kFlipSrcA(flip_src_a) |
         Gapool::kAddrMod(addr_mod) | Gapool::kDstRow(dst_row);
}

struct Gatesrcrst {
  static constexpr Opcode kOpcode = Opcode::kGatesrcrst;
  static constexpr Field kInvalidateSrcBCache{1, 1};
};
constexpr Word encode_gatesrcrst(Word invalidate_src_b_cache) {
  return word(Gatesrcrst::kOpcode) | Gatesrcrst::kInvalidateSrcBCache(invalidate_src_b_cache);
}

struct Cleardvalid {
  static constexpr Opcode kOpcode = Opcode::kCleardvalid;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kKeepReadingSameSrc{1, 1};
  static constexpr Field kReset{0, 1};
};
constexpr Word encode_cleardvalid(Word flip_src_b, Word flip_src_a, Word keep_reading_same_src,
                                  Word reset) {
  return word(Cleardvalid::kOpcode) | Cleardvalid::kFlipSrcB(flip_src_b) |
         Cleardvalid::kFlipSrcA(flip_src_a) |
         Cleardvalid::kKeepReadingSameSrc(keep_reading_same_src) | Cleardvalid::kReset(reset);
}

struct Setrwc {
  static constexpr Opcode kOpcode = Opcode::kSetrwc;
  static constexpr Field kFlipSrcB{23, 1};
  static constexpr Field kFlipSrcA{22, 1};
  static constexpr Field kDstCToCr{21, 1};
  static constexpr Field kDstCr{20, 1};
  static constexpr Field kSrcBCr{19, 1};
  static constexpr Field kSrcACr{18, 1};
  static constexpr Field kDstVal{14, 4};
  static constexpr Field kSrcBVal{10, 4};
  static constexpr Field kSrcAVal{6, 4};
  static constexpr Field kFidelity{3, 1};
  static constexpr Field kDst{2, 1};
  static constexpr Field kSrcB{1, 1};
  static constexpr Field kSrcA{0, 1};
};
constexpr Word encode_setrwc(Word flip_src_b, Word flip_src_a, Word dst_c_to_cr, Word dst_cr,
                             Word src_b_cr, Word src_a_cr, Word dst_val, Word src_b_val,
                             Word src_a_val, Word fidelity, Word dst, Word src_b, Word src_a) {
  return word(Setrwc::kOpcode) | Setrwc::kFlipSrcB(flip_src_b) | Setrwc::kFlipSrcA(flip_src_a) |
         Setrwc::kDstCToCr(dst_c_to_cr) | Setrwc::kDstCr(dst_cr) | Setrwc::kSrcBCr(src_b_cr) |
         Setrwc::kSrcACr(src_a_cr) | Setrwc::kDstVal(dst_val) | Setrwc::kSrcBVal(src_b_val) |
         Setrwc::kSrcAVal(src_a_val) | Setrwc::kFidelity(fidelity) | Setrwc::kDst(dst) |
         Setrwc::kSrcB(src_b) | Setrwc::kSrcA(src_a);
}

struct Incrwc {
  static constexpr Opcode kOpcode = Opcode::kIncrwc;
  static constexpr Field kDstCr{20, 1};
  static constexpr Field kSrcBCr{19, 1};
  static constexpr Field kSrcACr{18, 1};
  static constexpr Field kDstInc{14, 4};
  static constexpr Field kSrcBInc{10, 4};
  static constexpr Field kSrcAInc{6, 4};
};
constexpr Word encode_incrwc(Word dst_cr, Word src_b_cr, Word src_a_cr, Word dst_inc,
                             Word src_b_inc, Word src_a_inc) {
  return word(Incrwc::kOpcode) | Incrwc::kDstCr(dst_cr) | Incrwc::kSrcBCr(src_b_cr) |
         Incrwc::kSrcACr(src_a_cr) | Incrwc::kDstInc(dst_inc) | Incrwc::kSrcBInc(src_b_inc) |
         Incrwc::kSrcAInc(src_a_inc);
}

}  // namespace tvp::regs::tensix
