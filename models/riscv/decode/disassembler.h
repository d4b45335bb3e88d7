#pragma once

#include <cstdint>
#include <string>

#include "foundation/regs/generation.h"

namespace tvp::riscv {

/// Text of one RV32IM or .ttinsn word at address `pc`: "addi a0,a0,1". It has no
/// pseudo-instructions, as with objdump -M no-aliases. A Tensix instruction has its fields after a
/// #, at the places of the generation. A word that is no instruction of the core is ".word 0x...".
std::string disassemble(std::uint32_t word, std::uint32_t pc,
                        Generation generation = Generation::kWormhole);

/// The reason why a word is no instruction of a baby core, for the end of a message: ": atomic
/// memory operation, ...". Empty for a word that RISC-V does not define either.
std::string why_invalid(std::uint32_t word);

/// "a0" for 10.
const char* register_name(unsigned index);

}  // namespace tvp::riscv
