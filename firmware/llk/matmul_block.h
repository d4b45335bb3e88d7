#pragma once

// The order in which the unpack and math threads work on a block of `rt` x `ct` tiles of Dst.

namespace tvp::llk {

/// Selects the operand that stays in its banks while the tiles of the other one pass: the first, in
/// SrcB, or the second, in SrcA. Two tiles stay at a time, one in each bank. Each passing tile is
/// multiplied with both, which takes the fewest tiles from L1.
constexpr bool b_stays(unsigned ct, unsigned rt) { return ct >= rt; }
/// True if two tiles stay in the source registers at a time.
constexpr bool pairs_stay(unsigned ct, unsigned rt) { return ct > 1 && rt > 1; }

}  // namespace tvp::llk
