#pragma once

// Thread 1: a choice between two tiles, and conversions to and from 16 bits. SFPLOADMACRO uses the
// vector unit's other sub-units in parallel with the next loads (ISA
// TensixCoprocessor/SFPLOADMACRO.md). Delays count instructions, so gaps between the thread's
// instructions change nothing.

#include "firmware/llk/sfpu/sfpu_cell.h"
#include "firmware/llk/sfpu/sfpu_exp.h"

namespace tvp::llk::sfpu {

/// The words for SFPCONFIG. A sequence has a byte for each sub-unit with its instruction and delay.
namespace macro {

enum Unit : Word { kSimple = 0, kMad = 8, kRound = 16, kStoring = 24 };
inline constexpr Word kStore = 3, kFirst = 4, kSecond = 5;
inline constexpr Word kLoadedIsB = 0x80, kBonus = 0x40;
/// The store uses LReg 0 instead of the loaded value.
inline constexpr Word kOfLreg0 = 0x80;
constexpr Word at(Unit unit, Word delay, Word what) { return (delay << 3 | what) << unit; }

template <Word kIndex, Word kSequence>
inline void set_sequence() {
  configure_vector_unit<4 + kIndex, kSequence>();
}
/// Stores use the load's mode, or kMode.
inline constexpr Word kDelaysAreInstructions = 0xF00;
inline void store_as_loaded() { op<t::encode_sfpconfig(kDelaysAreInstructions | 0xF0, 8, 1)>(); }
template <Word kMode>
inline void store_as() {
  op<t::encode_sfpconfig(kDelaysAreInstructions | kMode, 8, 1)>();
}

/// Owner of the templates and sequences in the unit.
template <typename Owner>
inline void need() {
  if (macros_of == &Owner::load) return;
  everywhere();
  Owner::load();
  nop();
  macros_of = &Owner::load;
  if (constants_owner == ConstantsOwner::kFastExp) constants_owner = ConstantsOwner::kKernel;
}

}  // namespace macro

/// An instruction of kind SFPLOADMACRO: macro kMacro with the vector in LReg kD.
template <Word kMacro, Word kD, Word kMode, Step kStep>
inline void load_macro(Word row) {
  static_assert(kD < 4);
  push(t::encode_sfploadmacro(kMacro, kD, kMode, kStep, row >> 1, 0));
}

// ---- A choice between two tiles -----------------------------------------------------------------

/// Macro 0 loads the condition and selects the lanes in which it is zero in the next cycle, in
/// which macro 2 loads a. All lanes are enabled again after the load of b. At the end macro 0
/// stores to the condition's place, macro 1 does not.
template <bool kFloat>
struct Choice {
  [[gnu::noinline]] static void load() {
    using namespace macro;
    op<t::encode_sfplz(0, 12, 2 | 8 | (kFloat ? 4 : 0))>();
    op<t::encode_sfpencc(3, 13, 10)>();
    constexpr Word kWhereZero = at(kSimple, 0, kFirst);
    set_sequence<0, kWhereZero | at(kStoring, 2, kStore | kOfLreg0)>();
    set_sequence<1, kWhereZero>();
    set_sequence<2, at(kSimple, 0, kSecond)>();
    store_as_loaded();
  }
};
template <bool kFp32, Cell kCell>
inline void choose(const DstHalf& half, unsigned condition, unsigned a, unsigned b, unsigned out,
                   TileShape shape) {
  constexpr Word kMode = kCellMode<kCell, kFp32>;
  macro::need<Choice<kCell == Cell::kFloat>>();
  const auto run = [&]<bool kInPlace>() {
    constexpr unsigned kLength = kInPlace ? 3 : 4;
    begin_with_any_constants(half, 0);
    // The enabled lanes change with the cycle, so these instructions must be contiguous. The replay
    // buffer guarantees this, the core does not.
    record<kLength>();
    load_macro<kInPlace ? 0 : 1, 1, kMode, kStay>(condition * kDstTileRows);
    load_macro<2, 0, kMode, kStay>(a * kDstTileRows);
    push(t::encode_sfpload(0, kMode, kInPlace ? kNextVector : kStay, b * kDstTileRows));
    if constexpr (!kInPlace) push(t::encode_sfpstore(0, kMode, kNextVector, out * kDstTileRows));
    over_faces(shape, VectorMode::kAll, kVectorsOfOne, [](unsigned vectors) {
#pragma GCC unroll 4
      for (; vectors != 0; --vectors) issue<t::encode_replay(0, kLength, 0, 0)>();
    });
    nop();
    end();
  };
  if (out == condition) {
    run.template operator()<true>();
  } else {
    run.template operator()<false>();
  }
}

// ---- Conversions, a vector each cycle or every other one ----------------------------------------

/// Two vectors in LReg 0 and 1 alternate. There are kCycles between loads and kRest until the last
/// store.
template <typename Macros, Word kMode, unsigned kCycles, unsigned kRest>
inline void stream_vectors(const DstHalf& half, unsigned tile, TileShape shape) {
  const auto one = [&]<Word kD>() {
    load_macro<0, kD, kMode, kNextVector>(0);
    if constexpr (kCycles == 2) nop();
  };
  macro::need<Macros>();
  begin_with_any_constants(half, tile);
  over_faces(shape, VectorMode::kAll, kVectorsOfOne, [&](unsigned vectors) {
#pragma GCC unroll 4
    for (; vectors > 1; vectors -= 2) {
      one.template operator()<0>();
      one.template operator()<1>();
    }
    if (vectors != 0) one.template operator()<0>();
  });
  for (unsigned i = 0; i < kRest; ++i) nop();
  end();
}

/// Nearest whole number from 0 to 65535, in 16 bits.
struct FloatToUInt16 {
  [[gnu::noinline]] static void load() {
    using namespace macro;
    configure_vector_unit<0, t::encode_sfpswap(0, kZero, 1)>();
    op<t::encode_sfpstochrnd(0, 0, 0, 0, 13, 0, 6)>();
    set_sequence<0, at(kSimple, 0, kFirst) | at(kRound, 2, kSecond | kBonus) |
                        at(kStoring, 3, kStore | kBonus)>();
    store_as<6>();
  }
};
struct UInt16ToBf16 {
  [[gnu::noinline]] static void load() {
    using namespace macro;
    op<t::encode_sfpcast(0, 12, 0)>();
    op<t::encode_sfpstochrnd(0, 0, 0, 0, 13, 0, 1)>();
    set_sequence<0, at(kSimple, 0, kFirst) | at(kRound, 1, kSecond | kBonus) |
                        at(kStoring, 2, kStore | kBonus)>();
    store_as<2>();
  }
};
/// The 16 bits lie where a BF16 has its bits.
struct UInt16ToFp32 {
  [[gnu::noinline]] static void load() {
    using namespace macro;
    op<t::encode_sfpcast(0, 12, 0)>();
    op<t::encode_sfpshft2(0xFFF & right(16), 0, 13, 6)>();
    set_sequence<0, at(kRound, 0, kSecond | kLoadedIsB) | at(kSimple, 1, kFirst | kBonus) |
                        at(kStoring, 2, kStore | kBonus)>();
    store_as<3>();
  }
};
struct UInt16ToInt32 {
  [[gnu::noinline]] static void load() {
    using namespace macro;
    op<t::encode_sfpshft2(0xFFF & right(16), 0, 13, 6)>();
    set_sequence<0,
                 at(kRound, 0, kSecond | kLoadedIsB | kBonus) | at(kStoring, 1, kStore | kBonus)>();
    store_as<4>();
  }
};

}  // namespace tvp::llk::sfpu
