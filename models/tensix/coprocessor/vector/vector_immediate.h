#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

/// Inlined into callers with a constant mode: ISA SFPLOADI.md.
TVP_INLINE VectorUnit::Immediate VectorUnit::immediate_of(const Operation& operation) {
  enum Mode { kFloatB = 0, kFloatA = 1, kUshort = 2, kShort = 4, kUpper = 8, kLower = 10 };
  const std::uint32_t imm = operation.imm;
  switch (operation.mod) {
    case kFloatB:
      return {imm << 16};
    case kFloatA:
      return {((imm >> 15) << 31) | ((((imm >> 10) & 0x1F) + 112) << 23) | ((imm & 0x3FF) << 13)};
    case kUshort:
      return {imm};
    case kShort:
      return {static_cast<std::uint32_t>(static_cast<std::int32_t>(imm << 16) >> 16)};
    case kUpper:
      return {imm << 16, 0x0000FFFF};
    case kLower:
      return {imm, 0xFFFF0000};
    default:
      return {.defined = false};
  }
}

}  // namespace tvp::tensix::coprocessor
