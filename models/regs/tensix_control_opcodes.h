#pragma once

#include "models/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

// Frontend, sync, configuration and mover instructions. Encoders take their arguments from the high
// bits to the low ones, in the order of the fields of each page of ISA TensixCoprocessor.

struct Mop {
  static constexpr Opcode kOpcode = Opcode::kMop;
  static constexpr Field kWhichTemplate{23, 1};
  static constexpr Field kCount1{16, 7};
  static constexpr Field kMaskLo{0, 16};
};
constexpr Word encode_mop(Word which_template, Word count1, Word mask_lo) {
  return word(Mop::kOpcode) | Mop::kWhichTemplate(which_template) | Mop::kCount1(count1) |
         Mop::kMaskLo(mask_lo);
}

constexpr Word encode_nop() { return word(Opcode::kNop); }

struct MopCfg {
  static constexpr Opcode kOpcode = Opcode::kMopCfg;
  static constexpr Field kMaskHi{0, 16};
};
constexpr Word encode_mop_cfg(Word mask_hi) {
  return word(MopCfg::kOpcode) | MopCfg::kMaskHi(mask_hi);
}

struct Replay {
  static constexpr Opcode kOpcode = Opcode::kReplay;
  static constexpr Field kIndex{14, 5};
  static constexpr Field kCount{4, 6};
  static constexpr Field kExec{1, 1};
  static constexpr Field kLoad{0, 1};
};
constexpr Word encode_replay(Word index, Word count, Word exec, Word load) {
  return word(Replay::kOpcode) | Replay::kIndex(index) | Replay::kCount(count) |
         Replay::kExec(exec) | Replay::kLoad(load);
}

struct Atgetm {
  static constexpr Opcode kOpcode = Opcode::kAtgetm;
  static constexpr Field kIndex{0, 16};
};
constexpr Word encode_atgetm(Word index) { return word(Atgetm::kOpcode) | Atgetm::kIndex(index); }

struct Atrelm {
  static constexpr Opcode kOpcode = Opcode::kAtrelm;
  static constexpr Field kIndex{0, 16};
};
constexpr Word encode_atrelm(Word index) { return word(Atrelm::kOpcode) | Atrelm::kIndex(index); }

struct Stallwait {
  static constexpr Opcode kOpcode = Opcode::kStallwait;
  static constexpr Field kBlockMask{15, 9};
  static constexpr Field kConditionMask{0, 15};
};
constexpr Word encode_stallwait(Word block_mask, Word condition_mask) {
  return word(Stallwait::kOpcode) | Stallwait::kBlockMask(block_mask) |
         Stallwait::kConditionMask(condition_mask);
}

struct Seminit {
  static constexpr Opcode kOpcode = Opcode::kSeminit;
  static constexpr Field kNewMax{20, 4};
  static constexpr Field kNewValue{16, 4};
  static constexpr Field kSemaphoreMask{2, 8};
};
constexpr Word encode_seminit(Word new_max, Word new_value, Word semaphore_mask) {
  return word(Seminit::kOpcode) | Seminit::kNewMax(new_max) | Seminit::kNewValue(new_value) |
         Seminit::kSemaphoreMask(semaphore_mask);
}

struct Sempost {
  static constexpr Opcode kOpcode = Opcode::kSempost;
  static constexpr Field kSemaphoreMask{2, 8};
};
constexpr Word encode_sempost(Word semaphore_mask) {
  return word(Sempost::kOpcode) | Sempost::kSemaphoreMask(semaphore_mask);
}

struct Semget {
  static constexpr Opcode kOpcode = Opcode::kSemget;
  static constexpr Field kSemaphoreMask{2, 8};
};
constexpr Word encode_semget(Word semaphore_mask) {
  return word(Semget::kOpcode) | Semget::kSemaphoreMask(semaphore_mask);
}

struct Semwait {
  static constexpr Opcode kOpcode = Opcode::kSemwait;
  static constexpr Field kBlockMask{15, 9};
  static constexpr Field kSemaphoreMask{2, 8};
  static constexpr Field kConditionMask{0, 2};
};
constexpr Word encode_semwait(Word block_mask, Word semaphore_mask, Word condition_mask) {
  return word(Semwait::kOpcode) | Semwait::kBlockMask(block_mask) |
         Semwait::kSemaphoreMask(semaphore_mask) | Semwait::kConditionMask(condition_mask);
}

struct Wrcfg {
  static constexpr Opcode kOpcode = Opcode::kWrcfg;
  static constexpr Field kInputReg{16, 6};
  static constexpr Field kIs128Bit{15, 1};
  static constexpr Field kCfgIndex{0, 11};
};
constexpr Word encode_wrcfg(Word input_reg, Word is_128_bit, Word cfg_index) {
  return word(Wrcfg::kOpcode) | Wrcfg::kInputReg(input_reg) | Wrcfg::kIs128Bit(is_128_bit) |
         Wrcfg::kCfgIndex(cfg_index);
}

struct Rdcfg {
  static constexpr Opcode kOpcode = Opcode::kRdcfg;
  static constexpr Field kResultReg{16, 6};
  static constexpr Field kCfgIndex{0, 11};
};
constexpr Word encode_rdcfg(Word result_reg, Word cfg_index) {
  return word(Rdcfg::kOpcode) | Rdcfg::kResultReg(result_reg) | Rdcfg::kCfgIndex(cfg_index);
}

struct Setc16 {
  static constexpr Opcode kOpcode = Opcode::kSetc16;
  static constexpr Field kCfgIndex{16, 8};
  static constexpr Field kNewValue{0, 16};
};
constexpr Word encode_setc16(Word cfg_index, Word new_value) {
  return word(Setc16::kOpcode) | Setc16::kCfgIndex(cfg_index) | Setc16::kNewValue(new_value);
}

struct Rmwcib0 {
  static constexpr Opcode kOpcode = Opcode::kRmwcib0;
  static constexpr Field kMask{16, 8};
  static constexpr Field kNewValue{8, 8};
  static constexpr Field kIndex4{0, 8};
};
constexpr Word encode_rmwcib0(Word mask, Word new_value, Word index4) {
  return word(Rmwcib0::kOpcode) | Rmwcib0::kMask(mask) | Rmwcib0::kNewValue(new_value) |
         Rmwcib0::kIndex4(index4);
}

struct Rmwcib1 {
  static constexpr Opcode kOpcode = Opcode::kRmwcib1;
  static constexpr Field kMask{16, 8};
  static constexpr Field kNewValue{8, 8};
  static constexpr Field kIndex4{0, 8};
};
constexpr Word encode_rmwcib1(Word mask, Word new_value, Word index4) {
  return word(Rmwcib1::kOpcode) | Rmwcib1::kMask(mask) | Rmwcib1::kNewValue(new_value) |
         Rmwcib1::kIndex4(index4);
}

struct Rmwcib2 {
  static constexpr Opcode kOpcode = Opcode::kRmwcib2;
  static constexpr Field kMask{16, 8};
  static constexpr Field kNewValue{8, 8};
  static constexpr Field kIndex4{0, 8};
};
constexpr Word encode_rmwcib2(Word mask, Word new_value, Word index4) {
  return word(Rmwcib2::kOpcode) | Rmwcib2::kMask(mask) | Rmwcib2::kNewValue(new_value) |
         Rmwcib2::kIndex4(index4);
}

struct Rmwcib3 {
  static constexpr Opcode kOpcode = Opcode::kRmwcib3;
  static constexpr Field kMask{16, 8};
  static constexpr Field kNewValue{8, 8};
  static constexpr Field kIndex4{0, 8};
};
constexpr Word encode_rmwcib3(Word mask, Word new_value, Word index4) {
  return word(Rmwcib3::kOpcode) | Rmwcib3::kMask(mask) | Rmwcib3::kNewValue(new_value) |
         Rmwcib3::kIndex4(index4);
}

constexpr Word encode_xmov() { return word(Opcode::kXmov); }

}  // namespace tvp::regs::tensix
