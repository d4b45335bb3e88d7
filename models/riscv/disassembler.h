#pragma once

#include <cstdint>
#include <string>

namespace tvp::riscv {

/// "addi a0,a0,1": one RV32IM or .ttinsn word at address `pc`, without pseudo-instructions, as
/// objdump -M no-aliases writes it. What is no instruction of the core is ".word 0x...".
std::string disassemble(std::uint32_t word, std::uint32_t pc);

/// "a0" for 10.
const char* register_name(unsigned index);

}  // namespace tvp::riscv
