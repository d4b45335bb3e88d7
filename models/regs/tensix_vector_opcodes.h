#pragma once

#include "models/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

// Vector unit (SFPU) instructions. Encoders take their arguments from the high bits to the low
// ones, in the order of the fields of each page of ISA TensixCoprocessor.

struct Sfpload {
  static constexpr Opcode kOpcode = Opcode::kSfpload;
  static constexpr Field kVd{20, 4};
  static constexpr Field kMod0{16, 4};
  static constexpr Field kAddrMod{14, 2};
  static constexpr Field kImm10{0, 10};
};
constexpr Word encode_sfpload(Word vd, Word mod0, Word addr_mod, Word imm10) {
  return word(Sfpload::kOpcode) | Sfpload::kVd(vd) | Sfpload::kMod0(mod0) |
         Sfpload::kAddrMod(addr_mod) | Sfpload::kImm10(imm10);
}

struct Sfploadi {
  static constexpr Opcode kOpcode = Opcode::kSfploadi;
  static constexpr Field kVd{20, 4};
  static constexpr Field kMod0{16, 4};
  static constexpr Field kImm16{0, 16};
};
constexpr Word encode_sfploadi(Word vd, Word mod0, Word imm16) {
  return word(Sfploadi::kOpcode) | Sfploadi::kVd(vd) | Sfploadi::kMod0(mod0) |
         Sfploadi::kImm16(imm16);
}

struct Sfpstore {
  static constexpr Opcode kOpcode = Opcode::kSfpstore;
  static constexpr Field kVd{20, 4};
  static constexpr Field kMod0{16, 4};
  static constexpr Field kAddrMod{14, 2};
  static constexpr Field kImm10{0, 10};
};
constexpr Word encode_sfpstore(Word vd, Word mod0, Word addr_mod, Word imm10) {
  return word(Sfpstore::kOpcode) | Sfpstore::kVd(vd) | Sfpstore::kMod0(mod0) |
         Sfpstore::kAddrMod(addr_mod) | Sfpstore::kImm10(imm10);
}

struct Sfplut {
  static constexpr Opcode kOpcode = Opcode::kSfplut;
  static constexpr Field kVd{20, 4};
  static constexpr Field kMod0{16, 4};
};
constexpr Word encode_sfplut(Word vd, Word mod0) {
  return word(Sfplut::kOpcode) | Sfplut::kVd(vd) | Sfplut::kMod0(mod0);
}

struct Sfpmuli {
  static constexpr Opcode kOpcode = Opcode::kSfpmuli;
  static constexpr Field kImm16{8, 16};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpmuli(Word imm16, Word vd, Word mod1) {
  return word(Sfpmuli::kOpcode) | Sfpmuli::kImm16(imm16) | Sfpmuli::kVd(vd) | Sfpmuli::kMod1(mod1);
}

struct Sfpaddi {
  static constexpr Opcode kOpcode = Opcode::kSfpaddi;
  static constexpr Field kImm16{8, 16};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpaddi(Word imm16, Word vd, Word mod1) {
  return word(Sfpaddi::kOpcode) | Sfpaddi::kImm16(imm16) | Sfpaddi::kVd(vd) | Sfpaddi::kMod1(mod1);
}

struct Sfpdivp2 {
  static constexpr Opcode kOpcode = Opcode::kSfpdivp2;
  static constexpr Field kImm8{12, 8};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpdivp2(Word imm8, Word vc, Word vd, Word mod1) {
  return word(Sfpdivp2::kOpcode) | Sfpdivp2::kImm8(imm8) | Sfpdivp2::kVc(vc) | Sfpdivp2::kVd(vd) |
         Sfpdivp2::kMod1(mod1);
}

struct Sfpexexp {
  static constexpr Opcode kOpcode = Opcode::kSfpexexp;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpexexp(Word vc, Word vd, Word mod1) {
  return word(Sfpexexp::kOpcode) | Sfpexexp::kVc(vc) | Sfpexexp::kVd(vd) | Sfpexexp::kMod1(mod1);
}

struct Sfpexman {
  static constexpr Opcode kOpcode = Opcode::kSfpexman;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpexman(Word vc, Word vd, Word mod1) {
  return word(Sfpexman::kOpcode) | Sfpexman::kVc(vc) | Sfpexman::kVd(vd) | Sfpexman::kMod1(mod1);
}

struct Sfpiadd {
  static constexpr Opcode kOpcode = Opcode::kSfpiadd;
  static constexpr Field kImm12{12, 12};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpiadd(Word imm12, Word vc, Word vd, Word mod1) {
  return word(Sfpiadd::kOpcode) | Sfpiadd::kImm12(imm12) | Sfpiadd::kVc(vc) | Sfpiadd::kVd(vd) |
         Sfpiadd::kMod1(mod1);
}

struct Sfpshft {
  static constexpr Opcode kOpcode = Opcode::kSfpshft;
  static constexpr Field kImm12{12, 12};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpshft(Word imm12, Word vc, Word vd, Word mod1) {
  return word(Sfpshft::kOpcode) | Sfpshft::kImm12(imm12) | Sfpshft::kVc(vc) | Sfpshft::kVd(vd) |
         Sfpshft::kMod1(mod1);
}

struct Sfpsetcc {
  static constexpr Opcode kOpcode = Opcode::kSfpsetcc;
  static constexpr Field kImm1{12, 1};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpsetcc(Word imm1, Word vc, Word vd, Word mod1) {
  return word(Sfpsetcc::kOpcode) | Sfpsetcc::kImm1(imm1) | Sfpsetcc::kVc(vc) | Sfpsetcc::kVd(vd) |
         Sfpsetcc::kMod1(mod1);
}

struct Sfpmov {
  static constexpr Opcode kOpcode = Opcode::kSfpmov;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpmov(Word vc, Word vd, Word mod1) {
  return word(Sfpmov::kOpcode) | Sfpmov::kVc(vc) | Sfpmov::kVd(vd) | Sfpmov::kMod1(mod1);
}

struct Sfpabs {
  static constexpr Opcode kOpcode = Opcode::kSfpabs;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpabs(Word vc, Word vd, Word mod1) {
  return word(Sfpabs::kOpcode) | Sfpabs::kVc(vc) | Sfpabs::kVd(vd) | Sfpabs::kMod1(mod1);
}

struct Sfpand {
  static constexpr Opcode kOpcode = Opcode::kSfpand;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfpand(Word vc, Word vd) {
  return word(Sfpand::kOpcode) | Sfpand::kVc(vc) | Sfpand::kVd(vd);
}

struct Sfpor {
  static constexpr Opcode kOpcode = Opcode::kSfpor;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfpor(Word vc, Word vd) {
  return word(Sfpor::kOpcode) | Sfpor::kVc(vc) | Sfpor::kVd(vd);
}

struct Sfpnot {
  static constexpr Opcode kOpcode = Opcode::kSfpnot;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfpnot(Word vc, Word vd) {
  return word(Sfpnot::kOpcode) | Sfpnot::kVc(vc) | Sfpnot::kVd(vd);
}

struct Sfplz {
  static constexpr Opcode kOpcode = Opcode::kSfplz;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfplz(Word vc, Word vd, Word mod1) {
  return word(Sfplz::kOpcode) | Sfplz::kVc(vc) | Sfplz::kVd(vd) | Sfplz::kMod1(mod1);
}

struct Sfpsetexp {
  static constexpr Opcode kOpcode = Opcode::kSfpsetexp;
  static constexpr Field kImm8{12, 8};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpsetexp(Word imm8, Word vc, Word vd, Word mod1) {
  return word(Sfpsetexp::kOpcode) | Sfpsetexp::kImm8(imm8) | Sfpsetexp::kVc(vc) |
         Sfpsetexp::kVd(vd) | Sfpsetexp::kMod1(mod1);
}

struct Sfpsetman {
  static constexpr Opcode kOpcode = Opcode::kSfpsetman;
  static constexpr Field kImm12{12, 12};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpsetman(Word imm12, Word vc, Word vd, Word mod1) {
  return word(Sfpsetman::kOpcode) | Sfpsetman::kImm12(imm12) | Sfpsetman::kVc(vc) |
         Sfpsetman::kVd(vd) | Sfpsetman::kMod1(mod1);
}

struct Sfpmad {
  static constexpr Opcode kOpcode = Opcode::kSfpmad;
  static constexpr Field kVa{16, 4};
  static constexpr Field kVb{12, 4};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpmad(Word va, Word vb, Word vc, Word vd, Word mod1) {
  return word(Sfpmad::kOpcode) | Sfpmad::kVa(va) | Sfpmad::kVb(vb) | Sfpmad::kVc(vc) |
         Sfpmad::kVd(vd) | Sfpmad::kMod1(mod1);
}

struct Sfpadd {
  static constexpr Opcode kOpcode = Opcode::kSfpadd;
  static constexpr Field kVa{16, 4};
  static constexpr Field kVb{12, 4};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpadd(Word va, Word vb, Word vc, Word vd, Word mod1) {
  return word(Sfpadd::kOpcode) | Sfpadd::kVa(va) | Sfpadd::kVb(vb) | Sfpadd::kVc(vc) |
         Sfpadd::kVd(vd) | Sfpadd::kMod1(mod1);
}

struct Sfpmul {
  static constexpr Opcode kOpcode = Opcode::kSfpmul;
  static constexpr Field kVa{16, 4};
  static constexpr Field kVb{12, 4};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpmul(Word va, Word vb, Word vc, Word vd, Word mod1) {
  return word(Sfpmul::kOpcode) | Sfpmul::kVa(va) | Sfpmul::kVb(vb) | Sfpmul::kVc(vc) |
         Sfpmul::kVd(vd) | Sfpmul::kMod1(mod1);
}

struct Sfppushc {
  static constexpr Opcode kOpcode = Opcode::kSfppushc;
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfppushc(Word vd) { return word(Sfppushc::kOpcode) | Sfppushc::kVd(vd); }

struct Sfppopc {
  static constexpr Opcode kOpcode = Opcode::kSfppopc;
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfppopc(Word vd, Word mod1) {
  return word(Sfppopc::kOpcode) | Sfppopc::kVd(vd) | Sfppopc::kMod1(mod1);
}

struct Sfpsetsgn {
  static constexpr Opcode kOpcode = Opcode::kSfpsetsgn;
  static constexpr Field kImm1{12, 1};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpsetsgn(Word imm1, Word vc, Word vd, Word mod1) {
  return word(Sfpsetsgn::kOpcode) | Sfpsetsgn::kImm1(imm1) | Sfpsetsgn::kVc(vc) |
         Sfpsetsgn::kVd(vd) | Sfpsetsgn::kMod1(mod1);
}

struct Sfpencc {
  static constexpr Opcode kOpcode = Opcode::kSfpencc;
  static constexpr Field kImm2{12, 2};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpencc(Word imm2, Word vd, Word mod1) {
  return word(Sfpencc::kOpcode) | Sfpencc::kImm2(imm2) | Sfpencc::kVd(vd) | Sfpencc::kMod1(mod1);
}

struct Sfpcompc {
  static constexpr Opcode kOpcode = Opcode::kSfpcompc;
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfpcompc(Word vd) { return word(Sfpcompc::kOpcode) | Sfpcompc::kVd(vd); }

struct Sfptransp {
  static constexpr Opcode kOpcode = Opcode::kSfptransp;
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfptransp(Word vd) { return word(Sfptransp::kOpcode) | Sfptransp::kVd(vd); }

struct Sfpxor {
  static constexpr Opcode kOpcode = Opcode::kSfpxor;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
};
constexpr Word encode_sfpxor(Word vc, Word vd) {
  return word(Sfpxor::kOpcode) | Sfpxor::kVc(vc) | Sfpxor::kVd(vd);
}

struct Sfpstochrnd {
  static constexpr Opcode kOpcode = Opcode::kSfpstochrnd;
  static constexpr Field kStochasticRounding{21, 1};
  static constexpr Field kImm5{16, 5};
  static constexpr Field kVb{12, 4};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kUseImm5{3, 1};
  static constexpr Field kMod1{0, 3};
};
constexpr Word encode_sfpstochrnd(Word stochastic_rounding, Word imm5, Word vb, Word vc, Word vd,
                                  Word use_imm5, Word mod1) {
  return word(Sfpstochrnd::kOpcode) | Sfpstochrnd::kStochasticRounding(stochastic_rounding) |
         Sfpstochrnd::kImm5(imm5) | Sfpstochrnd::kVb(vb) | Sfpstochrnd::kVc(vc) |
         Sfpstochrnd::kVd(vd) | Sfpstochrnd::kUseImm5(use_imm5) | Sfpstochrnd::kMod1(mod1);
}

constexpr Word encode_sfpnop() { return word(Opcode::kSfpnop); }

struct Sfpcast {
  static constexpr Opcode kOpcode = Opcode::kSfpcast;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpcast(Word vc, Word vd, Word mod1) {
  return word(Sfpcast::kOpcode) | Sfpcast::kVc(vc) | Sfpcast::kVd(vd) | Sfpcast::kMod1(mod1);
}

struct Sfpconfig {
  static constexpr Opcode kOpcode = Opcode::kSfpconfig;
  static constexpr Field kImm16{8, 16};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpconfig(Word imm16, Word vd, Word mod1) {
  return word(Sfpconfig::kOpcode) | Sfpconfig::kImm16(imm16) | Sfpconfig::kVd(vd) |
         Sfpconfig::kMod1(mod1);
}

struct Sfpswap {
  static constexpr Opcode kOpcode = Opcode::kSfpswap;
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpswap(Word vc, Word vd, Word mod1) {
  return word(Sfpswap::kOpcode) | Sfpswap::kVc(vc) | Sfpswap::kVd(vd) | Sfpswap::kMod1(mod1);
}

struct Sfploadmacro {
  static constexpr Opcode kOpcode = Opcode::kSfploadmacro;
  static constexpr Field kMacroIndex{22, 2};
  static constexpr Field kVdLo{20, 2};
  static constexpr Field kMod0{16, 4};
  static constexpr Field kAddrMod{14, 2};
  static constexpr Field kImm9{1, 9};
  static constexpr Field kVdHi{0, 1};
};
constexpr Word encode_sfploadmacro(Word macro_index, Word vd_lo, Word mod0, Word addr_mod,
                                   Word imm9, Word vd_hi) {
  return word(Sfploadmacro::kOpcode) | Sfploadmacro::kMacroIndex(macro_index) |
         Sfploadmacro::kVdLo(vd_lo) | Sfploadmacro::kMod0(mod0) | Sfploadmacro::kAddrMod(addr_mod) |
         Sfploadmacro::kImm9(imm9) | Sfploadmacro::kVdHi(vd_hi);
}

struct Sfpshft2 {
  static constexpr Opcode kOpcode = Opcode::kSfpshft2;
  static constexpr Field kImm12{12, 12};  // the forms that shift by a constant
  static constexpr Field kVb{12, 4};
  static constexpr Field kVc{8, 4};
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfpshft2(Word vb_or_imm12, Word vc, Word vd, Word mod1) {
  return word(Sfpshft2::kOpcode) | Sfpshft2::kImm12(vb_or_imm12) | Sfpshft2::kVc(vc) |
         Sfpshft2::kVd(vd) | Sfpshft2::kMod1(mod1);
}

struct Sfplutfp32 {
  static constexpr Opcode kOpcode = Opcode::kSfplutfp32;
  static constexpr Field kVd{4, 4};
  static constexpr Field kMod1{0, 4};
};
constexpr Word encode_sfplutfp32(Word vd, Word mod1) {
  return word(Sfplutfp32::kOpcode) | Sfplutfp32::kVd(vd) | Sfplutfp32::kMod1(mod1);
}

}  // namespace tvp::regs::tensix
