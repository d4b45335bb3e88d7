#pragma once

/// Every Tensix instruction: opcodes, field layouts and encoders. Freestanding and C++17, so that
/// firmware includes it as it is.
#include "models/regs/tensix_control_opcodes.h"
#include "models/regs/tensix_matrix_opcodes.h"
#include "models/regs/tensix_movement_opcodes.h"
#include "models/regs/tensix_opcode.h"
#include "models/regs/tensix_scalar_opcodes.h"
#include "models/regs/tensix_vector_opcodes.h"
