#pragma once

#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Changes of a function's vector instructions that keep its results, in the order of their use.

/// Marks instructions at which some lanes may be disabled. `at_entry` is true if this may be so
/// when the function is called.
void mark_predicated(VectorCode& code, bool at_entry);
/// If the source loads one half of a register and then the other, nothing of the old value is kept.
void join_half_loads(VectorCode& code);
/// Reads constants directly from their registers (ISA LReg.md) where possible.
void read_constants_in_place(VectorCode& code);
/// Fuses a product that is only added to another value into one SFPMAD.
void fuse_products(VectorCode& code);
/// Uses SFPADDI and SFPMULI instead of loading an immediate.
void fold_immediates(VectorCode& code);
/// Lets an operation write its result directly to the variable. Otherwise a variable that is
/// assigned under predication needs a copy, because it keeps the value of its other lanes.
void write_variables_directly(VectorCode& code);
/// Inserts copies to and from registers that some instructions require.
void copy_to_fixed_registers(VectorCode& code);

}  // namespace tvp::runtime::vectors
