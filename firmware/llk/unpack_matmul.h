#pragma once

// Thread 0: operands of matrix multiplications by blocks. Registers of the coprocessor hold and
// step the addresses, so that this core pushes one instruction a tile (ISA
// TensixCoprocessor/WRCFG.md, ADDDMAREG.md, REPLAY.md).

#include "firmware/llk/llk_unpack.h"
#include "firmware/llk/matmul_block.h"

namespace tvp::llk {

namespace unpack_matmul {

/// GPRs of each unpacker: address of the next tile and distance between tiles. Both are in the same
/// group of four, which shortens the addition by a cycle.
constexpr Word next_gpr(Source source) { return source == Source::kA ? 16 : 20; }
constexpr Word step_gpr(Source source) { return next_gpr(source) + 1; }
/// Length in the replay buffer of the instructions that take one tile.
inline constexpr Word kLength = 3;
constexpr Word first_of(Source source) { return source == Source::kA ? 0 : kLength; }

inline __attribute__((always_inline)) void set_gpr(Word gpr, uint32_t value) {
  push(regs::tensix::encode_setdmareg(value & 0xFFFF, 2 * gpr));
  push(regs::tensix::encode_setdmareg(value >> 16, 2 * gpr + 1));
}

/// The addition stands between WRCFG and the instruction that needs the address.
template <Source kSource>
inline void record() {
  namespace t = regs::tensix;
  constexpr config::Field base =
      config::unpacker_fields(static_cast<unsigned>(kSource)).base_address;
  static_assert(base.mask == 0xFFFFFFFFu);
  issue<t::encode_wrcfg(next_gpr(kSource), 0, base.addr32)>();
  issue<t::encode_adddmareg(0, next_gpr(kSource), step_gpr(kSource), next_gpr(kSource))>();
  unpack_run<kSource>();
}

template <Source kSource>
inline void take_tile() {
  issue<regs::tensix::encode_replay(first_of(kSource), kLength, 0, 0)>();
}

/// `address` in units of 16 bytes.
template <Source kSource>
inline __attribute__((always_inline)) void start_at(uint32_t address) {
  set_gpr(next_gpr(kSource), address - 1);
}

/// Unpacks one or two tiles of the operand that stays and all that pass. The first passing tile
/// comes before the second tile that stays, so that both unpackers work in parallel.
template <Source kStay, Source kPass>
inline void pass(uint32_t first, unsigned tiles, bool pair) {
  take_tile<kStay>();
  start_at<kPass>(first);
  take_tile<kPass>();
  if (pair) take_tile<kStay>();
  for (unsigned i = 1; i < tiles; ++i) take_tile<kPass>();
}

}  // namespace unpack_matmul

/// Sets the distances between the tiles of a column of the first operand and of a row of the
/// second, in units of 16 bytes.
inline void init_unpack_matmul(uint32_t step_b, uint32_t step_a) {
  using namespace unpack_matmul;
  set_gpr(step_gpr(Source::kA), step_a);
  set_gpr(step_gpr(Source::kB), step_b);
  issue<regs::tensix::encode_replay(0, 2 * kLength, 0, 1)>();
  record<Source::kA>();
  record<Source::kB>();
}

/// Unpacks a column of rt tiles from `b` on for SrcB and a row of ct tiles from `a` on for SrcA, in
/// the order of matmul_block().
inline void unpack_matmul_block(uint32_t b, uint32_t a, unsigned ct, unsigned rt) {
  using namespace unpack_matmul;
  if (b_stays(ct, rt)) {
    start_at<Source::kB>(b);
    for (unsigned row = 0; row < rt; row += 2) pass<Source::kB, Source::kA>(a, ct, row + 1 < rt);
  } else {
    start_at<Source::kA>(a);
    for (unsigned column = 0; column < ct; column += 2)
      pass<Source::kA, Source::kB>(b, rt, column + 1 < ct);
  }
}

}  // namespace tvp::llk
