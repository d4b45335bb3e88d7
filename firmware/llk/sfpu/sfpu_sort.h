#pragma once

// Thread 1: sorts the columns of two 32x32 tiles on the vector unit, together with tiles of indices
// (ISA SFPSWAP.md with ENABLE_DEST_INDEX, SFPTRANSP.md). Element e of a column is row e % 32 of
// tile e / 32. Values are in tiles 0 and 1. Their indices, any 16 bits (32 in a 32-bit Dst), are in
// tiles 2 and 3. Equal values come in any order, or the one with the lower index counts as larger.

#include "firmware/llk/sfpu/sfpu_cell.h"

namespace tvp::llk::sfpu {

/// Order of equal values: any, or the lower index first, with indices of 16 or 32 bits (up to
/// 2^31).
enum class Ties : uint8_t { kAnyOrder, kByIndex16, kByIndex32 };

namespace sort {

/// Lane configuration: indices in LReg 4 to 7 follow values in 0 to 3, and the direction of the
/// order.
inline constexpr Word kIndices = 1 << 2, kExchanged = 1 << 8;
template <Word kConfig>
inline void set_lanes() {
  op<t::encode_sfpconfig(kConfig, 15, 1)>();
}
inline void ascend(bool up) { up ? set_lanes<kIndices | kExchanged>() : set_lanes<kIndices>(); }

/// A vector has four elements of eight columns: of the 16 left or right ones, even or odd.
struct Columns {
  unsigned right, odd;
  /// Row of Dst of the four elements from 4 * group on.
  unsigned row(unsigned group) const {
    const unsigned row = group % 8 * 4;
    return group / 8 * kDstTileRows + row / 16 * 32 + right * 16 + row % 16 + odd * 2;
  }
};
template <typename Function>
inline void for_all_columns(Function f) {
  for (unsigned right = 0; right < 2; ++right)
    for (unsigned odd = 0; odd < 2; ++odd) f(Columns{right, odd});
}

template <bool kFp32>
inline constexpr Word kIndexMode = kCellMode<Cell::kUInt16, kFp32>;
/// Indices must be numbers only if they are compared.
template <bool kFp32, Ties kTies>
inline constexpr bool kGathers = kFp32&& kTies == Ties::kByIndex16;

/// Loads an index to LReg kValue + 4.
template <bool kFp32, Ties kTies, Word kValue>
inline void load_index(unsigned row) {
  push(t::encode_sfpload(kValue + 4, kIndexMode<kFp32>, kStay, row + 2 * kDstTileRows));
  if constexpr (kGathers<kFp32, kTies>) gather_uint16<kValue + 4>();
}
template <bool kFp32, Ties kTies, Word kValue>
inline void store_index(unsigned row) {
  if constexpr (kGathers<kFp32, kTies>) scatter_uint16<kValue + 4>();
  push(t::encode_sfpstore(kValue + 4, kIndexMode<kFp32>, kStay, row + 2 * kDstTileRows));
}
template <bool kFp32>
inline void load_value(Word lreg, unsigned row) {
  push(t::encode_sfpload(lreg, dst_mode(kFp32), kStay, row));
}
template <bool kFp32>
inline void store_value(Word lreg, unsigned row) {
  push(t::encode_sfpstore(lreg, dst_mode(kFp32), kStay, row));
}
/// kC gets the larger value, the smaller one, or the one that the mode selects for each row of
/// lanes. The unit makes the next instruction wait a cycle.
template <Word kC, Word kD, Word kMode = 1>
inline void order() {
  op<t::encode_sfpswap(kC, kD, kMode)>();
}

/// Where values kC and kD are equal, applies order() to the indices in the opposite direction.
template <Word kC, Word kD, Word kMode = 1>
inline void order_equal() {
  op<t::encode_sfpxor(kC, kD)>();
  where<kD, kEqual>();
  order<kD + 4, kC + 4, kMode>();
  everywhere();
  op<t::encode_sfpxor(kC, kD)>();
}
template <Ties kTies, Word kC, Word kD, Word kMode = 1>
inline void order_with_ties() {
  order<kC, kD, kMode>();
  if constexpr (kTies != Ties::kAnyOrder) order_equal<kC, kD, kMode>();
}

/// LReg i holds elements i, 4 + i, 8 + i, 12 + i in its rows of lanes.
template <Ties kTies, Word kMode>
inline void order_within(bool two_apart) {
  if (two_apart) {
    order_with_ties<kTies, 0, 2, kMode>();
    order_with_ties<kTies, 1, 3, kMode>();
  }
  order_with_ties<kTies, 0, 1, kMode>();
  order_with_ties<kTies, 2, 3, kMode>();
}

// ---- Blocks of 16 elements --------------------------------------------------------------------

/// Steps of four in a row of Dst addresses reach the 16 elements of a block. The next block
/// follows.
inline constexpr unsigned kBlockRows = 32;
inline constexpr Step kNextBlock = static_cast<Step>(kFirstVectorMod + 3);

/// Loads LReg i and 4 + i: values from row kRows[i] on, and their indices.
template <bool kFp32, Ties kTies, unsigned... kRows>
inline void load_rows() {
  constexpr Word kAt[] = {kRows...};
  unrolled<4>([&](auto i) {
    op<t::encode_sfpload(i, dst_mode(kFp32), kStay, kAt[i])>();
    op<t::encode_sfpload(i + 4, kIndexMode<kFp32>, kStay, kAt[i] + 2 * kDstTileRows)>();
    if constexpr (kGathers<kFp32, kTies>) gather_uint16<i + 4>();
  });
}
template <bool kFp32, Ties kTies, Step kThen, unsigned... kRows>
inline void store_rows() {
  constexpr Word kAt[] = {kRows...};
  unrolled<4>([&](auto i) {
    if constexpr (kGathers<kFp32, kTies>) scatter_uint16<i + 4>();
    op<t::encode_sfpstore(i, dst_mode(kFp32), kStay, kAt[i])>();
    op<t::encode_sfpstore(i + 4, kIndexMode<kFp32>, i == 3 ? kThen : kStay,
                          kAt[i] + 2 * kDstTileRows)>();
  });
}

/// The work within blocks: phases of a sort, or the last four steps of a later one.
enum class Pass : uint8_t { kPhase0, kPhase1, kPhase2, kDown };

template <bool kFp32, Ties kTies, Pass kPass>
inline void pass_of_block() {
  constexpr Word kAllAlike = 1, kByTwoRows = 2, kByRow = 3;
  load_rows<kFp32, kTies, 0, 4, 8, 12>();
  if constexpr (kPass == Pass::kDown) {
    order_with_ties<kTies, 0, 2>();
    order_with_ties<kTies, 1, 3>();
    order_with_ties<kTies, 0, 1>();
    order_with_ties<kTies, 2, 3>();
  }
  if constexpr (kPass == Pass::kPhase2) {
    order_with_ties<kTies, 0, 1>();
    order_with_ties<kTies, 3, 2>();
  }
  op<t::encode_sfptransp(0)>();
  if constexpr (kPass == Pass::kPhase0) {
    order_with_ties<kTies, 0, 1>();
    order_with_ties<kTies, 3, 2>();
  } else {
    order_within<kTies, kPass == Pass::kPhase1   ? kByRow
                        : kPass == Pass::kPhase2 ? kByTwoRows
                                                 : kAllAlike>(true);
  }
  op<t::encode_sfptransp(0)>();
  store_rows<kFp32, kTies, kNextBlock, 0, 4, 8, 12>();
}

inline void select_block(const DstHalf& half, unsigned tile, Columns columns, unsigned block) {
  set_thread_word(config::thread::kMathDestOffset.addr32,
                  half.base_row + tile * kDstTileRows + columns.row(4 * block));
}

/// `up(block)` returns the direction. The program is replayed if only values are compared.
template <bool kFp32, Ties kTies, Pass kPass, typename Up>
inline void each_block(const DstHalf& half, unsigned tile, unsigned blocks, Up up) {
  constexpr unsigned kOrders = kPass == Pass::kPhase0   ? 2
                               : kPass == Pass::kPhase1 ? 4
                               : kPass == Pass::kPhase2 ? 6
                                                        : 8;
  constexpr unsigned kLength = 18 + kOrders;
  constexpr bool kReplays = kTies == Ties::kAnyOrder;
  if constexpr (kReplays) {
    record<kLength>();
    pass_of_block<kFp32, kTies, kPass>();
  }
  for_all_columns([&](Columns columns) {
    select_block(half, tile, columns, 0);
    for (unsigned block = 0; block < blocks; ++block) {
      ascend(up(block));
      if constexpr (kReplays)
        issue<t::encode_replay(0, kLength, 0, 0)>();
      else
        pass_of_block<kFp32, kTies, kPass>();
    }
    reset_row_counters<false, false>();
  });
}

/// Compares elements of blocks that are `kApart` blocks from each other.
template <bool kFp32, Ties kTies, unsigned kApart>
inline void exchange_blocks() {
  constexpr unsigned kOther = kApart * kBlockRows;
  unrolled<2>([](auto half) {
    constexpr unsigned kFrom = 8 * half;
    load_rows<kFp32, kTies, kFrom, kFrom + 4, kFrom + kOther, kFrom + kOther + 4>();
    order_with_ties<kTies, 0, 2>();
    order_with_ties<kTies, 1, 3>();
    store_rows<kFp32, kTies, kStay, kFrom, kFrom + 4, kFrom + kOther, kFrom + kOther + 4>();
  });
}
template <bool kFp32, Ties kTies, unsigned kApart, typename Up>
inline void each_pair_of_blocks(const DstHalf& half, unsigned tile, unsigned blocks, Up up) {
  for_all_columns([&](Columns columns) {
    for (unsigned block = 0; block < blocks; ++block) {
      if ((block & kApart) != 0) continue;
      select_block(half, tile, columns, block);
      ascend(up(block));
      exchange_blocks<kFp32, kTies, kApart>();
    }
  });
}
template <bool kFp32, Ties kTies, typename Up>
inline void far_step(const DstHalf& half, unsigned tile, unsigned apart, unsigned blocks, Up up) {
  if (apart == 1)
    each_pair_of_blocks<kFp32, kTies, 1>(half, tile, blocks, up);
  else
    each_pair_of_blocks<kFp32, kTies, 2>(half, tile, blocks, up);
}

/// As steps_down(), for blocks or elements eight apart.
template <bool kFp32, Ties kTies>
inline void blocks_down(const DstHalf& half, unsigned tile, unsigned step, unsigned turns, bool up,
                        unsigned blocks) {
  const auto way = [&](unsigned block) { return up != ((16 * block >> turns & 1) != 0); };
  for (; step >= 4; --step) far_step<kFp32, kTies>(half, tile, 1u << (step - 4), blocks, way);
  each_block<kFp32, kTies, Pass::kDown>(half, tile, blocks, way);
}

// ---- Sequences of fewer elements ----------------------------------------------------------------

/// Compares elements that are four or more apart: groups `low` and `high`.
template <bool kFp32, Ties kTies>
inline void exchange(Columns columns, unsigned low, unsigned high) {
  load_value<kFp32>(0, columns.row(low));
  load_index<kFp32, kTies, 0>(columns.row(low));
  load_value<kFp32>(1, columns.row(high));
  load_index<kFp32, kTies, 1>(columns.row(high));
  order_with_ties<kTies, 0, 1>();
  store_value<kFp32>(0, columns.row(low));
  store_index<kFp32, kTies, 0>(columns.row(low));
  store_value<kFp32>(1, columns.row(high));
  store_index<kFp32, kTies, 1>(columns.row(high));
}

/// Compares elements `1 << step` apart. Bit `block` of an element's number is set if its block has
/// the opposite direction.
template <bool kFp32, Ties kTies>
inline void long_step(unsigned step, unsigned block, bool up, unsigned groups) {
  const unsigned apart = 1u << (step - 2);
  for (unsigned g = 0; g < groups; ++g) {
    if ((g & apart) != 0) continue;
    ascend(up != ((4 * g >> block & 1) != 0));
    for_all_columns([&](Columns columns) { exchange<kFp32, kTies>(columns, g, g + apart); });
  }
}

/// Compares elements two apart, if `two_apart`, and then neighbors.
template <bool kFp32, Ties kTies>
inline void short_steps(bool two_apart, unsigned block, bool up, unsigned groups) {
  constexpr Word kAllAlike = 1, kByTwoRows = 2, kByRow = 3;
  for (unsigned first = 0; first < groups; first += 4) {
    ascend(up != (block > 3 && (4 * first >> block & 1) != 0));
    for_all_columns([&](Columns columns) {
      unrolled<4>([&](auto i) { load_index<kFp32, kTies, i>(columns.row(first + i)); });
      for (unsigned i = 0; i < 4; ++i) load_value<kFp32>(i, columns.row(first + i));
      op<t::encode_sfptransp(0)>();
      if (block == 1) {
        order_with_ties<kTies, 0, 1>();
        order_with_ties<kTies, 3, 2>();
      } else if (block == 2) {
        order_within<kTies, kByRow>(two_apart);
      } else if (block == 3) {
        order_within<kTies, kByTwoRows>(two_apart);
      } else {
        order_within<kTies, kAllAlike>(two_apart);
      }
      op<t::encode_sfptransp(0)>();
      for (unsigned i = 0; i < 4; ++i) store_value<kFp32>(i, columns.row(first + i));
      unrolled<4>([&](auto i) { store_index<kFp32, kTies, i>(columns.row(first + i)); });
    });
  }
}
/// Runs the steps from elements `1 << step` apart down to neighbors, which sort bitonic sequences
/// of twice that length.
template <bool kFp32, Ties kTies>
inline void steps_down(unsigned step, unsigned block, bool up, unsigned groups) {
  for (; step >= 2; --step) long_step<kFp32, kTies>(step, block, up, groups);
  short_steps<kFp32, kTies>(step == 1, block, up, groups);
}

template <typename Program>
inline void run(const DstHalf& half, unsigned tile, Program program) {
  begin(half, tile);
  set_addr_mod(section_of(kNextBlock), {.dst = kBlockRows});
  program();
  set_addr_mod(section_of(kNextBlock), {});  // tt-metal's kernels use it as one that stays
  set_lanes<0>();
  end();
}

}  // namespace sort

/// Runs phases `first` to `last` of a bitonic sort. Sequences have 2^(last + 1) elements. If `up`,
/// the first is ascending; directions alternate.
template <bool kFp32, Ties kTies = Ties::kAnyOrder>
inline void sort_phases(const DstHalf& half, unsigned tile, bool up, unsigned first,
                        unsigned last) {
  const auto alike = [&](unsigned) { return up; };
  sort::run(half, tile, [&] {
    for (unsigned phase = first; phase <= last; ++phase) {
      if (phase == 0) sort::each_block<kFp32, kTies, sort::Pass::kPhase0>(half, tile, 4, alike);
      if (phase == 1) sort::each_block<kFp32, kTies, sort::Pass::kPhase1>(half, tile, 4, alike);
      if (phase == 2) sort::each_block<kFp32, kTies, sort::Pass::kPhase2>(half, tile, 4, alike);
      if (phase > 2) sort::blocks_down<kFp32, kTies>(half, tile, phase, phase + 1, up, 4);
    }
  });
}

/// Compares pairs of sequences of 2^log_length elements that start 2^log_apart elements apart,
/// element by element. The larger goes to the first, or the smaller with `smaller_first`.
template <bool kFp32, Ties kTies = Ties::kAnyOrder>
inline void merge_sequences(const DstHalf& half, unsigned tile, bool smaller_first,
                            unsigned log_length, unsigned log_apart) {
  sort::run(half, tile, [&] {
    if (log_length >= 4 && log_length == log_apart)
      return sort::far_step<kFp32, kTies>(half, tile, 1u << (log_apart - 4), 4,
                                          [&](unsigned) { return smaller_first; });
    const unsigned apart = 1u << (log_apart - 2), length = 1u << (log_length - 2);
    sort::ascend(smaller_first);
    for (unsigned first = 0; first < 16; first += 2 * apart)
      for (unsigned g = first; g < first + apart && g < first + length; ++g)
        sort::for_all_columns(
            [&](sort::Columns columns) { sort::exchange<kFp32, kTies>(columns, g, g + apart); });
  });
}

/// Sorts bitonic sequences of 2^log_length elements that start 2^log_apart elements apart, in both
/// tiles or in the first. If `up`, the first is ascending; directions alternate.
template <bool kFp32, Ties kTies = Ties::kAnyOrder>
inline void sort_bitonic(const DstHalf& half, unsigned tile, bool up, unsigned log_length,
                         unsigned log_apart, bool both) {
  sort::run(half, tile, [&] {
    if (log_length > 3)
      return sort::blocks_down<kFp32, kTies>(half, tile, log_length - 1, log_apart, up,
                                             both ? 4 : 2);
    sort::steps_down<kFp32, kTies>(log_length - 1, log_apart, up, both ? 16 : 8);
  });
}

}  // namespace tvp::llk::sfpu
