#pragma once

// Combines tiles on their way from L1 over a 32-bit Dst to L1. Each of the three threads works on
// another pair of tiles, the own and the received one, and semaphores count the pairs between them.
// With the kernel API's halves of Dst, the unpacker would wait for the vector unit after each tile.
//
// Datums of 32 bits are unpacked unchanged to Dst. BF16 goes through SrcA, from where thread 1
// copies it. The matrix unit would add BF16 faster, but it truncates while aligning, so sums would
// be off by a whole unit.

#include "api/compute/sfpu/integers.h"
#include "api/compute/threads/thread_state.h"

namespace tvp::firmware::collectives {

/// Bitwise operations are for integers only.
enum class Redop : uint32_t { kSum, kMax, kMin, kProd, kBand, kBor, kBxor };
constexpr bool kPastSrcA = kUnpacksToDst;

namespace dst_pairs {

namespace t = regs::tensix;

constexpr uint32_t kPairs = 4;  ///< capacity of Dst
/// Pairs that the unpacker may write, that the vector unit may combine, that may be packed.
constexpr llk::Word kFree = 1u << 3;
constexpr llk::Word kUnpacked = 1u << 4;
constexpr llk::Word kCombined = 1u << 5;

/// The first tile of the next pair; all threads take them in the same order.
ALWI uint32_t next() {
  static uint32_t turn = 0;
  const uint32_t tile = 2 * turn;
  turn = (turn + 1) % kPairs;
  return tile;
}

#if COMPILE_FOR_TRISC == 0

constexpr llk::Word kUnpacking = llk::kBlockUnpack | llk::kBlockConfig;

/// Waits until thread 1 has set up Dst.
ALWI void start() {
  if constexpr (!kPastSrcA) return;
  llk::wait_semaphore<kUnpacking, llk::kSemaphoreUnpackToDst, llk::SemaphoreWait::kWhileZero>();
  llk::issue<t::encode_semget(llk::kSemaphoreUnpackToDst)>();
  llk::issue<t::encode_seminit(kPairs, 0, kUnpacked)>();
  llk::issue<t::encode_seminit(kPairs, kPairs, kFree)>();
}
ALWI void unpack_tile(uint32_t address, uint32_t tile) {
  llk::stall<llk::kBlockConfig, llk::kUntilUnpacker0>();
  llk::unpack_to(true, tile * llk::kDstTileRows);
  llk::set_unpack_address<llk::Source::kA>(address);
  llk::unpack_run<llk::Source::kA, false>();
}
/// Addresses are in units of 16 bytes; 0 means no second tile.
ALWI void unpack(uint32_t mine, uint32_t received) {
  if constexpr (!kPastSrcA) {  // the banks of SrcA have two owners in turn
    llk::unpack_tile<llk::Source::kA>(mine);
    if (received != 0) llk::unpack_tile<llk::Source::kA>(received);
    return;
  }
  const uint32_t tile = next();
  llk::wait_semaphore<kUnpacking, kFree, llk::SemaphoreWait::kWhileZero>();
  llk::issue<t::encode_semget(kFree)>();
  unpack_tile(mine, tile);
  if (received != 0) unpack_tile(received, tile + 1);
  llk::stall<llk::kBlockSync, llk::kUntilUnpacker0>();
  llk::issue<t::encode_sempost(kUnpacked)>();
}
/// Restores unpacking to SrcA for other kernels.
ALWI void stop() {
  if constexpr (!kPastSrcA) return;
  llk::stall<llk::kBlockConfig, llk::kUntilUnpacker0>();
  llk::unpack_to(false, 0);
}

#elif COMPILE_FOR_TRISC == 1

namespace s = llk::sfpu;

ALWI void start() {
  llk::issue<t::encode_seminit(kPairs, 0, kCombined)>();
  if constexpr (kPastSrcA) {
    llk::stall<llk::kBlockSync, llk::kUntilMatrix>();
    llk::issue<t::encode_sempost(llk::kSemaphoreUnpackToDst)>();
  } else {
    llk::issue<t::encode_seminit(kPairs, kPairs, kFree)>();
  }
}

/// Runs a program over all vectors of the next pair, two at a time.
template <uint32_t kFaces, typename Program>
ALWI void over_pair([[maybe_unused]] bool both, Program program) {
  constexpr uint32_t kVectors = 8 * kFaces;
  const llk::DstHalf whole{0, true};
  const uint32_t tile = next();
  if constexpr (kPastSrcA) {
    llk::wait_semaphore<llk::kBlockVector, kUnpacked, llk::SemaphoreWait::kWhileZero>();
    llk::issue<t::encode_semget(kUnpacked)>();
  } else {
    llk::wait_semaphore<llk::kBlockMatrix, kFree, llk::SemaphoreWait::kWhileZero>();
    llk::issue<t::encode_semget(kFree)>();
    llk::copy_a(whole, tile);
    if (both) llk::copy_a(whole, tile + 1);
  }
  s::begin(whole, tile);
#pragma GCC unroll 4
  for (uint32_t i = 0; i < kVectors / 2; ++i) program();
  s::end();
  llk::stall<llk::kBlockSync, llk::kUntilVector>();
  llk::issue<t::encode_sempost(kCombined)>();
}
/// Vector 0 or 1 of tile 0 or 1 of the pair. Integers stay unchanged.
constexpr llk::Word kAsFloat = s::dst_mode(true);
constexpr llk::Word kAsInteger = 4;
template <llk::Word kMode, llk::Word kD, llk::Word kTile, llk::Word kVector>
ALWI void load() {
  s::op<t::encode_sfpload(kD, kMode, s::kStay, kTile * llk::kDstTileRows + 2 * kVector)>();
}
template <llk::Word kMode, llk::Word kD, llk::Word kVector>
ALWI void store() {
  s::op<t::encode_sfpstore(kD, kMode, kVector == 1 ? s::kNextRows : s::kStay, 2 * kVector)>();
}

template <Redop kOp>
constexpr s::Integer kInteger = kOp == Redop::kSum    ? s::Integer::kAdd
                                : kOp == Redop::kMax  ? s::Integer::kMaximum
                                : kOp == Redop::kMin  ? s::Integer::kMinimum
                                : kOp == Redop::kBand ? s::Integer::kAnd
                                : kOp == Redop::kBor  ? s::Integer::kOr
                                : kOp == Redop::kBxor ? s::Integer::kXor
                                                      : s::Integer::kMultiply;
/// LReg 0 and 1 to LReg 0.
template <Redop kOp, bool kIntegers, llk::Word kVector>
ALWI void combine_vector() {
  constexpr llk::Word kMode = kIntegers ? kAsInteger : kAsFloat;
  load<kMode, 0, 0, kVector>();
  load<kMode, 1, 1, kVector>();
  if constexpr (kIntegers) s::integer_program<kInteger<kOp> >();
  if constexpr (!kIntegers && kOp == Redop::kMax) s::max_min<0, 1>();
  if constexpr (!kIntegers && kOp == Redop::kMin) s::max_min<1, 0>();
  store<kMode, 0, kVector>();
}
/// The next instruction must not read the result of a multiplication, so two vectors alternate.
template <Redop kOp>
ALWI void combine_floats() {
  load<kAsFloat, 0, 0, 0>();
  load<kAsFloat, 1, 1, 0>();
  load<kAsFloat, 2, 0, 1>();
  load<kAsFloat, 3, 1, 1>();
  if constexpr (kOp == Redop::kSum) {
    s::mad<0, s::kOne, 1, 0>();
    s::mad<2, s::kOne, 3, 2>();
  } else {
    s::mad<0, 1, s::kZero, 0>();
    s::mad<2, 3, s::kZero, 2>();
  }
  store<kAsFloat, 0, 0>();
  store<kAsFloat, 2, 1>();
}
template <Redop kOp, bool kIntegers, uint32_t kFaces>
ALWI void combine() {
  over_pair<kFaces>(true, [] {
    if constexpr (!kIntegers && (kOp == Redop::kSum || kOp == Redop::kProd)) {
      combine_floats<kOp>();
    } else {
      combine_vector<kOp, kIntegers, 0>();
      combine_vector<kOp, kIntegers, 1>();
    }
  });
}
/// Multiplies the first tile by a factor.
template <uint32_t kFaces>
ALWI void scale(uint32_t factor) {
  s::variable<4>(factor);
  over_pair<kFaces>(false, [] {
    load<kAsFloat, 0, 0, 0>();
    load<kAsFloat, 2, 0, 1>();
    s::mad<0, 4, s::kZero, 0>();
    s::mad<2, 4, s::kZero, 2>();
    store<kAsFloat, 0, 0>();
    store<kAsFloat, 2, 1>();
  });
}

#else

ALWI void start() {}
/// Packs the first tile to an address in units of 16 bytes.
ALWI void pack(uint32_t address) {
  const uint32_t tile = next();
  llk::wait_semaphore<llk::kBlockPack, kCombined, llk::SemaphoreWait::kWhileZero>();
  llk::pack_tile(tile, address, llk::packer_mask(thread_state.out.shape));
  llk::stall<llk::kBlockSync, llk::kUntilPackers>();
  llk::issue<t::encode_semget(kCombined)>();
  llk::issue<t::encode_sempost(kFree)>();
}

#endif

}  // namespace dst_pairs

}  // namespace tvp::firmware::collectives
