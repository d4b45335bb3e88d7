#pragma once

namespace tvp::regs::dst {

/// Dst has 1024 rows of 16 bits a column, or 512 rows of 32 (ISA TensixCoprocessor/Dst.md).
inline constexpr unsigned kRows = 1024;
/// The low half of a row of 32 bits lies one block behind its high half.
inline constexpr unsigned kBlockRows = 8;

/// Row of the storage that holds the high halves of Dst32b[row].
constexpr unsigned adjusted(unsigned row) {
  return (((row & 0x1F8) << 1) | (row & 0x207)) & (kRows - 1);
}

}  // namespace tvp::regs::dst
