#include "models/tensix/coprocessor/unit.h"

namespace tvp::tensix::coprocessor {

using regs::tensix::Opcode;

namespace {

constexpr std::array<Dispatch, 256> make_table() {
  std::array<Dispatch, 256> table{};
  const auto set = [&table](Unit unit, unsigned bits, std::initializer_list<Opcode> opcodes) {
    for (const Opcode opcode : opcodes) {
      table[static_cast<unsigned>(opcode)] = {unit, static_cast<std::uint16_t>(bits)};
    }
  };
  using O = Opcode;
  set(Unit::kSync, kBlockSync,
      {O::kAtgetm, O::kAtrelm, O::kSeminit, O::kSempost, O::kSemget, O::kSemwait});
  set(Unit::kSync, kBlockAll, {O::kStallwait});
  set(Unit::kUnpacker0, kBlockMovement | kBlockUnpack, {O::kUnpacr, O::kUnpacrNop});
  set(Unit::kMatrix, kBlockMatrix,
      {O::kMovd2a, O::kMovdbga2d,  O::kMovd2b,      O::kMovb2a,  O::kZeroacc, O::kZerosrc,
       O::kMova2d, O::kMovb2d,     O::kTrnspsrcb,   O::kShiftxa, O::kShiftxb, O::kClrexphist,
       O::kMvmul,  O::kElwmul,     O::kElwadd,      O::kDotpv,   O::kElwsub,  O::kGmpool,
       O::kGapool, O::kGatesrcrst, O::kCleardvalid, O::kSetrwc,  O::kIncrwc});
  set(Unit::kPackers, kBlockMovement | kBlockPack, {O::kPacr, O::kPacrSetreg});
  set(Unit::kVector, kBlockVector,
      {O::kSfpload,      O::kSfploadi, O::kSfpstore,   O::kSfplut,    O::kSfpmuli,
       O::kSfpaddi,      O::kSfpdivp2, O::kSfpexexp,   O::kSfpexman,  O::kSfpiadd,
       O::kSfpshft,      O::kSfpsetcc, O::kSfpmov,     O::kSfpabs,    O::kSfpand,
       O::kSfpor,        O::kSfpnot,   O::kSfplz,      O::kSfpsetexp, O::kSfpsetman,
       O::kSfpmad,       O::kSfpadd,   O::kSfpmul,     O::kSfppushc,  O::kSfppopc,
       O::kSfpsetsgn,    O::kSfpencc,  O::kSfpcompc,   O::kSfptransp, O::kSfpxor,
       O::kSfpstochrnd,  O::kSfpnop,   O::kSfpcast,    O::kSfpconfig, O::kSfpswap,
       O::kSfploadmacro, O::kSfpshft2, O::kSfplutfp32, O::kSfple,     O::kSfpgt,
       O::kSfpmul24,     O::kSfparecip});
  set(Unit::kScalar, kBlockMovement | kBlockScalar,
      {O::kSetdmareg, O::kFlushdma, O::kReg2flop, O::kLoadind, O::kAdddmareg, O::kSubdmareg,
       O::kMuldmareg, O::kBitwopdmareg, O::kShiftdmareg, O::kCmpdmareg, O::kDmanop, O::kAtincget,
       O::kAtincgetptr, O::kAtswap, O::kAtcas, O::kStoreind, O::kStorereg, O::kLoadreg});
  set(Unit::kConfiguration, kBlockConfiguration,
      {O::kWrcfg, O::kRdcfg, O::kSetc16, O::kRmwcib0, O::kRmwcib1, O::kRmwcib2, O::kRmwcib3});
  set(Unit::kMover, kBlockMovement | kBlockMover, {O::kXmov});
  set(Unit::kMiscellaneous, kBlockMovement,
      {O::kSetadc, O::kSetadcxy, O::kIncadcxy, O::kAddrcrxy, O::kSetadczw, O::kIncadczw,
       O::kAddrcrzw, O::kSetadcxx, O::kSetdvalid});
  // Only a full block mask holds it back, see is_blocked_by().
  set(Unit::kMiscellaneous, 0, {O::kNop});
  return table;
}

}  // namespace

const std::array<Dispatch, 256> kDispatchTable = make_table();

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::kSync:
      return "sync unit";
    case Unit::kUnpacker0:
      return "unpacker 0";
    case Unit::kUnpacker1:
      return "unpacker 1";
    case Unit::kMatrix:
      return "matrix unit";
    case Unit::kPackers:
      return "packers";
    case Unit::kVector:
      return "vector unit";
    case Unit::kScalar:
      return "scalar unit";
    case Unit::kConfiguration:
      return "configuration unit";
    case Unit::kMover:
      return "mover";
    case Unit::kMiscellaneous:
      return "miscellaneous unit";
    default:
      return "no unit";
  }
}

}  // namespace tvp::tensix::coprocessor
