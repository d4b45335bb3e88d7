#pragma once

#include <string>

#include "foundation/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

/// "MVMUL AddrMod=1 DstRow=0x10": the mnemonic and the fields that are not zero; bits that belong
/// to no field, or to an instruction without a page, as "0x1234" at the end. An opcode that
/// Wormhole does not have is "opcode 0xff ...". For people; not for firmware.
std::string disassemble(Word instruction);

}  // namespace tvp::regs::tensix
