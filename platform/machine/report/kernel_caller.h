#pragma once

#include <optional>

#include "models/riscv/debug/source_lines.h"
#include "platform/checks/code_names.h"

namespace tvp::riscv {
class Core;
}

namespace tvp::platform {

class SymbolTable;

/// The place in the kernel that has called the library function in which the core is, if the
/// function is not inlined. It comes from the return address in ra, or from the innermost one on
/// the stack.
std::optional<riscv::SourceLocation> kernel_caller(riscv::Core& core,
                                                   const checks::CodeOwner& owner,
                                                   const SymbolTable& symbols);

}  // namespace tvp::platform
