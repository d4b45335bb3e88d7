#pragma once

#include <cstdint>
#include <string>

namespace tvp::riscv {

/// "addi a0,a0,1": one RV32IM or .ttinsn word at address `pc`, without pseudo-instructions, as
/// objdump -M no-aliases writes it; a Tensix instruction with its fields behind a #. What is no
/// instruction of the core is ".word 0x...".
std::string disassemble(std::uint32_t word, std::uint32_t pc);

/// Why a word is no instruction of a baby core, for the end of a message: ": atomic memory
/// operation,
/// ...". Empty for one that RISC-V does not define either.
std::string why_invalid(std::uint32_t word);

/// "a0" for 10.
const char* register_name(unsigned index);

}  // namespace tvp::riscv
