#pragma once

// Thread 1: the matrix unit on tiles in SrcA and SrcB, results in Dst (ISA
// TensixCoprocessor/MatrixUnit.md, ELWADD.md, ELWMUL.md, MVMUL.md, MOVA2D.md, GMPOOL.md, RWCs.md).

#include "firmware/llk/config.h"
#include "firmware/llk/mop.h"
#include "firmware/llk/sync.h"
#include "firmware/llk/tile.h"

namespace tvp::llk {

/// Number of fidelity phases of a multiplication, 1 to 4. BF16 by BF16 is exact with four.
enum class Fidelity : uint8_t {};

/// Increments of the row counters after an instruction.
struct AddrMod {
  unsigned src_a = 0;
  unsigned src_b = 0;
  unsigned dst = 0;
  unsigned fidelity = 0;
  bool clear_src = false;  ///< SrcA and SrcB
  bool clear_dst = false;
  bool clear_fidelity = false;
};

// Inlined, because the words are constants at each call. A function would compute them at run time.
[[gnu::always_inline]] inline void set_addr_mod(unsigned section, AddrMod mod) {
  const auto ab = config::thread::addr_mod_ab(section);
  const auto dst = config::thread::addr_mod_dst(section);
  set_thread_word(ab.src_a_incr.addr32,
                  ab.src_a_incr.place(mod.src_a) | ab.src_a_clear.place(mod.clear_src) |
                      ab.src_b_incr.place(mod.src_b) | ab.src_b_clear.place(mod.clear_src));
  set_thread_word(dst.dest_incr.addr32, dst.dest_incr.place(mod.dst) |
                                            dst.dest_clear.place(mod.clear_dst) |
                                            dst.fidelity_incr.place(mod.fidelity) |
                                            dst.fidelity_clear.place(mod.clear_fidelity));
  set_thread_word(config::thread::addr_mod_bias(section).bias_incr.addr32, 0);
}

/// The number by which vector instructions name section 4 of the address modifiers.
inline constexpr Word kFirstVectorMod = config::thread::kHasAddrModBase ? 0 : 4;
[[gnu::always_inline]] inline void use_vector_mods(bool on) {
  if constexpr (config::thread::kHasAddrModBase)
    set_thread_word(config::thread::kAddrModSetBase.addr32, on);
}

/// Sections of the matrix unit's address modifiers; the vector unit uses 4 to 7 (sfpu.h).
enum MathMod : Word { kModStay = 0, kModStep = 1, kModPhase = 2, kModDone = 3 };

template <bool kFlipA, bool kFlipB>
inline void reset_row_counters() {
  issue<regs::tensix::encode_setrwc(kFlipB, kFlipA, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)>();
}

/// An instruction that changes banks frees the old one by default. Only block multiplications
/// change this (llk_matmul.h).
inline void give_banks_back() {
  set_thread_word(config::thread::kClearDvalidSrcADisable.addr32, 0);
}

/// `fp32` keeps 32 bits in Dst. Moves from SrcA and SrcB must then see TF32, which contains BF16;
/// otherwise they write 16 bits (ISA MOVA2D.md). Arithmetic on 8-bit integers always has 32 bits in
/// Dst (ISA ELWADD.md).
inline void configure_math(DataFormat a, DataFormat b, bool fp32) {
  namespace alu = config::alu;
  namespace thread = config::thread;
  set_thread_word(thread::kStateId.addr32, 0);
  use_vector_mods(false);
  if constexpr (thread::kImpliesSrcFormats) {
    set_thread_word(thread::kDisableImpliedSrcA.addr32, 1);
    set_thread_word(thread::kDisableImpliedSrcB.addr32, 1);
  }
  give_banks_back();
  set_thread_word(thread::kFidelityBasePhase.addr32, 0);
  set_field(alu::kSrcAFormatOverride, 0);
  set_field(alu::kSrcBFormatOverride, 0);
  set_field(alu::kSrcAFormat, math_format(a, fp32));
  set_field(alu::kSrcBFormat, math_format(b, fp32));
  set_field(alu::kFpuStochasticRounding, 0);
  set_field(alu::kFp32Enabled, fp32);
  set_field(alu::kSfpuFp32Enabled, fp32);
  set_field(alu::kInt8MathEnabled, a == DataFormat::kInt8 || b == DataFormat::kInt8);
  set_field(alu::kZeroFlagDisabledSrc, keeps_zero_exponents(a) || keeps_zero_exponents(b));
  set_field(alu::kZeroFlagDisabledDst, 0);
  reset_row_counters<false, false>();
}

// ---- Dst: one half for this thread, one for the packers ----------------------------------------

/// Instructions address Dst relative to this tile of the half.
inline __attribute__((always_inline)) void select_dst_tile(const DstHalf& half, unsigned tile) {
  TVP_LLK_CHECK(tile < half.tiles());
  set_thread_word(config::thread::kMathDestOffset.addr32, half.base_row + tile * kDstTileRows);
}

/// Marks all of Dst as undefined, which accumulation reads as zero.
inline void clear_dst() { issue<regs::tensix::encode_zeroacc(0, 3, 0, 0, 0)>(); }

/// Makes both halves, or the whole, of Dst empty. No operation of an earlier kernel may be in
/// progress.
inline void init_dst_semaphore() {
  issue<regs::tensix::encode_seminit(DstHalf::kWhole ? 1 : 2, 0, kSemaphoreMathPack)>();
}
/// Waits until this thread's instructions are done and the packers have read the halves that they
/// were given.
inline void wait_dst_taken() {
  wait_coprocessor();
  while (load(kSemaphores + 4 * 1) != 0) {  // kSemaphoreMathPack
  }
}
inline void acquire_dst_half() {
  wait_semaphore<kBlockMatrix | kBlockVector, kSemaphoreMathPack, SemaphoreWait::kWhileMax>();
}
inline void commit_dst_half() {
  stall<kBlockSync, kUntilMatrix | kUntilVector>();
  issue<regs::tensix::encode_sempost(kSemaphoreMathPack)>();
}

/// let_unpack_to_dst() allows unpacker 0 to write a tile of Dst (llk_unpack.h) after this thread's
/// earlier instructions, and waits for it.
inline void init_unpack_to_dst() {
  issue<regs::tensix::encode_seminit(1, 0, kSemaphoreUnpackToDst)>();
}
inline void let_unpack_to_dst() {
  stall<kBlockSync, kUntilMatrix | kUntilVector>();
  issue<regs::tensix::encode_sempost(kSemaphoreUnpackToDst)>();
  wait_semaphore<kBlockMatrix | kBlockVector, kSemaphoreUnpackToDst, SemaphoreWait::kWhileMax>();
}

/// Marks 16 rows of Dst as undefined. A 32-bit row is two 16-bit rows, at twice its number (ISA
/// Dst.md).
template <Word kMod>
inline void forget_block(const DstHalf& half, unsigned first) {
  push(regs::tensix::encode_zeroacc(0, 1, 0, kMod, (half.fp32 ? 2 * first : first) / 16));
  if (half.fp32) push(regs::tensix::encode_zeroacc(0, 1, 0, kMod, 2 * first / 16 + 1));
}

/// Marks the rows of a tile as undefined. An accumulating instruction reads them as zero, a maximum
/// as minus infinity. The first row of a tile is a multiple of 16. Leaves the row counters at zero.
inline void clear_dst_tile(const DstHalf& half, unsigned tile, TileShape shape) {
  const unsigned first = half.base_row + tile * kDstTileRows;
  for (unsigned row = 0; row < shape.rows(); row += 16) forget_block<kModDone>(half, first + row);
}

// ---- Element-wise -------------------------------------------------------------------------------

enum class Elementwise : uint8_t { kAdd, kSubtract, kMultiply };

template <Elementwise kOp>
constexpr Word encode_elementwise(bool flip, Broadcast broadcast, bool accumulate, Word mod) {
  const bool row = broadcast == Broadcast::kRow || broadcast == Broadcast::kScalar;
  const bool column = broadcast == Broadcast::kColumn || broadcast == Broadcast::kScalar;
  switch (kOp) {
    case Elementwise::kAdd:
      return regs::tensix::encode_elwadd(flip, flip, accumulate, row, column, mod, 0);
    case Elementwise::kSubtract:
      return regs::tensix::encode_elwsub(flip, flip, accumulate, row, column, mod, 0);
    default:
      return regs::tensix::encode_elwmul(flip, flip, row, column, mod, 0);
  }
}

/// Programs "one tile of A op one tile of B" into the macro-op expander. The inner loop goes over
/// blocks, the outer loop over fidelity phases. The last instruction frees both banks.
template <Elementwise kOp>
inline void init_elementwise(TileShape shape, Broadcast broadcast, Fidelity fidelity,
                             bool accumulate) {
  const bool full = shape.faces == 4;
  // Step of SrcB from block to block. It reads all of B, or the same rows of B again. For a row of
  // a 32x32 tile, it goes to the next face after every second block.
  const bool row_of_faces = broadcast == Broadcast::kRow && full;
  give_banks_back();
  unsigned step_b = 8;
  if (broadcast == Broadcast::kScalar || row_of_faces || (broadcast == Broadcast::kColumn && !full))
    step_b = 0;
  set_addr_mod(kModStay, {});
  set_addr_mod(kModStep, {.src_a = 8, .src_b = step_b, .dst = 8});
  set_addr_mod(kModPhase, {.fidelity = 1, .clear_src = true, .clear_dst = true});
  set_addr_mod(kModDone, {.clear_src = true, .clear_dst = true, .clear_fidelity = true});
  const bool many = kOp == Elementwise::kMultiply;
  MopLoop loop;
  loop.outer_count = many ? static_cast<Word>(fidelity) : 1;
  loop.inner_count = shape.blocks();
  loop.loop_op = encode_elementwise<kOp>(false, broadcast, accumulate, kModStep);
  loop.inner_last = encode_elementwise<kOp>(false, broadcast, accumulate, kModPhase);
  loop.outer_last = encode_elementwise<kOp>(true, broadcast, accumulate, kModDone);
  if (row_of_faces) {
    // kModStay serves as the step to the next face: alternate blocks use it.
    set_addr_mod(kModStay, {.src_a = 8, .src_b = 16, .dst = 8});
    loop.inner_count /= 2;
    loop.loop_op_alternate = encode_elementwise<kOp>(false, broadcast, accumulate, kModStay);
  }
  configure_mop(loop);
}

/// Runs the operation that init_elementwise() has programmed. ELWMUL always adds to Dst.
inline void elementwise(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  run_mop();
}

/// Moves a tile of Dst to SrcA or SrcB, whose bank the unpackers have handed over.
template <bool kToA>
inline void move_dst_to_source(const DstHalf& half, unsigned tile, TileShape shape) {
  select_dst_tile(half, tile);
  stall<kBlockMatrix, kToA ? kUntilSrcAHandedOver : kUntilSrcBHandedOver>();
  for (unsigned row = 0; row < shape.rows(); row += 4)
    push(kToA ? regs::tensix::encode_movd2a(0, row, kModStay, 1, row)
              : regs::tensix::encode_movd2b(0, row, kModStay, 1, row));
}

// ---- Copies -------------------------------------------------------------------------------------

/// Copies SrcA to Dst, bit for bit.
inline void init_copy_a(TileShape shape) {
  give_banks_back();
  set_addr_mod(kModStay, {});
  set_addr_mod(kModStep, {.src_a = 8, .dst = 8});
  MopLoop loop;
  loop.inner_count = shape.blocks();
  loop.loop_op = regs::tensix::encode_mova2d(0, 0, kModStep, 1, 0);
  loop.inner_last = loop.outer_last = loop.loop_op;
  loop.end_op = regs::tensix::encode_setrwc(0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
  configure_mop(loop);
}

/// Copies SrcB to Dst: unchanged (four rows an instruction), or with row 0 or column 0 of every
/// face repeated.
inline void init_copy_b(TileShape shape, Broadcast broadcast) {
  give_banks_back();
  const bool row = broadcast == Broadcast::kRow || broadcast == Broadcast::kScalar;
  const bool column = broadcast == Broadcast::kColumn || broadcast == Broadcast::kScalar;
  const bool full = shape.faces == 4;
  const unsigned rows = row ? 8 : 4;
  unsigned step_b = rows;
  if (broadcast == Broadcast::kScalar || (row && full)) step_b = 0;
  set_addr_mod(kModStay, {.src_b = 16, .dst = rows});
  set_addr_mod(kModStep, {.src_b = step_b, .dst = rows});
  // A tiny tile has its column in the first face: go back to it between the faces.
  const bool back = broadcast == Broadcast::kColumn && !full;
  set_addr_mod(kModPhase, {.dst = rows, .clear_src = true});
  MopLoop loop;
  loop.outer_count = back ? shape.faces : 1;
  loop.inner_count = shape.rows() / rows / loop.outer_count;
  loop.loop_op = regs::tensix::encode_movb2d(0, 0, kModStep, !row, row, column, 0);
  loop.inner_last = loop.outer_last = loop.loop_op;
  if (back)
    loop.inner_last = loop.outer_last =
        regs::tensix::encode_movb2d(0, 0, kModPhase, !row, row, column, 0);
  if (row && full && broadcast == Broadcast::kRow) {
    loop.inner_count /= 2;
    loop.loop_op_alternate = regs::tensix::encode_movb2d(0, 0, kModStay, !row, row, column, 0);
    loop.inner_last = loop.outer_last = loop.loop_op_alternate;
  }
  configure_mop(loop);
}

inline void copy_a(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  run_mop();
}
inline void copy_b(const DstHalf& half, unsigned tile) {
  select_dst_tile(half, tile);
  run_mop();
  reset_row_counters<false, true>();
}

// ---- Maximum down the columns -------------------------------------------------------------------

/// The ISA page gives this bit of GMPOOL as a constant.
inline constexpr Word kPoolWholeFace = 1u << 19;

/// Dst rows 0 and 16 of the tile become the largest value of each column of SrcA so far; SrcB holds
/// a tile of ones. 32x32 tiles.
inline void init_reduce_max_columns() {
  give_banks_back();
  set_addr_mod(kModStay, {});
}

inline void reduce_max_columns(const DstHalf& half, unsigned tile) {
  namespace t = regs::tensix;
  select_dst_tile(half, tile);
  for (unsigned face = 0; face < 4; ++face) {
    push(t::encode_gmpool(0, 0, kModStay, 0, 16 * (face & 1)) | kPoolWholeFace);
    if (face == 3) break;
    issue<t::encode_incrwc(0, 0, 0, 0, 0, 8)>();
    issue<t::encode_incrwc(0, 0, 0, 0, 0, 8)>();
  }
  reset_row_counters<true, true>();
}

}  // namespace tvp::llk
