#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

/// The destination of an instruction from the wait gate (ISA TensixCoprocessor/README.md, Backend).
/// The two unpackers accept instructions independently.
enum class Unit : std::uint8_t {
  kSync,
  kUnpacker0,
  kUnpacker1,
  kMatrix,
  kPackers,
  kVector,
  kScalar,
  kConfiguration,
  kMover,
  kMiscellaneous,
  kCount,
  kNone,
};

inline constexpr unsigned kUnits = static_cast<unsigned>(Unit::kCount);

const char* unit_name(Unit unit);

/// Bits of STALLWAIT's block mask (ISA STALLWAIT.md).
enum BlockBit : std::uint16_t {
  kBlockMovement = 1U << 0,
  kBlockSync = 1U << 1,
  kBlockPack = 1U << 2,
  kBlockUnpack = 1U << 3,
  kBlockMover = 1U << 4,
  kBlockScalar = 1U << 5,
  kBlockMatrix = 1U << 6,
  kBlockConfiguration = 1U << 7,
  kBlockVector = 1U << 8,
  kBlockAll = 0x1FF,
};

/// The properties of an opcode that the wait gate needs.
struct Dispatch {
  Unit unit = Unit::kNone;       ///< kNone: not in the backend, or without documented behavior
  std::uint16_t block_bits = 0;  ///< any of these bits in the block mask blocks it
};

/// Dispatch by opcode; unpacker 0 stands for both.
extern const std::array<Dispatch, 256> kDispatchTable;

/// Dispatch of an instruction. The WhichUnpacker bit selects the unpacker of UNPACR and UNPACR_NOP.
inline Dispatch dispatch_of(std::uint32_t instruction) {
  Dispatch dispatch = kDispatchTable[instruction >> 24];
  if (dispatch.unit == Unit::kUnpacker0 &&
      regs::tensix::Unpacr::kWhichUnpacker.of(instruction) != 0) {
    dispatch.unit = Unit::kUnpacker1;
  }
  return dispatch;
}

/// True if a latched wait with `block_mask` holds the instruction back.
inline bool is_blocked_by(std::uint32_t instruction, const Dispatch& dispatch,
                          std::uint16_t block_mask) {
  if ((dispatch.block_bits & block_mask) != 0) return true;
  return block_mask == kBlockAll &&
         regs::tensix::opcode_of(instruction) == regs::tensix::Opcode::kNop;
}

}  // namespace tvp::tensix::coprocessor
