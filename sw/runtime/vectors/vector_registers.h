#pragma once

#include <string>
#include <string_view>

#include "sw/runtime/vectors/function_reader.h"

namespace tvp::runtime::vectors {

/// Another text whenever the same assembly may become something else.
const char* version();

/// Assigns the eight vector registers to the vectors of a kernel: the same assembly, with vector
/// instructions in the place of vector operations. Throws VectorError when a kernel asks for what
/// cannot be done, as more than eight vectors at a time.
std::string assign_vector_registers(std::string_view assembly);

}  // namespace tvp::runtime::vectors
