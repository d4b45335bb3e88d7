#pragma once

#include "models/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

// Scalar unit (ThCon) instructions. Encoders take their arguments from the high bits to the low
// ones, in the order of the fields of each page of ISA TensixCoprocessor.

struct Setdmareg {
  static constexpr Opcode kOpcode = Opcode::kSetdmareg;
  static constexpr Field kResultSize{22, 2};  // special form
  static constexpr Field kNewValue{8, 16};    // immediate form
  static constexpr Field kWhichPackers{15, 4};
  static constexpr Field kInputSource{11, 4};
  static constexpr Field kInputHalfReg{8, 3};
  static constexpr Field kSpecial{7, 1};
  static constexpr Field kResultHalfReg{0, 7};
};
constexpr Word encode_setdmareg(Word new_value, Word result_half_reg) {
  return word(Setdmareg::kOpcode) | Setdmareg::kNewValue(new_value) |
         Setdmareg::kResultHalfReg(result_half_reg);
}
constexpr Word encode_setdmareg_special(Word result_size, Word which_packers, Word input_source,
                                        Word input_half_reg, Word result_half_reg) {
  return word(Setdmareg::kOpcode) | Setdmareg::kResultSize(result_size) |
         Setdmareg::kWhichPackers(which_packers) | Setdmareg::kInputSource(input_source) |
         Setdmareg::kInputHalfReg(input_half_reg) | Setdmareg::kSpecial(1) |
         Setdmareg::kResultHalfReg(result_half_reg);
}

struct Flushdma {
  static constexpr Opcode kOpcode = Opcode::kFlushdma;
  static constexpr Field kConditionMask{0, 4};
};
constexpr Word encode_flushdma(Word condition_mask) {
  return word(Flushdma::kOpcode) | Flushdma::kConditionMask(condition_mask);
}

struct Reg2flop {
  static constexpr Opcode kOpcode = Opcode::kReg2flop;
  static constexpr Field kSizeSel{22, 2};
  static constexpr Field kToAdc{21, 1};
  static constexpr Field kOverrideThread{20, 1};
  static constexpr Field kShift8{18, 2};
  static constexpr Field kThreadSel{16, 2};
  static constexpr Field kChannel{11, 1};
  static constexpr Field kAdcSel{9, 2};
  static constexpr Field kCr{8, 1};
  static constexpr Field kXyzw{6, 2};
  static constexpr Field kThconCfgIndex{6, 7};
  static constexpr Field kInputReg{0, 6};
};
constexpr Word encode_reg2flop(Word size_sel, Word thcon_cfg_index, Word input_reg) {
  return word(Reg2flop::kOpcode) | Reg2flop::kSizeSel(size_sel) |
         Reg2flop::kThconCfgIndex(thcon_cfg_index) | Reg2flop::kInputReg(input_reg);
}
constexpr Word encode_reg2flop_adc(Word size_sel, Word override_thread, Word shift8,
                                   Word thread_sel, Word channel, Word adc_sel, Word cr, Word xyzw,
                                   Word input_reg) {
  return word(Reg2flop::kOpcode) | Reg2flop::kSizeSel(size_sel) | Reg2flop::kToAdc(1) |
         Reg2flop::kOverrideThread(override_thread) | Reg2flop::kShift8(shift8) |
         Reg2flop::kThreadSel(thread_sel) | Reg2flop::kChannel(channel) |
         Reg2flop::kAdcSel(adc_sel) | Reg2flop::kCr(cr) | Reg2flop::kXyzw(xyzw) |
         Reg2flop::kInputReg(input_reg);
}

struct Loadind {
  static constexpr Opcode kOpcode = Opcode::kLoadind;
  static constexpr Field kSize{22, 2};
  static constexpr Field kOffsetHalfReg{14, 7};
  static constexpr Field kOffsetIncrement{12, 2};
  static constexpr Field kResultReg{6, 6};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_loadind(Word size, Word offset_half_reg, Word offset_increment,
                              Word result_reg, Word addr_reg) {
  return word(Loadind::kOpcode) | Loadind::kSize(size) | Loadind::kOffsetHalfReg(offset_half_reg) |
         Loadind::kOffsetIncrement(offset_increment) | Loadind::kResultReg(result_reg) |
         Loadind::kAddrReg(addr_reg);
}

struct Adddmareg {
  static constexpr Opcode kOpcode = Opcode::kAdddmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_adddmareg(Word right_is_immediate, Word result_reg, Word right,
                                Word left_reg) {
  return word(Adddmareg::kOpcode) | Adddmareg::kRightIsImmediate(right_is_immediate) |
         Adddmareg::kResultReg(result_reg) | Adddmareg::kRight(right) |
         Adddmareg::kLeftReg(left_reg);
}

struct Subdmareg {
  static constexpr Opcode kOpcode = Opcode::kSubdmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_subdmareg(Word right_is_immediate, Word result_reg, Word right,
                                Word left_reg) {
  return word(Subdmareg::kOpcode) | Subdmareg::kRightIsImmediate(right_is_immediate) |
         Subdmareg::kResultReg(result_reg) | Subdmareg::kRight(right) |
         Subdmareg::kLeftReg(left_reg);
}

struct Muldmareg {
  static constexpr Opcode kOpcode = Opcode::kMuldmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_muldmareg(Word right_is_immediate, Word result_reg, Word right,
                                Word left_reg) {
  return word(Muldmareg::kOpcode) | Muldmareg::kRightIsImmediate(right_is_immediate) |
         Muldmareg::kResultReg(result_reg) | Muldmareg::kRight(right) |
         Muldmareg::kLeftReg(left_reg);
}

struct Bitwopdmareg {
  static constexpr Opcode kOpcode = Opcode::kBitwopdmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kMode{18, 3};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_bitwopdmareg(Word right_is_immediate, Word mode, Word result_reg, Word right,
                                   Word left_reg) {
  return word(Bitwopdmareg::kOpcode) | Bitwopdmareg::kRightIsImmediate(right_is_immediate) |
         Bitwopdmareg::kMode(mode) | Bitwopdmareg::kResultReg(result_reg) |
         Bitwopdmareg::kRight(right) | Bitwopdmareg::kLeftReg(left_reg);
}

struct Shiftdmareg {
  static constexpr Opcode kOpcode = Opcode::kShiftdmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kMode{18, 3};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_shiftdmareg(Word right_is_immediate, Word mode, Word result_reg, Word right,
                                  Word left_reg) {
  return word(Shiftdmareg::kOpcode) | Shiftdmareg::kRightIsImmediate(right_is_immediate) |
         Shiftdmareg::kMode(mode) | Shiftdmareg::kResultReg(result_reg) |
         Shiftdmareg::kRight(right) | Shiftdmareg::kLeftReg(left_reg);
}

struct Cmpdmareg {
  static constexpr Opcode kOpcode = Opcode::kCmpdmareg;
  static constexpr Field kRightIsImmediate{23, 1};
  static constexpr Field kMode{18, 3};
  static constexpr Field kResultReg{12, 6};
  static constexpr Field kRight{6, 6};
  static constexpr Field kLeftReg{0, 6};
};
constexpr Word encode_cmpdmareg(Word right_is_immediate, Word mode, Word result_reg, Word right,
                                Word left_reg) {
  return word(Cmpdmareg::kOpcode) | Cmpdmareg::kRightIsImmediate(right_is_immediate) |
         Cmpdmareg::kMode(mode) | Cmpdmareg::kResultReg(result_reg) | Cmpdmareg::kRight(right) |
         Cmpdmareg::kLeftReg(left_reg);
}

constexpr Word encode_dmanop() { return word(Opcode::kDmanop); }

struct Atincget {
  static constexpr Opcode kOpcode = Opcode::kAtincget;
  static constexpr Field kIntWidth{14, 5};
  static constexpr Field kOfs{12, 2};
  static constexpr Field kInOutReg{6, 6};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_atincget(Word int_width, Word ofs, Word in_out_reg, Word addr_reg) {
  return word(Atincget::kOpcode) | Atincget::kIntWidth(int_width) | Atincget::kOfs(ofs) |
         Atincget::kInOutReg(in_out_reg) | Atincget::kAddrReg(addr_reg);
}

struct Atincgetptr {
  static constexpr Opcode kOpcode = Opcode::kAtincgetptr;
  static constexpr Field kNoIncr{22, 1};
  static constexpr Field kIncrLog2{18, 4};
  static constexpr Field kIntWidth{14, 4};
  static constexpr Field kOfs{12, 2};
  static constexpr Field kResultReg{6, 6};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_atincgetptr(Word no_incr, Word incr_log2, Word int_width, Word ofs,
                                  Word result_reg, Word addr_reg) {
  return word(Atincgetptr::kOpcode) | Atincgetptr::kNoIncr(no_incr) |
         Atincgetptr::kIncrLog2(incr_log2) | Atincgetptr::kIntWidth(int_width) |
         Atincgetptr::kOfs(ofs) | Atincgetptr::kResultReg(result_reg) |
         Atincgetptr::kAddrReg(addr_reg);
}

struct Atswap {
  static constexpr Opcode kOpcode = Opcode::kAtswap;
  static constexpr Field kSingleDataReg{22, 1};
  static constexpr Field kMask{14, 8};
  static constexpr Field kDataReg{6, 6};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_atswap(Word single_data_reg, Word mask, Word data_reg, Word addr_reg) {
  return word(Atswap::kOpcode) | Atswap::kSingleDataReg(single_data_reg) | Atswap::kMask(mask) |
         Atswap::kDataReg(data_reg) | Atswap::kAddrReg(addr_reg);
}

struct Atcas {
  static constexpr Opcode kOpcode = Opcode::kAtcas;
  static constexpr Field kSetVal{18, 4};
  static constexpr Field kCmpVal{14, 4};
  static constexpr Field kOfs{12, 2};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_atcas(Word set_val, Word cmp_val, Word ofs, Word addr_reg) {
  return word(Atcas::kOpcode) | Atcas::kSetVal(set_val) | Atcas::kCmpVal(cmp_val) |
         Atcas::kOfs(ofs) | Atcas::kAddrReg(addr_reg);
}

struct Storeind {
  static constexpr Opcode kOpcode = Opcode::kStoreind;
  static constexpr Field kToL1{23, 1};
  static constexpr Field kToMmio{22, 1};  // when not to L1
  static constexpr Field kSize{21, 2};    // to L1 only
  static constexpr Field kStoreToSrcB{21, 1};
  static constexpr Field kOffsetHalfReg{14, 7};
  static constexpr Field kOffsetIncrement{12, 2};
  static constexpr Field kDataReg{6, 6};
  static constexpr Field kAddrReg{0, 6};
};
constexpr Word encode_storeind_l1(Word size, Word offset_half_reg, Word offset_increment,
                                  Word data_reg, Word addr_reg) {
  return word(Storeind::kOpcode) | Storeind::kToL1(1) | Storeind::kSize(size) |
         Storeind::kOffsetHalfReg(offset_half_reg) | Storeind::kOffsetIncrement(offset_increment) |
         Storeind::kDataReg(data_reg) | Storeind::kAddrReg(addr_reg);
}
constexpr Word encode_storeind_mmio(Word offset_half_reg, Word offset_increment, Word data_reg,
                                    Word addr_reg) {
  return word(Storeind::kOpcode) | Storeind::kToMmio(1) |
         Storeind::kOffsetHalfReg(offset_half_reg) | Storeind::kOffsetIncrement(offset_increment) |
         Storeind::kDataReg(data_reg) | Storeind::kAddrReg(addr_reg);
}
constexpr Word encode_storeind_src(Word store_to_src_b, Word offset_half_reg, Word offset_increment,
                                   Word data_reg, Word addr_reg) {
  return word(Storeind::kOpcode) | Storeind::kStoreToSrcB(store_to_src_b) |
         Storeind::kOffsetHalfReg(offset_half_reg) | Storeind::kOffsetIncrement(offset_increment) |
         Storeind::kDataReg(data_reg) | Storeind::kAddrReg(addr_reg);
}

struct Storereg {
  static constexpr Opcode kOpcode = Opcode::kStorereg;
  static constexpr Field kDataReg{18, 6};
  static constexpr Field kAddrLo{0, 18};
};
constexpr Word encode_storereg(Word data_reg, Word addr_lo) {
  return word(Storereg::kOpcode) | Storereg::kDataReg(data_reg) | Storereg::kAddrLo(addr_lo);
}

struct Loadreg {
  static constexpr Opcode kOpcode = Opcode::kLoadreg;
  static constexpr Field kResultReg{18, 6};
  static constexpr Field kAddrLo{0, 18};
};
constexpr Word encode_loadreg(Word result_reg, Word addr_lo) {
  return word(Loadreg::kOpcode) | Loadreg::kResultReg(result_reg) | Loadreg::kAddrLo(addr_lo);
}

}  // namespace tvp::regs::tensix
