#pragma once

#include <array>
#include <cstdint>

namespace tvp::noc {

inline constexpr unsigned kAtomicBytes = 16;
using AtomicLine = std::array<std::uint8_t, kAtomicBytes>;

/// Applies the operation of AT_LEN_BE to an aligned line of 16 bytes (ISA NoC/Atomics.md). False if
/// the opcode is not documented.
bool apply_atomic(AtomicLine& line, std::uint32_t at_len_be, std::uint32_t at_data);

}  // namespace tvp::noc
