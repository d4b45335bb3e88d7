#pragma once

// Every instruction of the ISA documentation (TensixCoprocessor/) under tt-metal's three names.
// TT_OP_X(...) is the instruction word, for MOP templates. TT_X(...) and TTI_X(...) hand it to the
// coprocessor. Arguments follow the syntax of the ISA page; the numbers below are the lowest bit of
// each. Those of AddrMod depend on the generation.

#include "firmware/llk/issue.h"
#include "firmware/llk/replay_buffer.h"
#include "internal/risc_attribs.h"

namespace tvp::ops {

namespace t = regs::tensix;

/// Lowest bit of AddrMod in instructions of the matrix unit and of the vector unit.
inline constexpr unsigned kModBit = t::Mvmul::kAddrMod.low;
inline constexpr unsigned kVectorModBit = t::Sfpload::kAddrMod.low;

template <uint32_t kOpcode, unsigned... kLow, typename... Arguments>
constexpr uint32_t word(Arguments... arguments) {
  static_assert(sizeof...(kLow) == sizeof...(Arguments), "an argument for each of the page's");
  return kOpcode << 24 | ((... | (static_cast<uint32_t>(arguments) << kLow)) & 0xFFFFFF);
}

}  // namespace tvp::ops

#define TVP_INSTRUCTION(name, opcode, ...)                               \
  template <typename... Arguments>                                       \
  FORCE_INLINE constexpr uint32_t TT_OP_##name(Arguments... arguments) { \
    using namespace tvp::ops;                                            \
    return tvp::ops::word<opcode, __VA_ARGS__>(arguments...);            \
  }                                                                      \
  template <typename... Arguments>                                       \
  FORCE_INLINE void TT_##name(Arguments... arguments) {                  \
    tvp::llk::push(TT_OP_##name(arguments...));                          \
  }                                                                      \
  template <typename... Arguments>                                       \
  FORCE_INLINE void TTI_##name(Arguments... arguments) {                 \
    tvp::llk::push(TT_OP_##name(arguments...));                          \
  }

template <typename... Arguments>
FORCE_INLINE constexpr uint32_t TT_OP_REPLAY(Arguments... arguments) {
  return tvp::ops::word<0x04, 14, 4, 1, 0>(arguments...);
}
/// Records the next instructions for later calls. Later recordings must not overwrite them.
FORCE_INLINE void TT_REPLAY(uint32_t start, uint32_t length, uint32_t executes, uint32_t records) {
  if (records != 0 && start + length > tvp::llk::kSharedReplayPlaces) tvp::llk::take_second_half();
  tvp::llk::push(TT_OP_REPLAY(start, length, executes, records));
}
FORCE_INLINE void TTI_REPLAY(uint32_t start, uint32_t length, uint32_t executes, uint32_t records) {
  TT_REPLAY(start, length, executes, records);
}

// clang-format off
TVP_INSTRUCTION(MOP, 0x01, 23, 16, 0)
TVP_INSTRUCTION(MOP_CFG, 0x03, 0)
TVP_INSTRUCTION(MOVD2A, 0x08, 23, 17, kModBit, 12, 0)
TVP_INSTRUCTION(MOVDBGA2D, 0x09, 23, 17, kModBit, 12, 0)
TVP_INSTRUCTION(MOVD2B, 0x0A, 23, 17, kModBit, 12, 0)
TVP_INSTRUCTION(MOVB2A, 0x0B, 17, kModBit, 12, 0)
#if defined(ARCH_BLACKHOLE)
TVP_INSTRUCTION(ZEROACC, 0x10, 19, 18, 17, kModBit, 0)
#else
TVP_INSTRUCTION(ZEROACC, 0x10, 19, kModBit, 0)
#endif
TVP_INSTRUCTION(ZEROSRC, 0x11, 4, 3, 2, 0)
TVP_INSTRUCTION(MOVA2D, 0x12, 23, 17, kModBit, 12, 0)
TVP_INSTRUCTION(MOVB2D, 0x13, 23, 17, kModBit, t::Movb2d::kBroadcastCol0.low, 0)
TVP_INSTRUCTION(SHIFTXA, 0x17, 2, 0)
TVP_INSTRUCTION(SHIFTXB, 0x18, kModBit, 10, 0)
TVP_INSTRUCTION(MVMUL, 0x26, 22, 19, kModBit, 0)
TVP_INSTRUCTION(ELWMUL, 0x27, 22, 21, 19, kModBit, 0)
TVP_INSTRUCTION(ELWADD, 0x28, 22, 21, 19, kModBit, 0)
TVP_INSTRUCTION(DOTPV, 0x29, 22, 21, 19, kModBit, 0)
TVP_INSTRUCTION(ELWSUB, 0x30, 22, 21, 19, kModBit, 0)
TVP_INSTRUCTION(GMPOOL, 0x33, 22, 19, 15, 14, 0)
TVP_INSTRUCTION(GAPOOL, 0x34, 22, 19, 15, 14, 0)
TVP_INSTRUCTION(GATESRCRST, 0x35, 1, 0)
TVP_INSTRUCTION(CLEARDVALID, 0x36, 22, 0)
TVP_INSTRUCTION(SETRWC, 0x37, 22, 18, 14, 10, 6, 0)
TVP_INSTRUCTION(INCRWC, 0x38, 18, 14, 10, 6)
TVP_INSTRUCTION(XMOV, 0x40, 23, 0)
TVP_INSTRUCTION(PACR, 0x41, 15, 12, 8, 7, 4, 1, 0)
TVP_INSTRUCTION(UNPACR, 0x42, 23, 15, 13, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0)
TVP_INSTRUCTION(UNPACR_NOP, 0x43, 23, 0)
TVP_INSTRUCTION(SETDMAREG, 0x45, 22, 8, 7, 0)
TVP_INSTRUCTION(FLUSHDMA, 0x46, 0)
TVP_INSTRUCTION(REG2FLOP, 0x48, 22, 20, 18, 16, 6, 0)
TVP_INSTRUCTION(LOADIND, 0x49, 22, 14, 12, 6, 0)
TVP_INSTRUCTION(PACR_SETREG, 0x4A, 23, 22, 12, 8, 2, 1, 0)
TVP_INSTRUCTION(SETADC, 0x50, 21, 20, 18, 0)
TVP_INSTRUCTION(SETADCXY, 0x51, 21, 15, 12, 9, 6, 0)
TVP_INSTRUCTION(INCADCXY, 0x52, 21, 15, 12, 9, 6)
TVP_INSTRUCTION(ADDRCRXY, 0x53, 21, 15, 12, 9, 6, 0)
TVP_INSTRUCTION(SETADCZW, 0x54, 21, 15, 12, 9, 6, 0)
TVP_INSTRUCTION(INCADCZW, 0x55, 21, 15, 12, 9, 6)
TVP_INSTRUCTION(ADDRCRZW, 0x56, 21, 15, 12, 9, 6, 0)
TVP_INSTRUCTION(SETDVALID, 0x57, 0)
TVP_INSTRUCTION(ADDDMAREG, 0x58, 23, 12, 6, 0)
TVP_INSTRUCTION(SUBDMAREG, 0x59, 23, 12, 6, 0)
TVP_INSTRUCTION(MULDMAREG, 0x5A, 23, 12, 6, 0)
TVP_INSTRUCTION(BITWOPDMAREG, 0x5B, 23, 18, 12, 6, 0)
TVP_INSTRUCTION(SHIFTDMAREG, 0x5C, 23, 18, 12, 6, 0)
TVP_INSTRUCTION(CMPDMAREG, 0x5D, 23, 18, 12, 6, 0)
TVP_INSTRUCTION(SETADCXX, 0x5E, 21, 10, 0)
TVP_INSTRUCTION(ATINCGET, 0x61, 23, 14, 12, 6, 0)
TVP_INSTRUCTION(ATINCGETPTR, 0x62, 23, 22, 18, 14, 12, 6, 0)
TVP_INSTRUCTION(ATSWAP, 0x63, 23, 14, 6, 0)
TVP_INSTRUCTION(ATCAS, 0x64, 23, 18, 14, 12, 6, 0)
TVP_INSTRUCTION(STOREIND, 0x66, 23, 22, 21, 14, 12, 6, 0)
TVP_INSTRUCTION(STOREREG, 0x67, 18, 0)
TVP_INSTRUCTION(LOADREG, 0x68, 18, 0)
TVP_INSTRUCTION(SFPLOAD, 0x70, 20, 16, kVectorModBit, 0)
TVP_INSTRUCTION(SFPLOADI, 0x71, 20, 16, 0)
TVP_INSTRUCTION(SFPSTORE, 0x72, 20, 16, kVectorModBit, 0)
TVP_INSTRUCTION(SFPLUT, 0x73, 20, 16, 0)
TVP_INSTRUCTION(SFPMULI, 0x74, 8, 4, 0)
TVP_INSTRUCTION(SFPADDI, 0x75, 8, 4, 0)
TVP_INSTRUCTION(SFPDIVP2, 0x76, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPEXEXP, 0x77, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPEXMAN, 0x78, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPIADD, 0x79, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPSHFT, 0x7A, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPSETCC, 0x7B, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPMOV, 0x7C, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPABS, 0x7D, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPAND, 0x7E, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPOR, 0x7F, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPNOT, 0x80, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPLZ, 0x81, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPSETEXP, 0x82, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPSETMAN, 0x83, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPMAD, 0x84, 16, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPADD, 0x85, 16, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPMUL, 0x86, 16, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPPUSHC, 0x87, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPPOPC, 0x88, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPSETSGN, 0x89, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPENCC, 0x8A, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPCOMPC, 0x8B, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPTRANSP, 0x8C, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPXOR, 0x8D, 12, 8, 4, 0)
TVP_INSTRUCTION(SFP_STOCH_RND, 0x8E, 21, 16, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPCAST, 0x90, 8, 4, 0)
TVP_INSTRUCTION(SFPCONFIG, 0x91, 8, 4, 0)
TVP_INSTRUCTION(SFPSWAP, 0x92, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPLOADMACRO, 0x93, 20, 16, kVectorModBit, 0)
TVP_INSTRUCTION(SFPSHFT2, 0x94, 12, 8, 4, 0)
TVP_INSTRUCTION(SFPLUTFP32, 0x95, 4, 0)
TVP_INSTRUCTION(ATGETM, 0xA0, 0)
TVP_INSTRUCTION(ATRELM, 0xA1, 0)
TVP_INSTRUCTION(STALLWAIT, 0xA2, 15, 0)
TVP_INSTRUCTION(SEMINIT, 0xA3, 20, 16, 2)
TVP_INSTRUCTION(SEMPOST, 0xA4, 2)
TVP_INSTRUCTION(SEMGET, 0xA5, 2)
TVP_INSTRUCTION(SEMWAIT, 0xA6, 15, 2, 0)
TVP_INSTRUCTION(WRCFG, 0xB0, 16, 15, 0)
TVP_INSTRUCTION(RDCFG, 0xB1, 16, 0)
TVP_INSTRUCTION(SETC16, 0xB2, 16, 0)
TVP_INSTRUCTION(RMWCIB0, 0xB3, 16, 8, 0)
TVP_INSTRUCTION(RMWCIB1, 0xB4, 16, 8, 0)
TVP_INSTRUCTION(RMWCIB2, 0xB5, 16, 8, 0)
TVP_INSTRUCTION(RMWCIB3, 0xB6, 16, 8, 0)
// clang-format on
#undef TVP_INSTRUCTION

// Instructions without arguments, which kernels write without parentheses.
#define TT_OP_NOP (0x02u << 24)
#define TTI_NOP ::tvp::llk::push(TT_OP_NOP)
#define TT_OP_TRNSPSRCB (0x16u << 24)
#define TTI_TRNSPSRCB ::tvp::llk::push(TT_OP_TRNSPSRCB)
#define TT_OP_CLREXPHIST (0x21u << 24)
#define TTI_CLREXPHIST ::tvp::llk::push(TT_OP_CLREXPHIST)
#define TT_OP_DMANOP (0x60u << 24)
#define TTI_DMANOP ::tvp::llk::push(TT_OP_DMANOP)
#define TT_OP_SFPNOP (0x8Fu << 24)
#define TTI_SFPNOP ::tvp::llk::push(TT_OP_SFPNOP)
