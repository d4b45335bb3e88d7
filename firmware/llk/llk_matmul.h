#pragma once

// Thread 1: matrix multiplication of 32x32 tiles (ISA TensixCoprocessor/MVMUL.md, RWCs.md,
// CLEARDVALID.md). The first operand is in SrcB, the second in SrcA.

#include "firmware/llk/llk_math.h"
#include "firmware/llk/matmul_block.h"
#include "firmware/llk/replay_buffer.h"

namespace tvp::llk {

namespace matmul_order {

/// The 16 MVMULs of a tile and phase. SrcB goes through its eight blocks of rows twice in order.
/// The face of SrcA alternates between the two columns of faces, so that three address modifiers
/// suffice. Each block of Dst is touched again after six instructions at the earliest, so no
/// instruction waits for Dst (ISA Dst.md, instruction scheduling).
constexpr unsigned kVisits = 16;

struct Visit {
  unsigned lower;   ///< eight lower rows of a face
  unsigned inner;   ///< face along the inner dimension
  unsigned bottom;  ///< faces below
  unsigned right;   ///< faces to the right
  constexpr unsigned dst_row() const { return 8 * lower + 32 * bottom + 16 * right; }
  constexpr unsigned face_of_a(bool transposed) const {
    return transposed ? 2 * right + inner : 2 * inner + right;
  }
};
constexpr Visit visit(unsigned i) {
  constexpr unsigned kRight = 0x9966;
  return {i & 1, i >> 1 & 1, i >> 2 & 1, kRight >> i & 1};
}
/// Section of address modifiers that goes to the next visit: one, two or three faces of SrcA
/// further.
constexpr Word mod_after(unsigned i, bool transposed) {
  return ((visit(i + 1).face_of_a(transposed) - visit(i).face_of_a(transposed)) & 3) - 1;
}
constexpr bool is_sound() {
  for (unsigned i = 0; i + 1 < kVisits; ++i) {
    if (mod_after(i, false) > 2 || mod_after(i, true) > 2) return false;
    for (unsigned j = i + 1; j < kVisits && j < i + 6; ++j)
      if (visit(i).dst_row() == visit(j).dst_row()) return false;
  }
  return true;
}
static_assert(is_sound());

/// Place in the replay buffer behind those of short vector-unit programs. A kernel may initialize
/// either in any order and use both.
constexpr unsigned kFirstRecorded = kSharedReplayPlaces;
static_assert(kFirstRecorded + kVisits - 1 <= kReplayPlaces);

}  // namespace matmul_order

template <bool kTransposed>
inline void record_matmul() {
  take_second_half();
  issue<regs::tensix::encode_replay(matmul_order::kFirstRecorded, matmul_order::kVisits - 1, 0,
                                    1)>();
  unrolled<matmul_order::kVisits - 1>([](auto i) __attribute__((always_inline)) {
    issue<regs::tensix::encode_mvmul(0, 0, 0, matmul_order::mod_after(i, kTransposed),
                                     matmul_order::visit(i).dst_row())>();
  });
}

/// If `transposed`, the unpacker has transposed the faces of the tiles in SrcA, and they are read
/// as if faces 1 and 2 were also swapped. `reuse_b` and `reuse_a` select the bank that a block
/// keeps for several tiles. SETRWC then leaves that bank to the matrix unit.
inline void init_matmul(Fidelity fidelity, bool transposed = false, bool reuse_a = false,
                        bool reuse_b = false) {
  namespace t = regs::tensix;
  const unsigned phases = static_cast<unsigned>(fidelity);
  unrolled<3>([](auto i) __attribute__((always_inline)) {
    set_addr_mod(i, {.src_a = 16 * (i + 1), .src_b = 8});
  });
  set_addr_mod(3, {.fidelity = phases > 1, .clear_src = true});
  set_thread_word(config::thread::kClearDvalidSrcADisable.addr32,
                  config::thread::kClearDvalidSrcADisable.place(reuse_a) |
                      config::thread::kClearDvalidSrcBDisable.place(reuse_b));
  if (transposed) {
    record_matmul<true>();
  } else {
    record_matmul<false>();
  }
  MopLoop loop;
  loop.outer_count = phases;
  loop.start_op = t::encode_replay(matmul_order::kFirstRecorded, matmul_order::kVisits - 1, 0, 0);
  loop.inner_last = loop.outer_last =
      t::encode_mvmul(0, 0, 0, 3, matmul_order::visit(matmul_order::kVisits - 1).dst_row());
  configure_mop(loop);
  reset_row_counters<false, false>();
}

/// Dst += SrcB @ SrcA. Leaves the row counters at zero and the fidelity phase after the last one.
inline __attribute__((always_inline)) void multiply_tile(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  run_mop();
}

inline void matmul(const DstHalf& half, unsigned tile) {
  multiply_tile(half, tile);
  reset_row_counters<true, true>();
}

template <bool kStayB>
inline void give_staying_bank() {
  issue<regs::tensix::encode_cleardvalid(kStayB, !kStayB, 0, 0)>();
}

template <bool kStayB>
inline void multiply_pass(const DstHalf& half, unsigned dst, unsigned tiles, unsigned step,
                          unsigned partner, bool pair) {
  for (unsigned left = tiles; left != 0; --left, dst += step) {
    multiply_tile(half, dst);
    if (pair) {
      if (left != 1) {
        reset_row_counters<!kStayB, kStayB>();
      } else {
        reset_row_counters<false, false>();
        give_staying_bank<kStayB>();
      }
      multiply_tile(half, dst + partner);
    }
    if (pair && left != 1) {
      reset_row_counters<true, true>();
    } else {
      reset_row_counters<kStayB, !kStayB>();
    }
    if (left == 1) give_staying_bank<kStayB>();
  }
}

/// Dst tiles [dst, dst + rt * ct) += a column of rt tiles times a row of ct tiles.
inline void matmul_block(const DstHalf& half, unsigned dst, unsigned ct, unsigned rt) {
  if (b_stays(ct, rt)) {
    for (unsigned row = 0; row < rt; row += 2)
      multiply_pass<true>(half, dst + row * ct, ct, 1, ct, row + 1 < rt);
  } else {
    for (unsigned column = 0; column < ct; column += 2)
      multiply_pass<false>(half, dst + column, rt, ct, 1, column + 1 < ct);
  }
}

}  // namespace tvp::llk
