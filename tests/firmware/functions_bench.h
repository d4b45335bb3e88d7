#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/firmware/compute_bench.h"
#include "tests/firmware/tile_data.h"

namespace tvp::test {

// Programs that compute buffer 18, FP32, from buffers 0 and 1, BF16.

inline constexpr double kBf16 = 0x1p-8;

inline ComputeBench& functions_bench() {
  static ComputeBench instance;
  return instance;
}

/// The builds of a program of functions.
#define TVP_FUNCTION_VARIANTS(name)                                          \
  {                                                                          \
    {"8x32, FP32 in Dst", 8, true, TVP_PROGRAM_OF(name##_tiny_fp32)},        \
        {"32x32, BF16 in Dst", 32, false, TVP_PROGRAM_OF(name##_full_bf16)}, \
  }

/// Runs a program on tiles with `rows` rows. The program fixes the number of tiles.
inline std::vector<Tile> run_two_operands(const ComputeProgram& program, unsigned rows,
                                          const std::vector<Tile>& a, const std::vector<Tile>& b) {
  constexpr std::uint32_t kAddressA = 0x20000, kAddressB = 0x40000, kAddressOut = 0x60000;
  const std::uint32_t bytes = rows * 64;
  const auto tiles = static_cast<unsigned>(a.size());
  ComputeBench& machine = functions_bench();
  for (unsigned i = 0; i < tiles; ++i) {
    a[i].write_bf16(machine.l1() + kAddressA + i * bytes);
    b[i].write_bf16(machine.l1() + kAddressB + i * bytes);
  }
  machine.buffer(program, 0, kAddressA, bytes, tiles, tiles);
  machine.buffer(program, 1, kAddressB, bytes, tiles, tiles);
  machine.buffer(program, 18, kAddressOut, 2 * bytes, tiles, 0);
  EXPECT_TRUE(machine.execute(program)) << machine.waiting();
  std::vector<Tile> results;
  for (unsigned i = 0; i < tiles; ++i)
    results.push_back(Tile::read_fp32(rows, machine.l1() + kAddressOut + i * 2 * bytes));
  return results;
}

/// True if `got` equals `expected` within the bounds of FP32 or BF16 in Dst. Rounding to BF16 turns
/// a NaN into an infinity (ISA SFPSTOCHRND_FloatFloat.md). FP32 values beyond the normal range are
/// infinite or zero.
inline bool within(double got, double expected, double relative, double absolute, bool fp32) {
  if (std::isnan(expected)) return fp32 ? std::isnan(got) : !std::isfinite(got);
  if (std::fabs(expected) > 3e38) return std::fabs(got) > 2.9e38 && (got > 0) == (expected > 0);
  double bound = relative * std::fabs(expected) + absolute + 1.2e-38;
  if (!fp32) bound += kBf16 * std::fabs(expected) + absolute * kBf16;
  return std::fabs(got - expected) <= bound;
}

}  // namespace tvp::test
