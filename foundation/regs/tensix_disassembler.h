#pragma once

#include <string>

#include "foundation/regs/generation.h"
#include "foundation/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

/// The text of an instruction in the form that models execute (instruction_form.h), for people:
/// "MVMUL AddrMod=1 DstRow=0x10". It has the mnemonic and the fields that are not zero. Set bits
/// that belong to no field follow as "0x1234", also for instructions without a page. An opcode that
/// no generation has is "opcode 0xff ...".
std::string disassemble(Word instruction);
/// The same for an instruction of a generation.
std::string disassemble(Word instruction, Generation generation);

}  // namespace tvp::regs::tensix
