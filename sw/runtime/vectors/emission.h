#pragma once

#include "sw/runtime/vectors/assembly_text.h"
#include "sw/runtime/vectors/coloring.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Writes a function's vector instructions, with registers, in place of the lines that asked for
/// them, and SFPNOP where a result would be read too early.
void emit(AssemblyText& text, const VectorCode& code, const Coloring& coloring);

}  // namespace tvp::runtime::vectors
