#pragma once

#include "sw/runtime/vectors/vector_code.h"

namespace tvp::runtime::vectors {

/// Changes of a function's vector instructions that keep its results; in the order of their use.

/// Marks instructions at which some lanes may be disabled. `at_entry`: whether they may be when the
/// function is called.
void mark_predicated(VectorCode& code, bool at_entry);
/// Words of the source that load one half of a register, and then the other, keep nothing of it.
void join_half_loads(VectorCode& code);
/// Reads the constants' registers (ISA LReg.md) where that is possible, without copies.
void read_constants_in_place(VectorCode& code);
/// A product that is only added to something becomes one SFPMAD.
void fuse_products(VectorCode& code);
/// SFPADDI and SFPMULI instead of a loaded immediate.
void fold_immediates(VectorCode& code);
/// Lets an operation write the variable that takes its result. Without this a variable that is
/// assigned under predication needs a copy, since it keeps the value of its other lanes.
void write_variables_directly(VectorCode& code);
/// Copies to and from the registers that some instructions insist on.
void copy_to_fixed_registers(VectorCode& code);

}  // namespace tvp::runtime::vectors
