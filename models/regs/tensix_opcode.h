#pragma once

#include <stdint.h>

namespace tvp::regs::tensix {

using Word = uint32_t;

/// Bits 31:24 of a Tensix instruction (ISA Diagrams/Src/Bits32.lua). Those marked "no page" are in
/// the instruction set that tt-llk assembles for Wormhole, without a documented meaning.
enum class Opcode : uint8_t {
  kMop = 0x01,
  kNop = 0x02,
  kMopCfg = 0x03,
  kReplay = 0x04,
  kMovd2a = 0x08,
  kMovdbga2d = 0x09,
  kMovd2b = 0x0A,
  kMovb2a = 0x0B,
  kZeroacc = 0x10,
  kZerosrc = 0x11,
  kMova2d = 0x12,
  kMovb2d = 0x13,
  kTrnspsrca = 0x14,  // no page
  kRareb = 0x15,      // no page
  kTrnspsrcb = 0x16,
  kShiftxa = 0x17,
  kShiftxb = 0x18,
  kSetashrmh0 = 0x1A,  // no page
  kSetashrmh1 = 0x1B,  // no page
  kSetashrmv = 0x1C,   // no page
  kSetpkedgof = 0x1D,  // no page
  kSetashrmh = 0x1E,   // no page
  kClrexphist = 0x21,
  kConv3s1 = 0x22,   // no page
  kConv3s2 = 0x23,   // no page
  kMpool3s1 = 0x24,  // no page
  kApool3s1 = 0x25,  // no page
  kMvmul = 0x26,
  kElwmul = 0x27,
  kElwadd = 0x28,
  kDotpv = 0x29,
  kElwsub = 0x30,
  kMpool3s2 = 0x31,  // no page
  kApool3s2 = 0x32,  // no page
  kGmpool = 0x33,
  kGapool = 0x34,
  kGatesrcrst = 0x35,
  kCleardvalid = 0x36,
  kSetrwc = 0x37,
  kIncrwc = 0x38,
  kSetibrwc = 0x39,   // no page
  kMfconv3s1 = 0x3A,  // no page
  kXmov = 0x40,
  kPacr = 0x41,
  kUnpacr = 0x42,
  kUnpacrNop = 0x43,
  kRstdma = 0x44,  // no page
  kSetdmareg = 0x45,
  kFlushdma = 0x46,
  kReg2flop = 0x48,
  kLoadind = 0x49,
  kPacrSetreg = 0x4A,
  kTbufcmd = 0x4B,  // no page
  kSetadc = 0x50,
  kSetadcxy = 0x51,
  kIncadcxy = 0x52,
  kAddrcrxy = 0x53,
  kSetadczw = 0x54,
  kIncadczw = 0x55,
  kAddrcrzw = 0x56,
  kSetdvalid = 0x57,
  kAdddmareg = 0x58,
  kSubdmareg = 0x59,
  kMuldmareg = 0x5A,
  kBitwopdmareg = 0x5B,
  kShiftdmareg = 0x5C,
  kCmpdmareg = 0x5D,
  kSetadcxx = 0x5E,
  kDmanop = 0x60,
  kAtincget = 0x61,
  kAtincgetptr = 0x62,
  kAtswap = 0x63,
  kAtcas = 0x64,
  kStoreind = 0x66,
  kStorereg = 0x67,
  kLoadreg = 0x68,
  kSfpload = 0x70,
  kSfploadi = 0x71,
  kSfpstore = 0x72,
  kSfplut = 0x73,
  kSfpmuli = 0x74,
  kSfpaddi = 0x75,
  kSfpdivp2 = 0x76,
  kSfpexexp = 0x77,
  kSfpexman = 0x78,
  kSfpiadd = 0x79,
  kSfpshft = 0x7A,
  kSfpsetcc = 0x7B,
  kSfpmov = 0x7C,
  kSfpabs = 0x7D,
  kSfpand = 0x7E,
  kSfpor = 0x7F,
  kSfpnot = 0x80,
  kSfplz = 0x81,
  kSfpsetexp = 0x82,
  kSfpsetman = 0x83,
  kSfpmad = 0x84,
  kSfpadd = 0x85,
  kSfpmul = 0x86,
  kSfppushc = 0x87,
  kSfppopc = 0x88,
  kSfpsetsgn = 0x89,
  kSfpencc = 0x8A,
  kSfpcompc = 0x8B,
  kSfptransp = 0x8C,
  kSfpxor = 0x8D,
  kSfpstochrnd = 0x8E,
  kSfpnop = 0x8F,
  kSfpcast = 0x90,
  kSfpconfig = 0x91,
  kSfpswap = 0x92,
  kSfploadmacro = 0x93,
  kSfpshft2 = 0x94,
  kSfplutfp32 = 0x95,
  kAtgetm = 0xA0,
  kAtrelm = 0xA1,
  kStallwait = 0xA2,
  kSeminit = 0xA3,
  kSempost = 0xA4,
  kSemget = 0xA5,
  kSemwait = 0xA6,
  kWrcfg = 0xB0,
  kRdcfg = 0xB1,
  kSetc16 = 0xB2,
  kRmwcib0 = 0xB3,
  kRmwcib1 = 0xB4,
  kRmwcib2 = 0xB5,
  kRmwcib3 = 0xB6,
};

/// One field of an instruction word.
struct Field {
  unsigned low;
  unsigned width;

  constexpr Word mask() const { return width >= 32 ? ~Word{0} : (Word{1} << width) - 1; }
  /// The field's value in an instruction.
  constexpr Word of(Word instruction) const { return (instruction >> low) & mask(); }
  /// Like of(), with the top bit of the field as sign.
  constexpr int32_t signed_of(Word instruction) const {
    const Word sign = Word{1} << (width - 1);
    return static_cast<int32_t>((of(instruction) ^ sign) - sign);
  }
  /// A value placed where the field is; bits that do not fit are dropped.
  constexpr Word operator()(Word value) const { return (value & mask()) << low; }
};

constexpr Word word(Opcode opcode) { return static_cast<Word>(opcode) << 24; }
constexpr Opcode opcode_of(Word instruction) { return static_cast<Opcode>(instruction >> 24); }

/// Mnemonic, or null for an opcode that Wormhole does not have.
constexpr const char* opcode_name(Opcode opcode) {
  switch (opcode) {
    case Opcode::kMop:
      return "MOP";
    case Opcode::kNop:
      return "NOP";
    case Opcode::kMopCfg:
      return "MOP_CFG";
    case Opcode::kReplay:
      return "REPLAY";
    case Opcode::kMovd2a:
      return "MOVD2A";
    case Opcode::kMovdbga2d:
      return "MOVDBGA2D";
    case Opcode::kMovd2b:
      return "MOVD2B";
    case Opcode::kMovb2a:
      return "MOVB2A";
    case Opcode::kZeroacc:
      return "ZEROACC";
    case Opcode::kZerosrc:
      return "ZEROSRC";
    case Opcode::kMova2d:
      return "MOVA2D";
    case Opcode::kMovb2d:
      return "MOVB2D";
    case Opcode::kTrnspsrca:
      return "TRNSPSRCA";
    case Opcode::kRareb:
      return "RAREB";
    case Opcode::kTrnspsrcb:
      return "TRNSPSRCB";
    case Opcode::kShiftxa:
      return "SHIFTXA";
    case Opcode::kShiftxb:
      return "SHIFTXB";
    case Opcode::kSetashrmh0:
      return "SETASHRMH0";
    case Opcode::kSetashrmh1:
      return "SETASHRMH1";
    case Opcode::kSetashrmv:
      return "SETASHRMV";
    case Opcode::kSetpkedgof:
      return "SETPKEDGOF";
    case Opcode::kSetashrmh:
      return "SETASHRMH";
    case Opcode::kClrexphist:
      return "CLREXPHIST";
    case Opcode::kConv3s1:
      return "CONV3S1";
    case Opcode::kConv3s2:
      return "CONV3S2";
    case Opcode::kMpool3s1:
      return "MPOOL3S1";
    case Opcode::kApool3s1:
      return "APOOL3S1";
    case Opcode::kMvmul:
      return "MVMUL";
    case Opcode::kElwmul:
      return "ELWMUL";
    case Opcode::kElwadd:
      return "ELWADD";
    case Opcode::kDotpv:
      return "DOTPV";
    case Opcode::kElwsub:
      return "ELWSUB";
    case Opcode::kMpool3s2:
      return "MPOOL3S2";
    case Opcode::kApool3s2:
      return "APOOL3S2";
    case Opcode::kGmpool:
      return "GMPOOL";
    case Opcode::kGapool:
      return "GAPOOL";
    case Opcode::kGatesrcrst:
      return "GATESRCRST";
    case Opcode::kCleardvalid:
      return "CLEARDVALID";
    case Opcode::kSetrwc:
      return "SETRWC";
    case Opcode::kIncrwc:
      return "INCRWC";
    case Opcode::kSetibrwc:
      return "SETIBRWC";
    case Opcode::kMfconv3s1:
      return "MFCONV3S1";
    case Opcode::kXmov:
      return "XMOV";
    case Opcode::kPacr:
      return "PACR";
    case Opcode::kUnpacr:
      return "UNPACR";
    case Opcode::kUnpacrNop:
      return "UNPACR_NOP";
    case Opcode::kRstdma:
      return "RSTDMA";
    case Opcode::kSetdmareg:
      return "SETDMAREG";
    case Opcode::kFlushdma:
      return "FLUSHDMA";
    case Opcode::kReg2flop:
      return "REG2FLOP";
    case Opcode::kLoadind:
      return "LOADIND";
    case Opcode::kPacrSetreg:
      return "PACR_SETREG";
    case Opcode::kTbufcmd:
      return "TBUFCMD";
    case Opcode::kSetadc:
      return "SETADC";
    case Opcode::kSetadcxy:
      return "SETADCXY";
    case Opcode::kIncadcxy:
      return "INCADCXY";
    case Opcode::kAddrcrxy:
      return "ADDRCRXY";
    case Opcode::kSetadczw:
      return "SETADCZW";
    case Opcode::kIncadczw:
      return "INCADCZW";
    case Opcode::kAddrcrzw:
      return "ADDRCRZW";
    case Opcode::kSetdvalid:
      return "SETDVALID";
    case Opcode::kAdddmareg:
      return "ADDDMAREG";
    case Opcode::kSubdmareg:
      return "SUBDMAREG";
    case Opcode::kMuldmareg:
      return "MULDMAREG";
    case Opcode::kBitwopdmareg:
      return "BITWOPDMAREG";
    case Opcode::kShiftdmareg:
      return "SHIFTDMAREG";
    case Opcode::kCmpdmareg:
      return "CMPDMAREG";
    case Opcode::kSetadcxx:
      return "SETADCXX";
    case Opcode::kDmanop:
      return "DMANOP";
    case Opcode::kAtincget:
      return "ATINCGET";
    case Opcode::kAtincgetptr:
      return "ATINCGETPTR";
    case Opcode::kAtswap:
      return "ATSWAP";
    case Opcode::kAtcas:
      return "ATCAS";
    case Opcode::kStoreind:
      return "STOREIND";
    case Opcode::kStorereg:
      return "STOREREG";
    case Opcode::kLoadreg:
      return "LOADREG";
    case Opcode::kSfpload:
      return "SFPLOAD";
    case Opcode::kSfploadi:
      return "SFPLOADI";
    case Opcode::kSfpstore:
      return "SFPSTORE";
    case Opcode::kSfplut:
      return "SFPLUT";
    case Opcode::kSfpmuli:
      return "SFPMULI";
    case Opcode::kSfpaddi:
      return "SFPADDI";
    case Opcode::kSfpdivp2:
      return "SFPDIVP2";
    case Opcode::kSfpexexp:
      return "SFPEXEXP";
    case Opcode::kSfpexman:
      return "SFPEXMAN";
    case Opcode::kSfpiadd:
      return "SFPIADD";
    case Opcode::kSfpshft:
      return "SFPSHFT";
    case Opcode::kSfpsetcc:
      return "SFPSETCC";
    case Opcode::kSfpmov:
      return "SFPMOV";
    case Opcode::kSfpabs:
      return "SFPABS";
    case Opcode::kSfpand:
      return "SFPAND";
    case Opcode::kSfpor:
      return "SFPOR";
    case Opcode::kSfpnot:
      return "SFPNOT";
    case Opcode::kSfplz:
      return "SFPLZ";
    case Opcode::kSfpsetexp:
      return "SFPSETEXP";
    case Opcode::kSfpsetman:
      return "SFPSETMAN";
    case Opcode::kSfpmad:
      return "SFPMAD";
    case Opcode::kSfpadd:
      return "SFPADD";
    case Opcode::kSfpmul:
      return "SFPMUL";
    case Opcode::kSfppushc:
      return "SFPPUSHC";
    case Opcode::kSfppopc:
      return "SFPPOPC";
    case Opcode::kSfpsetsgn:
      return "SFPSETSGN";
    case Opcode::kSfpencc:
      return "SFPENCC";
    case Opcode::kSfpcompc:
      return "SFPCOMPC";
    case Opcode::kSfptransp:
      return "SFPTRANSP";
    case Opcode::kSfpxor:
      return "SFPXOR";
    case Opcode::kSfpstochrnd:
      return "SFPSTOCHRND";
    case Opcode::kSfpnop:
      return "SFPNOP";
    case Opcode::kSfpcast:
      return "SFPCAST";
    case Opcode::kSfpconfig:
      return "SFPCONFIG";
    case Opcode::kSfpswap:
      return "SFPSWAP";
    case Opcode::kSfploadmacro:
      return "SFPLOADMACRO";
    case Opcode::kSfpshft2:
      return "SFPSHFT2";
    case Opcode::kSfplutfp32:
      return "SFPLUTFP32";
    case Opcode::kAtgetm:
      return "ATGETM";
    case Opcode::kAtrelm:
      return "ATRELM";
    case Opcode::kStallwait:
      return "STALLWAIT";
    case Opcode::kSeminit:
      return "SEMINIT";
    case Opcode::kSempost:
      return "SEMPOST";
    case Opcode::kSemget:
      return "SEMGET";
    case Opcode::kSemwait:
      return "SEMWAIT";
    case Opcode::kWrcfg:
      return "WRCFG";
    case Opcode::kRdcfg:
      return "RDCFG";
    case Opcode::kSetc16:
      return "SETC16";
    case Opcode::kRmwcib0:
      return "RMWCIB0";
    case Opcode::kRmwcib1:
      return "RMWCIB1";
    case Opcode::kRmwcib2:
      return "RMWCIB2";
    case Opcode::kRmwcib3:
      return "RMWCIB3";
  }
  return nullptr;
}

}  // namespace tvp::regs::tensix
