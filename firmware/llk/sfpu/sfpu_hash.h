#pragma once

// Thread 1: a hash of 23 bits in each lane of the vector unit over tiles of Int32 (tt-metal's
// hash_cb_sfpu). It is h = (h ^ word) * 0x193 over all vectors in the order of Dst. LReg 5 holds it
// from tile to tile.

#include "firmware/llk/sfpu/sfpu_integer.h"

namespace tvp::llk::sfpu {

inline void begin_hash() { load_bits<5, 0x1C9DC5>(); }

inline void hash_tile(const DstHalf& half, unsigned tile) {
  constexpr unsigned kVectors = kDstTileRows / 2;
  begin(half, tile);
  load_bits<6, 0x7FFFFF>();
  for (unsigned vector = 0; vector < kVectors; ++vector) {
    push(t::encode_sfpload(0, kCellMode<Cell::kInt32, true>, kStay, 2 * vector));
    bits_xor<0, 5>();
    mov<5, 2>();
    unrolled<4>([](auto i) {  // 0x193 = 1 + 2 + 16 + 128 + 256
      constexpr Word kBits[] = {1, 4, 7, 8};
      mov<5, 1>();
      shift<kBits[i], 1>();
      integer_add<1, 2>();
    });
    bits_and<6, 2>();
    mov<2, 5>();
  }
  end();
}

/// Writes a tile with the 32 hashes in its first vector and zeros elsewhere.
inline void store_hash(const DstHalf& half, unsigned tile) {
  constexpr unsigned kVectors = kDstTileRows / 2;
  constexpr Word kMode = kCellMode<Cell::kInt32, true>;
  begin(half, tile);
  push(t::encode_sfpstore(5, kMode, kStay, 0));
  loadi<0, kBf16, 0>();
  for (unsigned vector = 1; vector < kVectors; ++vector)
    push(t::encode_sfpstore(0, kMode, kStay, 2 * vector));
  end();
}

}  // namespace tvp::llk::sfpu
