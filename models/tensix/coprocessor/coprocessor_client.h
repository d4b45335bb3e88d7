#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// The parts of the tile that the coprocessor acts on.
class CoprocessorClient {
 public:
  virtual ~CoprocessorClient() = default;
  /// RISCV_IC_INVALIDATE: bits of B, T0, T1, T2, NC.
  virtual void invalidate_instruction_caches(std::uint32_t mask, Cycle now) = 0;
  /// The mover writes 16 bytes to NC's instruction RAM.
  virtual void write_instruction_ram(std::uint32_t offset, const std::uint8_t* data, Cycle now) = 0;
};

}  // namespace tvp::tensix::coprocessor
