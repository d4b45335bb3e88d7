#pragma once

#include "sw/runtime/vectors/assembly_text.h"
#include "sw/runtime/vectors/coloring.h"
#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Replaces a function's vector operations by instructions with registers. It inserts SFPNOP where
/// a result would be read too early.
void emit(AssemblyText& text, const VectorCode& code, const Coloring& coloring);

}  // namespace tvp::runtime::vectors
